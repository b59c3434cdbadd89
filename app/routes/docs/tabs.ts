export const docTabs = (here: string) =>
  [
    { label: 'Guide', href: '/docs' },
    { label: 'API reference', href: '/docs/api' },
  ].map((link) => ({ ...link, current: link.href === here }));
