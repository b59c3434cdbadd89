import type { PageContext } from '../../../server/http/page-context.ts';
import { withChoices } from '../../components/choices.ts';
import type { NavigationProps } from '../../components/navigation.tsx';
import { hasOrganizationPages } from '../../components/page-context.ts';
import { addSharedParams, takesRepository } from '../../components/shared-params.tsx';
import { findScope, listOwners } from './scope.ts';

/** Sections that can be of everything. */
const ofEverything = ['pull-requests', 'deployments', 'ci', 'cost'];
const ofOrganization = [...ofEverything, 'repositories', 'reports', 'team', 'working-habits', 'security'];

/** Where a page stands: in a section, below a repository or an organization, or beside those. */
interface Here {
  below: 'section' | 'repository' | 'organization' | null;
  section: string;
  search: string;
}

/**
 * What the page is of, and the same section of something else: of everything, of an organization, of a repository. A
 * section that there is not of it becomes its overview. undefined where there is nothing to choose.
 */
export function getScopeSwitch(pageContext: PageContext, pathname: string, search: string): NavigationProps['scope'] {
  const { account, base, recent, pages } = pageContext;
  if (base === '' && !(account && pages.includes('repositories'))) return undefined;
  const scope = findScope(pathname, search);
  const here = { ...findSection(pathname), search };
  const around = [
    { label: 'Everything I can see', href: getEverythingHref(pageContext, here) },
    ...(pages.includes('repositories')
      ? [{ label: 'All repositories', href: share(`${base}/repositories`, search) }]
      : []),
    ...listOwners(pageContext, scope).map((owner) => ({ label: owner, href: getOwnerHref(owner, pageContext, here) })),
  ];
  const opened = recent.map((name) => ({ label: name, href: getRepositoryHref(name, pageContext, here) }));
  return {
    label: scope.repo ?? scope.owner ?? (base ? 'Demo organization' : 'Everything I can see'),
    groups: [
      { label: 'Go to', links: around },
      ...(opened.length > 0 ? [{ label: 'Recently opened', links: opened }] : []),
    ],
  };
}

function findSection(pathname: string): Pick<Here, 'below' | 'section'> {
  const [first = '', ...rest] = pathname
    .replace(/^\/demo(?=\/|$)/, '')
    .split('/')
    .slice(1);
  if (first === 'repos') return { below: 'repository', section: rest[2] ?? '' };
  if (first === 'org') return { below: 'organization', section: rest[1] ?? '' };
  if (first === 'contributor') return { below: null, section: 'team' };
  return { below: 'section', section: first };
}

/** Range and comparison go along to another page, the scope of this one does not. */
const share = (href: string, search: string): string =>
  addSharedParams(href, withChoices(search, { org: null, repo: null }));

/** A section of another scope; whoever is in it keeps its other choices, as with the choice in its bar. */
function getSectionHref(base: string, { below, section, search }: Here, org: string | null, repo: string | null) {
  const path = `${base}/${section}`;
  const query = withChoices(below === 'section' ? search : '', { org, repo });
  return below === 'section' ? `${path}${query === '?' ? '' : query}` : share(`${path}${query}`, search);
}

/** Whether there is a section at an address of its own that opens for the reader. */
const hasSection = ({ base, hasDatabase, pages }: PageContext, { below, section }: Here, sections: readonly string[]) =>
  sections.includes(section) &&
  (pages as readonly string[]).includes(section) &&
  (below === 'section' || base !== '' || hasDatabase);

function getEverythingHref(pageContext: PageContext, here: Here): string {
  const { base } = pageContext;
  if (!hasSection(pageContext, here, ofEverything)) return share(base || '/', here.search);
  return getSectionHref(base, here, null, null);
}

function getOwnerHref(owner: string, pageContext: PageContext, here: Here): string {
  const { account, base, pages } = pageContext;
  const { below, section, search } = here;
  const hasPages = hasOrganizationPages(owner, pageContext);
  if (below === 'organization' && hasPages && (pages as readonly string[]).includes(`org/:org/${section}`))
    return share(`${base}/org/${owner}/${section}`, search);
  // Alerts are of organizations, which the reader's own account is none of.
  const isOwn = owner.toLowerCase() === account?.login.toLowerCase();
  if (hasSection(pageContext, here, ofOrganization) && !(isOwn && section === 'security'))
    return getSectionHref(base, here, owner, null);
  return share(hasPages ? `${base}/org/${owner}` : `${base || '/'}?org=${owner}`, search);
}

function getRepositoryHref(repo: string, pageContext: PageContext, here: Here): string {
  const { base, pages } = pageContext;
  const { below, section, search } = here;
  // Other sections have a page below each repository.
  if (below === 'section' && takesRepository.test(`/${section}`) && hasSection(pageContext, here, ofOrganization))
    return getSectionHref(base, here, null, repo);
  const isPage = section !== '' && (pages as readonly string[]).includes(`repos/:owner/:repo/${section}`);
  return share(`${base}/repos/${repo}${isPage ? `/${section}` : ''}`, search);
}
