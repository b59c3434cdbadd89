import type { PagePath } from '../../../server/http/page-access.ts';
import type { PageContext } from '../../../server/http/page-context.ts';
import type { PageLink } from '../../components/page.tsx';
import { addSharedParams } from '../../components/shared-params.tsx';
import { administrationPlaces, isOpen, type Place, places } from '../frame/places.ts';
import { findScope, listOwners } from '../frame/scope.ts';
import { listOrganizationPages } from '../org/tabs.ts';
import { listRepositoryPages } from '../repo/tabs.ts';
import { type SearchGroup, type SearchItem, withItems } from './groups.ts';

interface Reachable extends Omit<Place, 'icon'> {
  /** A page whose rule the action has besides. */
  needs?: PagePath;
}

/** Pages below a section, and what can be done. */
const subPages: readonly Reachable[] = [
  { label: 'Sessions and account', href: '/settings/session', page: 'settings/session' },
  { label: 'Access tokens', href: '/settings/tokens', page: 'settings/tokens' },
  { label: 'Badges and links', href: '/settings/shares', page: 'settings/shares' },
  { label: 'Team workday', href: '/settings/team', page: 'settings/team' },
  { label: 'Working-habits thresholds', href: '/settings/working-habits', page: 'settings/working-habits' },
  { label: 'AI settings', href: '/settings/ai', page: 'settings/ai' },
  { label: 'Email settings', href: '/settings/email', page: 'settings/email' },
  { label: 'Traces (OTLP)', href: '/settings/telemetry', page: 'settings/telemetry' },
  { label: 'Outgoing webhooks', href: '/settings/webhooks', page: 'settings/webhooks' },
  { label: 'CI recommendations, settings', href: '/settings/advisor', page: 'settings/advisor' },
  {
    label: 'AI-authored pull requests, settings',
    href: '/settings/ai-authorship',
    page: 'settings/ai-authorship',
  },
  { label: 'Who may share', href: '/settings/sharing', page: 'settings/sharing' },
  { label: 'Jobs', href: '/settings/jobs', page: 'settings/jobs' },
];

const actions: readonly Reachable[] = [
  { label: 'Why is CI slow?', href: '/ci?view=slow', page: 'ci', keeps: true },
  { label: 'What wastes money?', href: '/ci?view=waste', page: 'ci', keeps: true },
  { label: 'Sync repositories', href: '/reports#sync', page: 'reports' },
  // For administrators, as the settings of email are.
  { label: 'Create an alert rule', href: '/alerts#new', page: 'alerts', needs: 'settings/email', keeps: true },
  { label: 'Add a webhook endpoint', href: '/settings/webhooks', page: 'settings/webhooks', keeps: true },
  { label: 'Create an access token', href: '/settings/tokens', page: 'settings/tokens', keeps: true },
  { label: 'Invite or group users', href: '/admin/users', page: 'admin/users' },
];

/** Pages and actions that the caller may open, chapters of the docs, and without a text what was opened last. */
export function findPlaces(
  q: string,
  pageContext: PageContext,
  search: string,
  chapters: readonly PageLink[] = [],
): SearchGroup[] {
  const { base, hasDatabase, pages, recent } = pageContext;
  const isDemo = base !== '';
  const pick = (all: readonly Reachable[]): SearchItem[] =>
    all
      .filter((one) => isOpen(one, pageContext) && matches(q, one.label))
      .filter(({ needs }) => needs === undefined || pages.includes(needs))
      .map(({ label, href, keeps }) => ({ label, href: keeps ? addSharedParams(href, search) : href }));
  const ownActions = actions
    .filter(({ page }) => (isDemo ? page === 'ci' : hasDatabase || page === 'admin/users'))
    .map((one) => ({ ...one, href: `${base}${one.href}` }));
  const opened =
    q === '' ? recent.map((name) => ({ label: name, href: addSharedParams(`/repos/${name}`, search) })) : [];
  return withItems([
    { label: 'Saved views', items: findViews(q, pageContext) },
    { label: 'Recently opened', items: opened },
    {
      label: 'Pages',
      items: pick([...places(pageContext), ...(isDemo ? [] : [...keeping(subPages), ...administrationPlaces])]),
    },
    { label: 'Actions', items: pick(ownActions) },
    ...listScopePages(pageContext, search).map(({ label, items }) => ({ label, items: pick(items) })),
    { label: 'Documentation', items: pick(isDemo ? chapters : keeping(chapters)) },
  ]);
}

/** The pages of the repository that was looked at, and of its organization or the only one. */
function listScopePages(pageContext: PageContext, search: string): { label: string; items: Reachable[] }[] {
  const { owner, repo } = findScope('', search);
  const [first, ...others] = listOwners(pageContext, { owner, repo });
  const org = owner ?? (others.length === 0 ? first : undefined);
  // Whether the repository has a tracker is not known here; sections of the rail take the organization along.
  const known = repo === null ? [] : listRepositoryPages(repo, pageContext).filter(({ label }) => label !== 'Issues');
  const below = org === undefined ? [] : listOrganizationPages(org, pageContext);
  const own = below.filter(({ label }) => label !== 'Team' && label !== 'Security');
  return [
    { label: `Pages of ${repo}`, items: known },
    { label: `Pages of ${org}`, items: own },
  ].map(({ label, items }) => ({ label, items: keeping(items) }));
}

const keeping = (all: readonly Reachable[]): Reachable[] => all.map((one) => ({ ...one, keeps: true }));

const findViews = (q: string, { views }: PageContext): SearchItem[] =>
  views
    .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    .map(({ name, address }) => ({ label: name, href: address }));

/** Every word of the text begins a word of the label. */
function matches(q: string, label: string): boolean {
  const words = label.toLowerCase().split(/[\s-]+/);
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
}
