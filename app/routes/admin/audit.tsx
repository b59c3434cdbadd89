import { useLocation } from 'react-router';
import { getAudit } from '../../../server/api/admin/audit.ts';
import { panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { NewestFirstPager } from '../../components/newest-first-pager.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/audit';
import { AuditTable } from './audit-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const category = chosenCategory(pageRequest.context.url.searchParams);
  return { audit: await panel(getAudit, { ...pageRequest, extra: { category } }) };
};

const everything = 'all';

/** Everything while no category is chosen; the API itself begins with access alone. */
const chosenCategory = (query: URLSearchParams) => query.get('category') || everything;

/** What was changed, by whom and how; newest first. */
export default function AuditPage({ loaderData: { audit } }: Route.ComponentProps) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const first = withChoices(search, { before: null });
  const csv = new URLSearchParams(query);
  csv.set('category', chosenCategory(query));
  csv.delete('before');
  csv.set('format', 'csv');
  csv.set('csv_pages', 'all');
  csv.set('limit', '200');
  const isFiltered = ['actor', 'action', 'category'].some((name) => query.get(name));
  return (
    <Page title="Audit log" lead="Changes with actor, target and values. Entries are permanent and cannot be edited.">
      <FilterBar search={first} filters={filters(query)} />
      <Panel title="Entries" result={audit} retryHref={`/admin/audit${first}`}>
        {({ entries, next_before }) => (
          <>
            <AuditTable
              rows={entries}
              csvHref={`/api/admin/audit?${csv}`}
              empty={isFiltered || query.get('before') ? 'No entries match these filters.' : 'No entries yet.'}
            />
            <NewestFirstPager
              noun="entries"
              param="before"
              next={next_before}
              shown={next_before === null ? 'End of log.' : null}
            />
          </>
        )}
      </Panel>
    </Page>
  );
}

const filters = (query: URLSearchParams) => [
  {
    kind: 'links' as const,
    name: 'category',
    label: 'About',
    value: chosenCategory(query),
    options: [
      { value: everything, label: 'everything' },
      { value: 'access', label: 'access and identities' },
      { value: 'identity', label: 'identities' },
      { value: 'settings', label: 'settings' },
      { value: 'alerts', label: 'alerts' },
      { value: 'issues', label: 'issues' },
      { value: 'advisor', label: 'CI recommendations' },
    ],
  },
  { kind: 'text' as const, name: 'actor', label: 'By', value: query.get('actor'), placeholder: 'login' },
  { kind: 'text' as const, name: 'action', label: 'Action', value: query.get('action'), list: actions },
];

const actions = [
  'user.groups_replaced',
  'user.bootstrap_admin',
  'user.default_group',
  'user.invited',
  'user.invitation_accepted',
  'user.invitation_withdrawn',
  'permission.granted',
  'permission.revoked',
  'session.revoked',
  'token.created',
  'token.revoked',
  'token.all_revoked',
  'share.created',
  'share.revoked',
  'share.expired',
  'badge.created',
  'badge.revoked',
  'identity.linked',
  'identity.relinked',
  'identity.moved',
  'identity.unlinked',
  'identity.marked_distinct',
  'identity.unmarked_distinct',
  'settings.ai_saved',
  'settings.email_saved',
  'settings.sharing_saved',
  'settings.otlp_saved',
  'settings.otlp_deleted',
  'otlp.resent',
  'otlp.backfill_started',
  'otlp.backfill_cancelled',
  'settings.webhook_saved',
  'settings.webhook_deleted',
  'settings.webhook_rotated',
  'settings.team_saved',
  'settings.working_habits_saved',
  'alert.created',
  'alert.updated',
  'alert.deleted',
  'alert.tested',
  'issue.filed',
  'advisor.dismissed',
  'advisor.restored',
];
