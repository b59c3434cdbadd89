const pages = [
  ['Overview', ''],
  ['Health', '/health'],
] as const;

/** The pages of an organization, the one looked at marked. */
export const organizationTabs = (base: string, org: string, current: (typeof pages)[number][0]) =>
  pages.map(([label, path]) => ({ label, href: `${base}/org/${org}${path}`, current: label === current }));
