import type { PageLink } from '../components/page.tsx';
import { hasOrganizationPages, usePageContext } from '../components/page-context.ts';

/** The way down to a page: the list of repositories, then what lies between. */
export const crumbs = (base: string, ...between: PageLink[]): PageLink[] => [
  { label: 'Repositories', href: `${base}/repositories` },
  ...between,
];

/** On a page of a section about one organization or repository, the way to the section; on the section itself nothing. */
export const sectionCrumbs = (label: string, href: string, scope: string | null | undefined): PageLink[] =>
  scope ? [{ label, href }] : [];

/**
 * On pages about a person, the way to the team of the owner that they are looked at in, where that is known, for those
 * who may open it.
 */
export function usePersonCrumbs(owner: string, ...between: PageLink[]): PageLink[] {
  const { base, pages } = usePageContext();
  if (!pages.includes('team')) return crumbs(base, ...between);
  return [
    { label: 'Team', href: `${base}/team` },
    ...(owner ? [{ label: owner, href: `${base}/team?org=${encodeURIComponent(owner)}` }] : []),
    ...between,
  ];
}

/** A repository by its full name. */
export const repositoryCrumb = (base: string, name: string): PageLink => ({
  label: name,
  href: `${base}/repos/${name}`,
});

/** An organization's overview, for those who may open it; a list, for it may be empty. */
export function useOrganizationCrumb(org: string): PageLink[] {
  const pageContext = usePageContext();
  return hasOrganizationPages(org, pageContext) ? [{ label: org, href: `${pageContext.base}/org/${org}` }] : [];
}

/** Where a number is opened: what counted, what was excluded. */
export function explainHref(base: string, params: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  return `${base}/explain?${query}`;
}

/** The parameters that name a repository in a link, from its full name. */
export function repositoryParams(name: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
}
