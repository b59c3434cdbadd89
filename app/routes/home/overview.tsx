import { useId } from 'react';
import { count, figures, refineRate } from '../../../server/domain/quantity.ts';
import { Hatches } from '../../charts/hatch.tsx';
import { HeatStrip, HeatStripLegend } from '../../charts/heat-strip.tsx';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { changeInPercent, Measurement } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { ReadThrough, readThrough } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { useCanSync, usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { explainHref, repositoryParams } from '../links.ts';
import type { HomePanels } from './page.tsx';

interface Props {
  result: HomePanels['overview'];
  here: string;
}

type Overview = Extract<HomePanels['overview'], { ok: true }>['data'];
type Repository = Overview['repositories'][number];

/** Repositories shown at once, so that the figures below stay visible, and on demand; the CSV has all. */
const maxShown = 8;
const maxRows = 20;

const against = { previous: 'the previous period', year: 'the same period last year', off: '' };

/** The scope in four figures, or why there are none. */
export function FiguresPanel({ result, here }: Props) {
  const { now, zone } = usePageContext();
  if (result.ok && result.data.repos_included > 0) return <Figures data={result.data} />;
  if (result.ok) return <NothingSynced />;
  return (
    <Panel title="Key figures" result={result} now={now} zone={zone} retryHref={here}>
      {() => null}
    </Panel>
  );
}

function NothingSynced() {
  return (
    <Section title="Key figures">
      <Empty
        cause="No workflow runs are stored yet. Sync a repository to see failure rate, duration and merges here."
        next={useCanSync() ? { label: 'Choose repositories to sync', href: '/reports' } : undefined}
      />
    </Section>
  );
}

function Figures({ data }: { data: Overview }) {
  const { base, now, zone } = usePageContext();
  const { figures: values, org, range, compare, repos_included: included } = data;
  const evidence = (metric: string) => explainHref(base, { metric, org, range });
  const change = (by: number | null, unit: 'percent' | 'points', better: 'lower' | 'neither' = 'lower') =>
    compare === 'off' ? undefined : { by, unit, better, against: against[compare] };
  const [runsMissing, mergesMissing] = [
    data.partial_reasons.includes('runs_end_missing'),
    data.partial_reasons.includes('pull_requests_end_missing'),
  ];
  const { synced_through: synced, pull_requests_through: mergesThrough } = data;
  const isUnread = values.failed_runs === null;
  const runs = {
    source: 'runs',
    reason: isUnread ? readThrough(synced, zone) : 'No run passed or failed.',
  };
  const runsNote = runsMissing && !isUnread ? <ReadThrough at={synced} now={now} zone={zone} /> : undefined;
  const covered = values.repos_with_pull_requests;
  const merges = {
    reason:
      covered > 0
        ? 'Nothing was merged.'
        : mergesMissing
          ? readThrough(mergesThrough, zone)
          : 'Pull requests are not synced yet.',
    quality: covered < included || mergesMissing ? ('floor' as const) : undefined,
  };
  const mergesNote =
    mergesMissing && covered > 0 ? <ReadThrough at={mergesThrough} now={now} zone={zone} /> : undefined;
  const coverage = { read: covered, total: included, one: 'repository', many: 'repositories' };
  return (
    <MetricCards>
      <MetricCard
        label="Failure rate"
        value={{
          value: refineRate(values.failure_rate, values.failed_runs, values.failure_rate_sample),
          unit: 'percent',
          sample: values.failure_rate_sample,
          ...runs,
        }}
        change={change(values.failure_rate_change, 'points')}
        trend={{
          values: data.failure_rates.slice(-30),
          label: 'Failure rate per day, 30 days',
          unit: 'percent',
          kind: 'bars',
        }}
        evidenceHref={evidence('failure_rate')}
        note={runsNote}
      />
      <MetricCard
        label="Median run duration"
        value={{ value: values.median_ms, unit: 'milliseconds', sample: values.duration_sample, ...runs }}
        change={change(values.change_pct, 'percent')}
        evidenceHref={evidence('median_duration')}
        note={runsNote}
      />
      <MetricCard
        label="Merged pull requests"
        value={{ value: values.prs_merged, unit: 'count', ...merges }}
        change={change(changeInPercent(values.prs_merged, values.prs_merged_before), 'percent', 'neither')}
        coverage={covered < included ? coverage : undefined}
        evidenceHref={evidence('scope_prs_merged')}
        note={mergesNote}
      />
      <MetricCard
        label="Median time to merge"
        value={{
          value: values.median_hours_to_merge,
          unit: 'hours',
          // Of what was never synced, 0 is not known to be the number.
          sample: covered > 0 ? values.merge_sample : null,
          reason: merges.reason,
        }}
        change={change(changeInPercent(values.median_hours_to_merge, values.median_hours_to_merge_before), 'percent')}
        coverage={covered < included ? coverage : undefined}
        evidenceHref={evidence('scope_hours_to_merge')}
        note={mergesNote}
      />
    </MetricCards>
  );
}

/** Every repository as one row of 90 days. */
export function HistoryPanel({ result, here }: Props) {
  const { base, now, pages, zone } = usePageContext();
  if (!result.ok || result.data.repos_included === 0) return null;
  const { org, repos_included: included, repos_visible: visible, partial_reasons: reasons } = result.data;
  const partial = reasons.some((reason) => reason.startsWith('runs'));
  const owner = pages.includes('org/:org') ? findOnlyOwner(result.data.repositories) : null;
  const csvHref = base ? undefined : `/api/db/overview?${new URLSearchParams({ ...(org && { org }), format: 'csv' })}`;
  return (
    <Panel
      title="CI by repository, 90 days"
      result={result}
      now={now}
      zone={zone}
      retryHref={here}
      aside={owner && org === null ? <a href={`${base}/org/${owner}`}>Organization report</a> : null}
    >
      {(data) => (
        <>
          <Strips data={data} csvHref={csvHref} />
          <p className="source">
            {visible === null
              ? count(included, 'repository', 'repositories')
              : `${figures(included)} of ${count(visible, 'repository', 'repositories')}`}{' '}
            synced{partial ? ', partial data' : ''}.{' '}
            {base ? null : <DataCoverageLink scope={org === null ? null : { owner: org, repo: null }} />}
          </p>
        </>
      )}
    </Panel>
  );
}

/** Whom all of these repositories belong to; null for more than one. */
function findOnlyOwner(repositories: readonly Repository[]): string | null {
  const owners = new Set(repositories.map(({ repo }) => repositoryParams(repo).owner));
  return owners.size === 1 ? ([...owners][0] ?? null) : null;
}

function Strips({ data, csvHref }: { data: Overview; csvHref: string | undefined }) {
  const { base } = usePageContext();
  const id = useId();
  const rows = data.repositories.slice(0, maxRows);
  const more = rows.slice(maxShown);
  const table = {
    captionHidden: true,
    columns: columns(base, id),
    rowKey: ({ repo }: Repository) => repo,
    noun: 'repositories',
  };
  const hasGaps = rows.some(({ days }) => days.includes(null));
  return (
    <>
      <svg width="0" height="0" aria-hidden="true" className="defs">
        <Hatches id={id} />
      </svg>
      <HeatStripLegend id={id} hasGaps={hasGaps} />
      <DataTable
        caption="CI by repository, 90 days"
        {...table}
        rows={rows.slice(0, maxShown)}
        total={data.repositories.length}
        csvHref={csvHref}
      />
      {more.length > 0 ? (
        <details>
          <summary>{`${figures(more.length)} more`}</summary>
          <DataTable caption="More repositories, 90 days" {...table} rows={more} />
        </details>
      ) : null}
    </>
  );
}

const columns = (base: string, id: string): Column<Repository>[] => [
  {
    key: 'repo',
    label: 'Repository',
    heading: true,
    cell: ({ repo }) => <a href={`${base}/repos/${repo}`}>{repo}</a>,
  },
  {
    key: 'days',
    label: 'Failed runs per day',
    cell: ({ repo, days }) => <HeatStrip days={days} label={repo} id={id} />,
  },
  {
    key: 'rate',
    label: 'Failure rate',
    numeric: true,
    cell: ({ failure_rate: answered, passed, failed }) => (
      <Measurement
        value={{
          value: refineRate(answered, failed, passed + failed),
          unit: 'percent',
          reason: 'No run passed or failed.',
        }}
      />
    ),
  },
  { key: 'runs', label: 'Runs', numeric: true, value: ({ runs }) => runs, unit: 'count' },
];
