import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageContext } from '../../../server/http/page-context.ts';
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

/** The pages of a repository that open for the reader, and the one looked at. */
export const listRepositoryPages = (
  repository: string,
  { base, pages: offered }: PageContext,
  current: RepositoryTab | null = null,
) =>
  pages
    .filter(([label, end]) => label === current || offered.includes(getPath(end)))
    .map(([label, end]) => ({ label, href: `${base}/repos/${repository}${end}` }));

/** The same as tabs, the one looked at marked; see `hasTracker` for the issues. */
export function useRepositoryTabs(repository: string, current: RepositoryTab, hasTracker = true): PageLink[] {
  return listRepositoryPages(repository, usePageContext(), current)
    .filter(({ label }) => hasTracker || label !== 'Issues')
    .map(({ label, href }) => ({ label, href, current: label === current }));
}
