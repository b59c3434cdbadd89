import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PageContext } from '../../../server/http/page-context.ts';
import { withChoices } from '../../components/choices.ts';
import { Navigation, type NavigationProps } from '../../components/navigation.tsx';
import { hasOrganizationPages } from '../../components/page-context.ts';
import { addSharedParams } from '../../components/shared-params.tsx';
import { Shell } from '../../components/shell.tsx';
import { administrationPlaces, isOpen, places } from './places.ts';

interface RailProps {
  pageContext: PageContext;
  /** Whether there is nothing to see at this address. */
  isError?: boolean;
  children: ReactNode;
}

/** The rail beside a page: what the caller may open, who they are, how it looks. */
export function Rail({ pageContext, isError = false, children }: RailProps) {
  const { account, csrf, theme, here, pages, mode } = pageContext;
  const { pathname, search } = useLocation();
  // Alerts are of organizations, which the reader's own account is none of.
  const isOwn = new URLSearchParams(search).get('org')?.toLowerCase() === account?.login.toLowerCase();
  const ofOrganizations = isOwn ? withChoices(search, { org: null }) : search;
  const links = places(pageContext, isError ? null : findRepository(pathname, search))
    .filter((place) => isOpen(place, pageContext))
    .map(({ label, href, icon, page, keeps, covers }) => ({
      label,
      icon,
      href: keeps ? addSharedParams(href, page === 'security' ? ofOrganizations : search) : href,
      current: isHere(href, pathname) || covers?.test(pathname) === true,
    }));
  const administration = administrationPlaces
    .filter((place) => pageContext.base === '' && isOpen(place, pageContext))
    .map(({ label, href }) => ({ label, href, current: isHere(href, pathname) }));
  return (
    <Shell
      navigation={
        <Navigation
          product="Delivery Analytics"
          bell={pageContext.bell ? { href: addSharedParams('/alerts', search), ...pageContext.bell } : undefined}
          scope={isError ? undefined : getScope(pageContext, pathname, search)}
          search={pages.includes('search') ? addSharedParams(`${pageContext.base}/search`, search) : undefined}
          links={links}
          situations={pageContext.situations.map(({ value, label, current }) => ({
            label,
            href: withChoices(search, { situation: value }),
            current,
          }))}
          groups={administration.length > 0 ? [{ label: 'Administration', links: administration }] : []}
          views={pages.includes('views') && account ? getViews(pageContext, isError) : undefined}
          account={account ? { login: account.login, mode, signOut: { action: '/sign-out', csrf } } : undefined}
          theme={{ current: theme, action: '/theme', returnTo: here }}
        />
      }
    >
      {children}
    </Shell>
  );
}

/** Saved views, the one looked at marked; pages that are about the service itself are not offered to be saved. */
function getViews({ views, here, csrf }: PageContext, isError: boolean): NavigationProps['views'] {
  const isSaveable = !isError && !/^\/(settings|admin|views|search|docs)([/?]|$)/.test(here);
  return {
    links: views.map(({ name, address }) => ({ label: name, href: address, current: address === here })),
    save: isSaveable ? { address: here, csrf } : null,
  };
}

/** The repository that a page is about, by its address or its `repo` parameter. */
function findRepository(pathname: string, search: string): string | null {
  const [, inPath] = /^(?:\/demo)?\/repos\/([^/]+\/[^/]+)/.exec(pathname) ?? [];
  const query = new URLSearchParams(search);
  const [owner, repo] = [query.get('owner'), query.get('repo')];
  const inQuery = owner && repo && !repo.includes('/') ? `${owner}/${repo}` : repo;
  return inPath ?? (inQuery && /^[\w.-]+\/[\w.-]+$/.test(inQuery) ? inQuery : null);
}

const isHere = (href: string, path: string): boolean =>
  path === href || (href !== '/' && href !== '/demo' && path.startsWith(`${href}/`));

/** What the pages are about: a repository, an organization or everything, and where to go from there. */
function getScope(pageContext: PageContext, pathname: string, search: string): NavigationProps['scope'] {
  const { account, base, recent, pages } = pageContext;
  if (base === '' && !(account && pages.includes('repositories'))) return undefined;
  const [, owner, repo] = /^(?:\/demo)?\/repos\/([^/]+)\/([^/]+)/.exec(pathname) ?? [];
  const [, orgInPath] = /^(?:\/demo)?\/org\/([^/]+)/.exec(pathname) ?? [];
  const org = orgInPath ?? new URLSearchParams(search).get('org');
  const above = owner ?? org;
  const keep = (href: string) => addSharedParams(href, withChoices(search, { org: null, repo: null }));
  const getOwnerHref = (name: string) =>
    keep(hasOrganizationPages(name, pageContext) ? `${base}/org/${name}` : `${base || '/'}?org=${name}`);
  const around = [
    { label: 'Everything I can see', href: keep(base || '/') },
    ...(pages.includes('repositories') ? [{ label: 'All repositories', href: keep(`${base}/repositories`) }] : []),
    ...(above ? [{ label: above, href: getOwnerHref(above) }] : []),
  ];
  const opened = recent.map((name) => ({ label: name, href: keep(`/repos/${name}`) }));
  return {
    label: owner && repo ? `${owner}/${repo}` : (org ?? (base ? 'Demo organization' : 'Everything I can see')),
    groups: [
      { label: 'Go to', links: around },
      ...(opened.length > 0 ? [{ label: 'Recently opened', links: opened }] : []),
    ],
  };
}
