import { lazy } from 'react';
import { data, useLocation } from 'react-router';
import { getRepositories } from '../../server/api/codehost.ts';
import { getCollection } from '../../server/api/collection.ts';
import { getStoredRuns, getSyncProgress, getTrends, syncNow } from '../../server/api/history.ts';
import { panel, submit } from '../../server/http/doors.ts';
import { isOffered } from '../../server/http/page-access.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { FilterBar } from '../components/filter-bar.tsx';
import { Empty } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Panel, Section } from '../components/panel.tsx';
import type { Route } from './+types/reports';
import { useChrome } from './chrome.ts';
import { outcomeHref, readOutcome } from './reports/outcome.ts';
import type { ReadingsProps } from './reports/reading-state.tsx';
import { StoredRuns } from './reports/stored-runs.tsx';
import { SyncForm } from './reports/sync-form.tsx';
import { DailyTrends, QuarterlyTrends } from './reports/trend-charts.tsx';
import { backgroundOf, SyncProgressLine, useReadAnew } from './sync-progress.tsx';

/** Weighs nothing for those who only look. Without a boundary around it the server waits for it too. */
const SyncOutcome = lazy(() =>
  import('./reports/sync-outcome.tsx').then((module) => ({ default: module.SyncOutcome })),
);

/** One of these two is there, never both. */
const OwnerReadings = lazy(() =>
  import('./reports/owner-readings.tsx').then((module) => ({ default: module.OwnerReadings })),
);
const RepositoryReadings = lazy(() =>
  import('./reports/repository-readings.tsx').then((module) => ({ default: module.RepositoryReadings })),
);

/** Trends can be explored by pointer, and a partial synchronization goes on by itself. */
export const handle = { scripts: true };

const pageSize = 50;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const asked = { context: context.get(requestContext), params };
  const query = asked.context.url.searchParams;
  const [owner, repo] = [query.get('owner'), query.get('repo')];
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
  const paging = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  const canSync = await isOffered(syncNow, asked.context);
  const [repositories, daily, quarterly, runs, collection, progress] = await Promise.all([
    panel(getRepositories, asked),
    owner ? panel(getTrends, { ...asked, extra: { type: repo ? 'daily' : 'org' } }) : null,
    owner && repo ? panel(getTrends, { ...asked, extra: { type: 'quarterly' } }) : null,
    owner && repo ? panel(getStoredRuns, { ...asked, extra: paging }) : null,
    owner ? panel(getCollection, { ...asked, extra: repo ? { offset: '0' } : paging }) : null,
    canSync ? panel(getSyncProgress, { ...asked, isAside: true }) : null,
  ]);
  const names = repositories.ok ? repositories.data.map(({ full_name }) => full_name).sort() : [];
  const outcome = canSync ? await readOutcome(asked.context) : null;
  return { owner, repo, page, daily, quarterly, runs, collection, names, canSync, outcome, progress };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const asked = { context: context.get(requestContext), params, request };
  const next = (form: FormData, result: object) => outcomeHref(asked.context, form, result);
  const done = await submit(asked, { sync: { operation: syncNow, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

export default function ReportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { now, zone, csrf } = useChrome();
  const { pathname, search } = useLocation();
  const { owner, repo, page, daily, quarterly, runs, collection, names, canSync, outcome, progress } = loaderData;
  const background = progress?.ok ? backgroundOf(progress.data) : 'none';
  const isReading = background === 'going';
  useReadAnew(isReading);
  const query = new URLSearchParams(search);
  const scope = repo ? `${owner}/${repo}` : owner;
  const hidden: Record<string, string> = repo && owner ? { owner, repo } : owner ? { org: owner } : {};
  return (
    <Page
      title={scope ? `Reports: ${scope}` : 'Reports'}
      lead="Workflow runs kept in the database, and what they add up to over time."
    >
      <FilterBar search={search} filters={choices(query, names)} note={`Days are cut in ${zone}`} />
      {canSync ? (
        <Section title="Synchronize" id="sync">
          <p>
            {scope
              ? `Reads new and changed runs of ${scope} from the platform with your token.`
              : 'Reads new and changed runs of the repositories that are kept already; the first time, of those you pushed to in 90 days.'}
          </p>
          <SyncForm scope={hidden} submitted={actionData?.refused} />
          {outcome ? (
            <SyncOutcome result={outcome} background={background} csrf={csrf} hidden={hidden} now={now} zone={zone} />
          ) : null}
          {progress?.ok ? <SyncProgressLine of={progress.data} zone={zone} here={`${pathname}${search}`} /> : null}
        </Section>
      ) : null}
      {daily ? (
        <Panel title="Days" of={daily} now={now} zone={zone}>
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
        <Empty cause="Choose a repository or an owner to see what is kept of it." />
      )}
      {quarterly ? (
        <Panel title="Quarters" of={quarterly} now={now} zone={zone}>
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
        <Panel title="What has been read" id="read" of={collection} now={now} zone={zone}>
          {(of) => <Readings {...{ of, page, search, now, zone, csvHref: csv('/api/db/collection', query) }} />}
        </Panel>
      ) : null}
      {runs ? (
        <Panel title="Kept runs" of={runs} now={now} zone={zone}>
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
  props.of.repo === null ? <OwnerReadings {...props} /> : <RepositoryReadings {...props} />;

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
    label: 'Repository (empty: all of the owner)',
    value: query.get('repo'),
    list: names.map((name) => name.split('/')[1] ?? ''),
  },
];

/** The same numbers as a file. */
function csv(path: string, query: URLSearchParams, type?: string): string {
  const asked = new URLSearchParams(query);
  asked.delete('page');
  if (type) asked.set('type', type);
  asked.set('format', 'csv');
  return `${path}?${asked}`;
}
