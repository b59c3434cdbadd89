import { data, useLocation } from 'react-router';
import { findStartedSync } from '../../server/api/sync/started.ts';
import { startSync } from '../../server/api/sync/sync.ts';
import { panel, submit } from '../../server/http/adapters.ts';
import { isOffered } from '../../server/http/page-access.ts';
import { nonceContext, requestContext } from '../../server/http/router-context.ts';
import { getCollection } from '../../server/reports/data-coverage/operations.ts';
import { getStoredRuns, getTrends } from '../../server/reports/history/operations.ts';
import { getRepositories } from '../../server/reports/repositories/operations.ts';
import { getSyncProgress } from '../../server/reports/sync/operations.ts';
import { FilterBar } from '../components/filter-bar.tsx';
import { Empty } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { Panel, Section } from '../components/panel.tsx';
import type { Route } from './+types/reports';
import { hasTracker } from './repo/tracker.ts';
import { OwnerReadings } from './reports/owner-readings.tsx';
import type { ReadingsProps } from './reports/reading-state.tsx';
import { RepositoryReadings } from './reports/repository-readings.tsx';
import { StoredRuns } from './reports/stored-runs.tsx';
import { SyncForm } from './reports/sync-form.tsx';
import { getBackground } from './reports/sync-progress.tsx';
import { SyncStatus } from './reports/sync-status.tsx';
import { syncedHref } from './reports/synced-href.ts';
import { DailyTrends, QuarterlyTrends } from './reports/trend-charts.tsx';

const pageSize = 50;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const [owner, repo] = [query.get('owner'), query.get('repo')];
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
  const paging = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  const canSync = await isOffered(startSync, pageRequest.context);
  const [repositories, daily, quarterly, runs, collection, progress, started] = await Promise.all([
    panel(getRepositories, pageRequest),
    owner ? panel(getTrends, { ...pageRequest, extra: { type: repo ? 'daily' : 'org' } }) : null,
    owner && repo ? panel(getTrends, { ...pageRequest, extra: { type: 'quarterly' } }) : null,
    owner && repo ? panel(getStoredRuns, { ...pageRequest, extra: paging }) : null,
    owner ? panel(getCollection, { ...pageRequest, extra: repo ? { offset: '0' } : paging }) : null,
    canSync ? panel(getSyncProgress, { ...pageRequest, isOptional: true }) : null,
    canSync ? findStartedSync(pageRequest.context, getSyncScope(owner, repo)) : null,
  ]);
  const names = repositories.ok ? repositories.data.map(({ full_name }) => full_name).sort() : [];
  const isTracked = await hasTracker({
    context: pageRequest.context,
    params: { owner: owner ?? '', repo: repo ?? '' },
  });
  const nonce = context.get(nonceContext);
  return { owner, repo, page, daily, quarterly, runs, collection, names, canSync, started, progress, isTracked, nonce };
};

/** What the button of the page synchronizes. */
const getSyncScope = (owner: string | null, repo: string | null): Record<string, string> =>
  repo && owner ? { owner, repo } : owner ? { org: owner } : {};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = (form: FormData) => syncedHref(form, '/reports');
  const done = await submit(pageRequest, { sync: { operation: startSync, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

export default function ReportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { now, zone, hostName } = usePageContext();
  const { pathname, search } = useLocation();
  const { owner, repo, page, daily, quarterly, runs, collection, names, canSync, started, progress, isTracked, nonce } =
    loaderData;
  const isReading = started?.state === 'running' || (progress?.ok === true && getBackground(progress.data) === 'going');
  const query = new URLSearchParams(search);
  const scope = repo ? `${owner}/${repo}` : owner;
  return (
    <Page title={scope ? `Reports: ${scope}` : 'Reports'} lead="Trends from stored workflow runs.">
      <FilterBar search={search} filters={choices(query, names)} note={`Time zone: ${zone}`} />
      {canSync ? (
        <Section title="Sync" id="sync">
          <p>
            {scope
              ? `Syncs new and changed runs of ${scope} from ${hostName} with your token.`
              : 'Syncs new and changed runs of stored repositories. The first sync covers repositories you pushed to in the last 90 days.'}
          </p>
          {started?.state === 'running' ? null : (
            <SyncForm action="/reports" scope={getSyncScope(owner, repo)} submitted={actionData?.rejected} />
          )}
          <SyncStatus
            started={started}
            progress={progress?.ok ? progress.data : null}
            here={`${pathname}${search}`}
            scope={getSyncScope(owner, repo)}
            nonce={nonce}
          />
        </Section>
      ) : null}
      {daily ? (
        <Panel title="Daily" result={daily} now={now} zone={zone}>
          {(answer) => (
            <DailyTrends
              answer={answer}
              isReading={isReading}
              now={now}
              zone={zone}
              csvHref={csv('/api/db/trends', query, repo ? 'daily' : 'org')}
            />
          )}
        </Panel>
      ) : (
        <Empty cause="Choose a repository or an owner." />
      )}
      {quarterly ? (
        <Panel title="Quarterly" result={quarterly} now={now} zone={zone}>
          {(answer) => (
            <QuarterlyTrends
              answer={answer}
              isReading={isReading}
              zone={zone}
              csvHref={csv('/api/db/trends', query, 'quarterly')}
            />
          )}
        </Panel>
      ) : null}
      {collection ? (
        <Panel title="Data coverage" id="read" result={collection} now={now} zone={zone}>
          {(data) => (
            <Readings
              data={data}
              isTracked={isTracked}
              page={page}
              search={search}
              now={now}
              zone={zone}
              csvHref={csv('/api/db/collection', query)}
            />
          )}
        </Panel>
      ) : null}
      {runs ? (
        <Panel title="Stored runs" result={runs} now={now} zone={zone}>
          {(answer) => (
            <StoredRuns
              answer={answer}
              page={page}
              search={search}
              now={now}
              zone={zone}
              csvHref={csv('/api/db/runs', query)}
            />
          )}
        </Panel>
      ) : null}
    </Page>
  );
}

const Readings = (props: ReadingsProps) =>
  props.data.repo === null ? <OwnerReadings {...props} /> : <RepositoryReadings {...props} />;

const periods = ['7', '14', '30', '90', '180', '365'];

const choices = (query: URLSearchParams, names: string[]) => [
  {
    kind: 'links' as const,
    name: 'days',
    label: 'Days',
    value: query.get('days') ?? '90',
    options: periods.map((value) => ({ value, label: value })),
  },
  {
    kind: 'text' as const,
    name: 'owner',
    label: 'Owner',
    value: query.get('owner'),
    list: [...new Set(names.map((name) => name.split('/')[0] ?? ''))],
  },
  {
    kind: 'text' as const,
    name: 'repo',
    label: 'Repository (optional)',
    value: query.get('repo'),
    list: names.map((name) => name.split('/')[1] ?? ''),
  },
];

/** The same numbers as a file. */
function csv(path: string, query: URLSearchParams, type?: string): string {
  const pageRequest = new URLSearchParams(query);
  pageRequest.delete('page');
  if (type) pageRequest.set('type', type);
  pageRequest.set('format', 'csv');
  return `${path}?${pageRequest}`;
}
