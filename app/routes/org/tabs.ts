import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageContext } from '../../../server/http/page-context.ts';
import type { PageLink } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';

const pages = [
  ['Overview', 'org/:org', (org: string) => `/org/${org}`],
  ['Health', 'org/:org/health', (org: string) => `/org/${org}/health`],
  ['AI-authored', 'org/:org/ai-authorship', (org: string) => `/org/${org}/ai-authorship`],
  ['Merge queues', 'org/:org/merge-queues', (org: string) => `/org/${org}/merge-queues`],
  ['Savings', 'org/:org/advisor', (org: string) => `/org/${org}/advisor`],
  ['Actions', 'org/:org/actions', (org: string) => `/org/${org}/actions`],
  ['Team', 'team', (org: string) => `/team?org=${encodeURIComponent(org)}`],
  ['Security', 'security', (org: string) => `/security?org=${encodeURIComponent(org)}`],
] as const satisfies readonly [string, PagePath, (org: string) => string][];

type OrganizationTab = (typeof pages)[number][0];

/** The pages of an organization that open for the reader, and the one looked at; none of their own account. */
export function listOrganizationPages(
  org: string,
  { base, pages: offered, account }: PageContext,
  current: OrganizationTab | null = null,
) {
  if (org.toLowerCase() === account?.login.toLowerCase()) return [];
  return pages
    .filter(([label, page]) => label === current || offered.includes(page))
    .map(([label, , getPath]) => ({ label, href: `${base}${getPath(org)}` }));
}

/** The same as tabs, the one looked at marked. */
export function useOrganizationTabs(org: string, current: OrganizationTab): PageLink[] {
  const links = listOrganizationPages(org, usePageContext(), current);
  return links.map(({ label, href }) => ({ label, href, current: label === current }));
}
