import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageContext } from '../../../server/http/page-context.ts';
import { withChoices } from '../../components/choices.ts';
import type { IconName } from '../../components/icon.tsx';
import { keepChoices } from '../../components/kept-choices.ts';
import { Navigation, type NavigationProps } from '../../components/navigation.tsx';
import { Shell } from '../../components/shell.tsx';

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
  const isOpen = ({ page, shown = true }: Pick<Place, 'page' | 'shown'>) =>
    shown && (page === undefined || pages.includes(page));
  const links = places(pageContext)
    .filter(isOpen)
    .map(({ label, href, icon, keeps, covers }) => ({
      label,
      icon,
      href: keeps ? keepChoices(href, search) : href,
      current: isHere(href, pathname) || covers?.test(pathname) === true,
    }));
  const administration = administrationPlaces
    .filter((place) => pageContext.base === '' && isOpen(place))
    .map(({ label, href }) => ({ label, href, current: isHere(href, pathname) }));
  return (
    <Shell
      navigation={
        <Navigation
          product="Delivery Analytics"
          bell={pageContext.bell ? { href: '/alerts', ...pageContext.bell } : undefined}
          scope={isError ? undefined : getScope(pageContext, pathname, search)}
          links={links}
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
  icon: IconName;
  /** The page it leads to, by which it is known whether the caller may open it. */
  page?: PagePath;
  shown?: boolean;
  /** Range, comparison and scope go along. */
  keeps?: boolean;
  /** Further addresses that belong to this place. */
  covers?: RegExp;
}

const places = ({ account, base, hasDatabase, signInHref }: PageContext): Place[] => {
  const isDemo = base !== '';
  const isVisitor = account === null && !isDemo;
  return [
    { label: 'Overview', href: base || '/', icon: 'overview', page: '', keeps: true },
    {
      label: 'Repositories',
      href: `${base}/repositories`,
      icon: 'repositories',
      page: 'repositories',
      keeps: true,
      covers: new RegExp(`^${base}/(repos|org|explain)(/|$)`),
    },
    { label: 'CI', href: `${base}/ci`, icon: 'ci', page: 'ci', keeps: true, shown: isDemo || hasDatabase },
    {
      label: 'Team',
      href: `${base}/team`,
      icon: 'team',
      page: 'team',
      keeps: true,
      covers: new RegExp(`^${base}/contributor/`),
    },
    { label: 'Working habits', href: `${base}/working-habits`, icon: 'habits', page: 'working-habits', keeps: true },
    { label: 'Security', href: `${base}/security`, icon: 'security', page: 'security', keeps: true },
    { label: 'Cost', href: `${base}/cost`, icon: 'cost', page: 'cost', keeps: true },
    { label: 'Reports', href: '/reports', icon: 'reports', page: 'reports', shown: !isDemo && hasDatabase },
    { label: 'Alerts', href: '/alerts', icon: 'alerts', page: 'alerts', shown: !isDemo && hasDatabase },
    { label: 'Settings', href: '/settings', icon: 'settings', page: 'settings', shown: !isDemo },
    { label: 'Sign in', href: signInHref, icon: 'settings', shown: isVisitor },
    { label: 'Demo', href: '/demo', icon: 'overview', shown: isVisitor },
    { label: 'Leave the demo', href: '/', icon: 'settings', shown: isDemo },
    { label: 'Documentation', href: '/docs', icon: 'docs' },
  ];
};

const administrationPlaces: readonly Omit<Place, 'icon'>[] = [
  { label: 'Users', href: '/admin/users', page: 'admin/users' },
  { label: 'Sessions', href: '/admin/sessions', page: 'admin/sessions' },
  { label: 'Permissions', href: '/admin/permissions', page: 'admin/permissions' },
  { label: 'Audit log', href: '/admin/audit', page: 'admin/audit' },
  { label: 'Linked accounts', href: '/admin/identity-links', page: 'admin/identity-links' },
];

const isHere = (href: string, path: string): boolean =>
  path === href || (href !== '/' && href !== '/demo' && path.startsWith(`${href}/`));

/** What the pages are about: a repository, an organization or everything, and where to go from there. */
function getScope(pageContext: PageContext, pathname: string, search: string): NavigationProps['scope'] {
  const { account, base, recent, pages } = pageContext;
  if (!account && base === '') return undefined;
  const [, owner, repo] = /^(?:\/demo)?\/repos\/([^/]+)\/([^/]+)/.exec(pathname) ?? [];
  const [, orgInPath] = /^(?:\/demo)?\/org\/([^/]+)/.exec(pathname) ?? [];
  const org = orgInPath ?? new URLSearchParams(search).get('org');
  const above = owner ?? org;
  const keep = (href: string) => keepChoices(href, withChoices(search, { org: null, repo: null }));
  const around = [
    { label: 'Everything I can see', href: keep(base || '/') },
    ...(above && pages.includes('org/:org') ? [{ label: above, href: keep(`${base}/org/${above}`) }] : []),
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
