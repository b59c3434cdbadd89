import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageContext } from '../../../server/http/page-context.ts';
import type { IconName } from '../../components/icon.tsx';

export interface Place {
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

/**
 * The sections of the product, in their order; `isOpen` says which of them the caller may open. Pull requests and
 * deployments are those of the repository `owner/name` where there is one.
 */
export const places = (
  { account, base, hasDatabase, signInHref }: PageContext,
  repository: string | null = null,
): Place[] => {
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
      covers: new RegExp(`^${base}/((repos|org|explain)(/|$)(?!.*/(pull-requests|deployments)$|.*/merge-queue(/|$)))`),
    },
    {
      label: 'Pull requests',
      icon: 'pulls',
      keeps: true,
      covers: new RegExp(`^${base}/repos/[^/]+/[^/]+/merge-queue(/|$)`),
      ...(repository === null
        ? { href: `${base}/pull-requests`, page: 'pull-requests', shown: isDemo || hasDatabase }
        : { href: `${base}/repos/${repository}/pull-requests`, page: 'repos/:owner/:repo/pull-requests' }),
    },
    { label: 'CI', href: `${base}/ci`, icon: 'ci', page: 'ci', keeps: true, shown: isDemo || hasDatabase },
    {
      label: 'Deployments',
      icon: 'deployments',
      keeps: true,
      ...(repository === null
        ? { href: `${base}/deployments`, page: 'deployments', shown: isDemo || hasDatabase }
        : { href: `${base}/repos/${repository}/deployments`, page: 'repos/:owner/:repo/deployments' }),
    },
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
    {
      label: 'Reports',
      href: `${base}/reports`,
      icon: 'reports',
      page: 'reports',
      keeps: true,
      shown: isDemo || hasDatabase,
    },
    {
      label: 'Alerts',
      href: `${base}/alerts`,
      icon: 'alerts',
      page: 'alerts',
      keeps: true,
      shown: isDemo || hasDatabase,
    },
    { label: 'Settings', href: '/settings', icon: 'settings', page: 'settings', keeps: true, shown: !isDemo },
    { label: 'Sign in', href: signInHref, icon: 'settings', shown: isVisitor },
    { label: 'Demo', href: '/demo', icon: 'overview', shown: isVisitor },
    { label: 'Leave the demo', href: '/', icon: 'settings', shown: isDemo },
    // Outside of the demo nobody sees its organization.
    { label: 'Documentation', href: '/docs', icon: 'docs', keeps: !isDemo },
  ];
};

export const administrationPlaces: readonly Omit<Place, 'icon'>[] = [
  { label: 'Users', href: '/admin/users', page: 'admin/users' },
  { label: 'Sessions', href: '/admin/sessions', page: 'admin/sessions' },
  { label: 'Access tokens', href: '/admin/tokens', page: 'admin/tokens' },
  { label: 'Permissions', href: '/admin/permissions', page: 'admin/permissions' },
  { label: 'Audit log', href: '/admin/audit', page: 'admin/audit' },
  { label: 'Linked accounts', href: '/admin/identity-links', page: 'admin/identity-links' },
];

/** Whether the caller may open a place. */
export const isOpen = ({ page, shown = true }: Pick<Place, 'page' | 'shown'>, { pages }: PageContext): boolean =>
  shown && (page === undefined || pages.includes(page));
