const pages = [
  ['Overview', ''],
  ['Deployments', '/deployments'],
  ['Team', '/team'],
  ['Issues', '/issues'],
  ['Security', '/security'],
  ['Workflow changes', '/changes'],
] as const;

/** The pages of a repository, the one looked at marked. */
export const repositoryTabs = (base: string, repository: string, current: (typeof pages)[number][0]) =>
  pages.map(([label, path]) => ({ label, href: `${base}/repos/${repository}${path}`, current: label === current }));
