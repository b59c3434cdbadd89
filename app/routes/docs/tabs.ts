import { sections } from './readings.ts';

/** The pages of the documentation, the one looked at marked. */
export const docTabs = (here: string) =>
  [
    { label: 'Guide', href: '/docs' },
    ...sections.map(({ key, title }) => ({ label: title, href: `/docs/${key}` })),
    { label: 'API reference', href: '/docs/api' },
  ].map((link) => ({ ...link, current: link.href === here }));
