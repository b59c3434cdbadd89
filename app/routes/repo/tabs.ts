import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageLink } from '../../components/page.tsx';
import { useChrome } from '../chrome.ts';

const pages = [
  ['Overview', ''],
  ['Deployments', '/deployments'],
  ['Team', '/team'],
  ['Issues', '/issues'],
  ['Security', '/security'],
  ['Workflow changes', '/changes'],
] as const satisfies readonly [string, string][];

const pathOf = (end: (typeof pages)[number][1]): PagePath => `repos/:owner/:repo${end}`;

/** The pages of a repository that the caller may open, the one looked at marked. */
export function useRepositoryTabs(repository: string, current: (typeof pages)[number][0]): PageLink[] {
  const { base, pages: offered } = useChrome();
  return pages
    .filter(([label, end]) => label === current || offered.includes(pathOf(end)))
    .map(([label, end]) => ({ label, href: `${base}/repos/${repository}${end}`, current: label === current }));
}
