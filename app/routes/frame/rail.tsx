import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageContext } from '../../../server/http/page-context.ts';
import { Navigation } from '../../components/navigation.tsx';
import { Shell } from '../../components/shell.tsx';

/** The rail beside a page: what the caller may open, who they are, how it looks. */
export function Rail({ pageContext, children }: { pageContext: PageContext; children: ReactNode }) {
  const { account, csrf, theme, here, pages, mode } = pageContext;
  const { pathname } = useLocation();
  const linked = (places: readonly Place[]) =>
    places
      .filter(({ page, shown = true }) => shown && (page === undefined || pages.includes(page)))
      .map(({ label, href }) => ({ label, href, current: isHere(href, pathname) }));
  const administration = pageContext.base === '' ? linked(administrationPlaces) : [];
  return (
    <Shell
      navigation={
        <Navigation
          product="Delivery Analytics"
          bell={pageContext.bell ? { href: '/alerts', ...pageContext.bell } : undefined}
          links={linked(places(pageContext))}
          groups={administration.length > 0 ? [{ label: 'Administration', links: administration }] : []}
          account={account ? { login: account.login, mode, signOut: { action: '/sign-out', csrf } } : undefined}
          theme={{ current: theme, action: '/theme', returnTo: here }}
        />
      }
    >
      {children}
    </Shell>
  );
}

interface Place {
  label: string;
  href: string;
  /** The page it leads to, by which it is known whether the caller may open it. */
  page?: PagePath;
  shown?: boolean;
}

const places = ({ account, base, hasDatabase, signInHref }: PageContext): Place[] => {
  const isDemo = base !== '';
  const isVisitor = account === null && !isDemo;
  return [
    { label: 'Demo repositories', href: '/demo', shown: isDemo },
    { label: 'Repositories', href: '/', page: '', shown: !isDemo },
    { label: 'Team', href: `${base}/team`, page: 'team' },
    { label: 'Working habits', href: `${base}/working-habits`, page: 'working-habits' },
    { label: 'Cost', href: `${base}/cost`, page: 'cost' },
    { label: 'Reports', href: '/reports', page: 'reports', shown: !isDemo && hasDatabase },
    { label: 'Alerts', href: '/alerts', page: 'alerts', shown: !isDemo && hasDatabase },
    { label: 'Settings', href: '/settings', page: 'settings', shown: !isDemo },
    { label: 'Sign in', href: signInHref, shown: isVisitor },
    { label: 'Demo', href: '/demo', shown: isVisitor },
    { label: 'Leave the demo', href: '/', shown: isDemo },
    { label: 'Documentation', href: '/docs' },
  ];
};

const administrationPlaces: readonly Place[] = [
  { label: 'Users', href: '/admin/users', page: 'admin/users' },
  { label: 'Sessions', href: '/admin/sessions', page: 'admin/sessions' },
  { label: 'Permissions', href: '/admin/permissions', page: 'admin/permissions' },
  { label: 'Audit log', href: '/admin/audit', page: 'admin/audit' },
  { label: 'Linked accounts', href: '/admin/identity-links', page: 'admin/identity-links' },
];

/** Pages that are reached from the list of repositories and have no place of their own. */
const fromTheList = /^(\/demo)?\/(repos|org|contributor|explain)(\/|$)/;

function isHere(href: string, path: string): boolean {
  if (href !== '/' && href !== '/demo') return path === href || path.startsWith(`${href}/`);
  return path === href || (fromTheList.test(path) && path.startsWith('/demo/') === (href === '/demo'));
}
