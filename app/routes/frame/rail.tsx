import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PageContext } from '../../../server/http/page-context.ts';
import { withChoices } from '../../components/choices.ts';
import { Navigation, type NavigationProps } from '../../components/navigation.tsx';
import { addSharedParams } from '../../components/shared-params.tsx';
import { Shell } from '../../components/shell.tsx';
import { administrationPlaces, isOpen, places } from './places.ts';
import { findScope } from './scope.ts';
import { getScopeSwitch } from './scope-switch.ts';

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
  const { owner, repo } = isError ? { owner: null, repo: null } : findScope(pathname, search);
  // What is found there is of the same scope, which the address of a repository has in its path.
  const found = `${pageContext.base}/search${withChoices('', { org: repo ? null : owner, repo })}`;
  const links = places(pageContext, repo)
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
          scope={isError ? undefined : getScopeSwitch(pageContext, pathname, search)}
          search={pages.includes('search') ? addSharedParams(found, search) : undefined}
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

const isHere = (href: string, path: string): boolean =>
  path === href || (href !== '/' && href !== '/demo' && path.startsWith(`${href}/`));
