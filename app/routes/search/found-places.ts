import type { PageContext } from '../../../server/http/page-context.ts';
import { addSharedParams } from '../../components/shared-params.tsx';
import { administrationPlaces, isOpen, type Place, places } from '../frame/places.ts';
import { type SearchGroup, type SearchItem, withItems } from './groups.ts';

type Reachable = Omit<Place, 'icon'>;

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
  { label: 'API reference', href: '/docs/api' },
];

const actions: readonly Reachable[] = [
  { label: 'Why is CI slow?', href: '/ci?view=slow', page: 'ci', keeps: true },
  { label: 'What wastes money?', href: '/ci?view=waste', page: 'ci', keeps: true },
  { label: 'Sync repositories', href: '/reports#sync', page: 'reports' },
  { label: 'Create an alert rule', href: '/alerts', page: 'alerts' },
  { label: 'Invite or group users', href: '/admin/users', page: 'admin/users' },
];

/** Pages and actions that the caller may open, and without a text what was opened last. */
export function findPlaces(q: string, pageContext: PageContext, search: string): SearchGroup[] {
  const { base, hasDatabase, recent } = pageContext;
  const isDemo = base !== '';
  const pick = (all: readonly Reachable[]): SearchItem[] =>
    all
      .filter((one) => isOpen(one, pageContext) && matches(q, one.label))
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
      items: pick([...places(pageContext), ...(isDemo ? [] : [...subPages, ...administrationPlaces])]),
    },
    { label: 'Actions', items: pick(ownActions) },
  ]);
}

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
