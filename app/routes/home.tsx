import { data, useLocation } from 'react-router';
import type { Context } from '../../server/access/context.ts';
import { getAlerts } from '../../server/alerts/operations/list.ts';
import { syncNow } from '../../server/api/sync/sync.ts';
import { loadPanels, panel, submit } from '../../server/http/adapters.ts';
import { getAlertStatus } from '../../server/http/alert-status.ts';
import { isOffered } from '../../server/http/page-access.ts';
import { nonceContext, requestContext } from '../../server/http/router-context.ts';
import { getRepositoryAttention } from '../../server/reports/attention/operations.ts';
import { getTrends } from '../../server/reports/history/operations.ts';
import { getOrganizations } from '../../server/reports/repositories/operations.ts';
import { getSyncProgress } from '../../server/reports/sync/operations.ts';
import { withChoices } from '../components/choices.ts';
import { FilterBar } from '../components/filter-bar.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Pager } from '../components/pager.tsx';
import { Panel } from '../components/panel.tsx';
import { ReloadWhenSeen } from '../components/reload-when-seen.tsx';
import type { Route } from './+types/home';
import { OpenAlerts } from './alerts/open-alerts.tsx';
import { outcomeHref, readOutcome } from './reports/outcome.ts';
import { SyncForm } from './reports/sync-form.tsx';
import { isGoingOn, SyncProgressLine } from './reports/sync-progress.tsx';
import { SyncSummary } from './reports/sync-summary.tsx';
import { type AttentionData, RepositoryTable } from './tables/repository-table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const [shown, alerts, canSync, reading] = await Promise.all([
    loadPanels(pageRequest, { repositories: getRepositoryAttention, organizations: getOrganizations }),
    alertsFor(pageRequest),
    maySync(pageRequest.context),
    getActiveSync(pageRequest),
  ]);
  const outcome = canSync ? await readOutcome(pageRequest.context) : null;
  return { ...shown, alerts, canSync, outcome, reading, nonce: context.get(nonceContext) };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = async (form: FormData, result: object) =>
    outcomeHref(
      pageRequest.context,
      form,
      result,
      (await isOffered(getTrends, pageRequest.context)) ? '/reports' : '/',
    );
  const done = await submit(pageRequest, { sync: { operation: syncNow, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** Whether the reader may start a synchronization. */
const maySync = async (context: Context) =>
  !context.isDemo && context.services.store !== null && (await isOffered(syncNow, context));

/** The history that is being read just now; null when none is. */
async function getActiveSync(pageRequest: Pick<Parameters<typeof panel>[1], 'context' | 'params'>) {
  const { isDemo, services, url } = pageRequest.context;
  if (isDemo || !services.store || !(await isOffered(getSyncProgress, pageRequest.context))) return null;
  const extra = { owner: url.searchParams.get('org') || undefined, repo: undefined };
  const progress = await panel(getSyncProgress, { ...pageRequest, extra, isOptional: true });
  return progress.ok && isGoingOn(progress.data) ? progress.data : null;
}

/** What alerts ask of the reader; null where there can be none, or they do not want to see them. */
async function alertsFor(pageRequest: Pick<Parameters<typeof panel>[1], 'context' | 'params'>) {
  const { isDemo, services } = pageRequest.context;
  if (isDemo || !services.store || !(await isOffered(getAlerts, pageRequest.context))) return null;
  const extra = { events: '1', scope: undefined };
  return getAlertStatus(await panel(getAlerts, { ...pageRequest, extra, isOptional: true }), services.clock.now());
}

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { repositories, organizations, alerts, canSync, outcome, reading, nonce } = loaderData;
  const { now, zone, base, pages, signInHref } = usePageContext();
  const { search } = useLocation();
  const here = `${base || '/'}${search}`;
  const query = new URLSearchParams(search);
  const org = query.get('org');
  const isDemo = base !== '';
  const shown = org ?? (isDemo && repositories.ok ? repositories.data.items[0]?.repository.owner : null);
  return (
    <Page
      title={org ? `Repositories of ${org}` : 'Repositories'}
      actions={
        <>
          {shown && pages.includes('org/:org') ? <a href={`${base}/org/${shown}`}>Overview of {shown}</a> : null}
          {canSync ? (
            <SyncForm action={getAction(org)} scope={org ? { org } : {}} submitted={actionData?.rejected} />
          ) : null}
        </>
      }
      lead="What needs attention first: failing branches, then slower workflows, then the latest pushes, then the rest."
      note={
        isDemo ? (
          <Notice title="Sample data.">
            An invented organization. Nothing here comes from the platform.{' '}
            <a href={signInHref}>Sign in to see your own</a>
          </Notice>
        ) : null
      }
    >
      {outcome ? <SyncSummary result={outcome} background={reading ? 'going' : 'none'} /> : null}
      {alerts ? <OpenAlerts status={alerts} /> : null}
      {reading ? (
        <>
          <SyncProgressLine progress={reading} zone={zone} here={here} />
          <ReloadWhenSeen afterMs={15_000} nonce={nonce} />
        </>
      ) : null}
      {isDemo ? null : <Owners organizations={organizations} org={org} search={search} />}
      <Panel
        title="Needs attention"
        result={repositories}
        now={now}
        zone={zone}
        whenPartial="Some repositories could not be read in full. Rows say which."
        retryHref={here}
      >
        {(data) => (
          <>
            <FilterBar search={search} filters={filters(data, query)} />
            <RepositoryTable data={data} base={base} now={now} zone={zone} filtered={data.total < data.all} />
            <Pager
              from={data.total === 0 ? 1 : (data.page - 1) * data.per_page + 1}
              to={Math.min(data.page * data.per_page, data.total)}
              total={data.total}
              noun="repositories"
              previousHref={data.page > 1 ? withChoices(search, { page: data.page - 1 }) : null}
              nextHref={data.page < data.pages ? withChoices(search, { page: data.page + 1 }) : null}
            />
          </>
        )}
      </Panel>
    </Page>
  );
}

/** Without `index` a form of this address would be its layout's. */
const getAction = (org: string | null) => (org ? `/?index&${new URLSearchParams({ org })}` : '/?index');

const filters = (data: AttentionData, query: URLSearchParams) => [
  { kind: 'search' as const, name: 'q', label: 'Search', value: query.get('q'), placeholder: 'name or description' },
  {
    kind: 'select' as const,
    name: 'visibility',
    label: 'Visibility',
    value: query.get('visibility'),
    options: [
      { value: '', label: 'All' },
      { value: 'public', label: 'Public' },
      { value: 'private', label: 'Private' },
    ],
  },
  {
    kind: 'select' as const,
    name: 'language',
    label: 'Language',
    value: query.get('language'),
    options: [{ value: '', label: 'All' }, ...data.languages.map((value) => ({ value, label: value }))],
  },
];

type Organizations = Route.ComponentProps['loaderData']['organizations'];

/** Whose repositories are listed: everything the token sees, or one organization. */
function Owners(props: { organizations: Organizations; org: string | null; search: string }) {
  const { organizations, org, search } = props;
  const names = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  return (
    <FilterBar
      label="Owner"
      search={search}
      filters={[
        {
          kind: 'links',
          name: 'org',
          label: 'Owner',
          value: org ?? '',
          options: [{ value: '', label: 'All I can see' }, ...names.map((value) => ({ value, label: value }))],
        },
        { kind: 'text', name: 'org', label: 'Organization by name', value: org && !names.includes(org) ? org : null },
      ]}
      note={organizations.ok ? null : `Organizations could not be listed: ${organizations.problem.error}`}
    />
  );
}
