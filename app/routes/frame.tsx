import type { ReactNode } from 'react';
import { isRouteErrorResponse, Outlet, useLocation } from 'react-router';
import { ErrorWords } from '../components/error-page.tsx';
import { Navigation } from '../components/navigation.tsx';
import { Shell } from '../components/shell.tsx';
import type { Route } from './+types/frame';
import { useChrome } from './chrome.ts';

/** The rail beside every page: what the caller may open, who they are, how it looks. */
export default function Frame() {
  return (
    <Rail>
      <Outlet />
    </Rail>
  );
}

/** A page that cannot be shown keeps its way out. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Rail>
      <ErrorWords status={isRouteErrorResponse(error) ? error.status : 500} />
    </Rail>
  );
}

function Rail({ children }: { children: ReactNode }) {
  const { account, csrf, theme, here, base, hasDatabase } = useChrome();
  const { pathname } = useLocation();
  const isDemo = base !== '';
  const places = [
    { label: 'Demo repositories', href: '/demo', shown: isDemo },
    { label: 'Repositories', href: '/', shown: account !== null },
    { label: 'Team', href: `${base}/team`, shown: isDemo || account !== null },
    { label: 'Cost', href: `${base}/cost`, shown: isDemo || account !== null },
    { label: 'Reports', href: '/reports', shown: account !== null && hasDatabase },
    { label: 'Sign in', href: '/setup', shown: account === null && !isDemo },
    { label: 'Demo', href: '/demo', shown: account === null && !isDemo },
    { label: 'Leave the demo', href: '/', shown: isDemo },
    { label: 'Documentation', href: '/docs', shown: true },
  ];
  const links = places
    .filter((place) => place.shown)
    .map(({ label, href }) => ({ label, href, current: isHere(href, pathname) }));
  return (
    <Shell
      navigation={
        <Navigation
          product="Delivery Analytics"
          links={links}
          account={account ? { login: account.login, signOut: { action: '/sign-out', csrf } } : undefined}
          theme={{ current: theme, action: '/theme', returnTo: here }}
        />
      }
    >
      {children}
    </Shell>
  );
}

/** Pages that are reached from the list of repositories and have no place of their own. */
const fromTheList = /^(\/demo)?\/(repos|org|contributor|explain)(\/|$)/;

function isHere(href: string, path: string): boolean {
  if (href !== '/' && href !== '/demo') return path === href || path.startsWith(`${href}/`);
  return path === href || (fromTheList.test(path) && path.startsWith('/demo/') === (href === '/demo'));
}
