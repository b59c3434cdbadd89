import { count, figures } from '../../../server/domain/quantity.ts';
import { Spark } from '../../charts/spark.tsx';
import { Badge, RunBadge, type Status } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { DefinitionLink } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { RunStrip } from '../../components/run-strip.tsx';
import type { WorkflowOverview } from '../repo/panels.ts';
import type { AttentionRow } from './repository-table.tsx';

/** Whatever has runs: a repository or a workflow; without a summary its runs could not be read. */
interface Row {
  summary: AttentionRow['summary'] | WorkflowOverview['summary'] | null;
}

interface Given<R> {
  /** Why there is no summary. */
  unread(row: R): string;
}

/** Which runs health and success rate look at. */
const branchScope = 'on the default branch, or all branches with fewer than three runs there';

/** The columns on runs that every list of things with runs has, by name, so that a list may put its own between. */
export function summaryColumns<R extends Row>({ unread }: Given<R>) {
  return {
    latest: {
      key: 'latest',
      label: 'Latest run',
      sortLabel: 'latest run',
      sort: 'desc',
      value: ({ summary }) => summary?.latest_run_at ?? null,
      isEmpty: () => false,
      cell: (row) => <Latest row={row} unread={unread} />,
    },
    health: {
      key: 'health',
      label: 'Run health',
      sortLabel: 'run health',
      explain: `60 % from the last ten runs, 40 % from the last three, ${branchScope}`,
      sort: 'asc',
      value: ({ summary }) => summary?.health.score ?? null,
      cell: ({ summary }) => (summary ? <Health health={summary.health} /> : null),
    },
    success: {
      key: 'rate',
      label: 'Success',
      sortLabel: 'success rate',
      numeric: true,
      explain: `Of the last ten runs that passed or failed, ${branchScope}`,
      sort: 'asc',
      value: ({ summary }) => summary?.success_rate ?? null,
      cell: ({ summary }) => (summary ? <Success summary={summary} /> : null),
    },
    recent: {
      key: 'recent',
      label: 'Last ten runs',
      explain: 'In any state, newest on the right',
      isEmpty: ({ summary }) => !summary?.recent_runs.length,
      cell: ({ summary }) =>
        summary ? (
          <RunStrip runs={summary.recent_runs.toReversed().map((run) => ({ ...run, at: run.created_at }))} />
        ) : null,
    },
    month: {
      key: 'trend',
      label: '30 days',
      explain: 'Completed runs per day, without days not loaded',
      isEmpty: ({ summary }) => !summary?.trend_30d.some(({ total, covered }) => covered || total > 0),
      cell: ({ summary }) =>
        summary ? (
          <Spark
            unit="count"
            kind="bars"
            label="Runs per day, last 30 days"
            values={summary.trend_30d.map(({ total, covered }) => (covered || total > 0 ? total : null))}
          />
        ) : null,
    },
  } satisfies Record<string, Column<R>>;
}

function Latest<R extends Row>({ row, unread }: Given<R> & { row: R }) {
  const { summary } = row;
  if (!summary) return <Unknown reason={unread(row)} />;
  if (!summary.latest_run_at) return <span className="muted">no runs</span>;
  return (
    <>
      <RunBadge status={summary.latest_status} conclusion={summary.latest_conclusion} />{' '}
      <Moment at={summary.latest_run_at} />
    </>
  );
}

/** As the head of the column says. */
const usualSample = 10;

/** The share of passes with the number of runs it is a share of, where those are fewer than the usual ones. */
function Success({ summary }: { summary: { success_rate: number | null; success_rate_sample: number } }) {
  const { success_rate: value, success_rate_sample: sample } = summary;
  return (
    <>
      <Measurement value={{ value, unit: 'percent', sample, reason: 'No run passed or failed.' }} />
      {value === null || sample === usualSample ? null : <span className="muted"> of {figures(sample)}</span>}
    </>
  );
}

/** The strip and the rate count different runs; both count ten. */
export const HowToRead = () => (
  <details className="source">
    <summary>How to read</summary>
    <p>
      Success <DefinitionLink metric="recent_success_rate" of="success" /> and run health{' '}
      <DefinitionLink metric="run_health" of="run health" /> use the last ten runs that passed or failed {branchScope}.
    </p>
    <p>Last ten runs: full passed, split failed, hollow running or queued, low cancelled or skipped.</p>
  </details>
);

const healths: Record<string, Status> = { good: 'pass', fair: 'warning', poor: 'fail', unknown: 'void' };

export function Health({
  health: { label, score, sample },
}: {
  health: { label: string; score: number | null; sample: number };
}) {
  return (
    <span
      title={score === null ? `Needs three runs; ${sample} so far.` : `${score} of 100, from ${count(sample, 'run')}`}
    >
      <Badge status={healths[label] ?? 'void'}>{label}</Badge>
    </span>
  );
}
