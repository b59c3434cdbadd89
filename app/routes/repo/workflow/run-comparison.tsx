import { quantity } from '../../../../server/domain/quantity.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import type { JobStats, RunJob } from './operations.ts';
import { findSlowMedians } from './slowest-runs.ts';
import { timeColumn } from './time-column.tsx';

interface JobDifference {
  name: string;
  runMs: number | null;
  medianMs: number | null;
  /** The median of the slowest sampled runs; null also where these are not set apart. */
  slowMs: number | null;
  differenceMs: number | null;
}

interface Props {
  jobs: readonly RunJob[];
  stats: JobStats;
}

/** The jobs of one run against the median of the sampled runs and of their slowest, the one that took most longer first. */
export function RunComparison({ jobs, stats }: Props) {
  const isSlowKnown = findSlowMedians(stats.waterfall) !== null;
  return (
    <DataTable
      caption="This run against the median run"
      columns={isSlowKnown ? columnsWithSlow : columns}
      rows={compareJobs(jobs, stats)}
      rowKey={({ name }) => name}
      noun="jobs"
      empty={{ cause: 'No job durations.' }}
    />
  );
}

/** One row for each name; a job that is only in one of the two has no difference. */
export function compareJobs(jobs: readonly RunJob[], { jobs: stats, waterfall }: JobStats): JobDifference[] {
  const medians = new Map(stats.map(({ name, p50_ms }) => [name, p50_ms]));
  const slow = findSlowMedians(waterfall);
  const times = new Map(jobs.map((job) => [job.name, getTime(job)]));
  return [...new Set([...times.keys(), ...medians.keys()])]
    .map((name): JobDifference => {
      const [runMs, medianMs] = [times.get(name) ?? null, medians.get(name) ?? null];
      const slowMs = slow?.get(name) ?? null;
      return {
        name,
        runMs,
        medianMs,
        slowMs,
        differenceMs: runMs === null || medianMs === null ? null : runMs - medianMs,
      };
    })
    .filter(({ runMs, medianMs }) => runMs !== null || medianMs !== null)
    .sort((a, b) => (b.differenceMs ?? Number.NEGATIVE_INFINITY) - (a.differenceMs ?? Number.NEGATIVE_INFINITY));
}

function getTime({ started_at: from, completed_at: to, conclusion }: RunJob): number | null {
  if (from === null || to === null || conclusion === 'skipped') return null;
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : null;
}

const differenceColumn: Column<JobDifference> = {
  key: 'difference',
  label: 'Difference',
  numeric: true,
  cell: ({ differenceMs: ms }) =>
    ms === null ? <span className="muted">–</span> : `${ms > 0 ? '+' : ''}${quantity(ms, 'milliseconds')}`,
};

const columns: readonly Column<JobDifference>[] = [
  { key: 'job', label: 'Job', heading: true, cell: ({ name }) => name },
  timeColumn('run', 'This run', ({ runMs }) => runMs, 'Not in this run.'),
  timeColumn('median', 'Median', ({ medianMs }) => medianMs, 'No other run has it.'),
  differenceColumn,
];

/** With what the slowest runs have in common. */
const columnsWithSlow: readonly Column<JobDifference>[] = [
  ...columns.slice(0, -1),
  timeColumn('slow', 'Median, five slowest', ({ slowMs }) => slowMs, 'Not in the five slowest runs.'),
  differenceColumn,
];
