import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageLink } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';

const pages = [
  ['Overview', ''],
  ['Pull requests', '/pull-requests'],
  ['Workflows', '/workflows'],
  ['Deployments', '/deployments'],
  ['Issues', '/issues'],
  ['Team', '/team'],
  ['Security', '/security'],
  ['Changes', '/changes'],
  ['Advisor', '/advisor'],
] as const satisfies readonly [string, string][];

export type RepositoryTab = (typeof pages)[number][0];

const getPath = (end: (typeof pages)[number][1]): PagePath => `repos/:owner/:repo${end}`;

/** The pages of a repository that open for the caller, the one looked at marked; see `hasTracker` for the issues. */
export function useRepositoryTabs(repository: string, current: RepositoryTab, hasTracker = true): PageLink[] {
  const { base, pages: offered } = usePageContext();
  return pages
    .filter(([label]) => hasTracker || label !== 'Issues')
    .filter(([label, end]) => label === current || offered.includes(getPath(end)))
    .map(([label, end]) => ({ label, href: `${base}/repos/${repository}${end}`, current: label === current }));
}
