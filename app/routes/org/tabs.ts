const pages = [
  ['Overview', (org: string) => `/org/${org}`],
  ['Health', (org: string) => `/org/${org}/health`],
  ['Team', (org: string) => `/team?org=${encodeURIComponent(org)}`],
] as const;

/** The pages of an organization, the one looked at marked. */
export const organizationTabs = (base: string, org: string, current: (typeof pages)[number][0]) =>
  pages.map(([label, pathOf]) => ({ label, href: `${base}${pathOf(org)}`, current: label === current }));
