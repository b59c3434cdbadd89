import type { ReactNode } from 'react';
import { figures, refineRate, type Unit } from '../../../server/domain/quantity.ts';
import type { Column } from '../../components/data-table.tsx';
import { Delta } from '../../components/delta.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { type CiWorkflow, getWorkflowHref, getWorkflowName, type View } from './views.ts';

interface Choice {
  base: string;
  view: View;
  showsCost: boolean;
}

/** The columns of the question first, then the others; those without a single value are left out. */
export function listColumns(rows: readonly CiWorkflow[], { base, view, showsCost }: Choice): Column<CiWorkflow>[] {
  const shown = order[view]
    .map((key) => columns[key])
    .filter(({ key }) => showsCost || !(key === 'cost' || key === 'wasted'))
    .filter(({ value }) => rows.some((row) => value(row) !== null));
  return [nameColumn(base, view), ...shown];
}

const nameColumn = (base: string, view: View): Column<CiWorkflow> => ({
  key: 'name',
  label: 'Workflow',
  heading: true,
  sort: 'asc',
  cell: (workflow) => (
    <>
      <SharedParamsLink href={getWorkflowHref(base, workflow, view)}>{getWorkflowName(workflow)}</SharedParamsLink>
      <span className="sub muted">
        {workflow.repo}
        {workflow.partial ? ' · partial data' : null}
      </span>
    </>
  ),
});

interface ValueColumn extends Column<CiWorkflow> {
  value(row: CiWorkflow): number | null;
}

/** A number that the server sorts by, with what it rests on below it. */
const column = (
  key: string,
  label: string,
  parts: {
    unit: Unit;
    value(row: CiWorkflow): number | null;
    explain?: string;
    isSortable?: false;
    reason?: string | ((row: CiWorkflow) => string);
    below?(row: CiWorkflow): ReactNode;
  },
): ValueColumn => ({
  key,
  label,
  numeric: true,
  sort: parts.isSortable === false ? undefined : 'desc',
  value: parts.value,
  explain: parts.explain,
  cell: (row) => {
    const below = parts.value(row) === null ? null : parts.below?.(row);
    const reason = typeof parts.reason === 'function' ? parts.reason(row) : parts.reason;
    return (
      <>
        <Measurement value={{ value: parts.value(row), unit: parts.unit, reason }} />
        {below ? <span className="sub muted">{below}</span> : null}
      </>
    );
  },
});

const noResult = 'No run passed or failed.';
const explainCost = ({ cost_sample: costed }: CiWorkflow) =>
  costed ? 'No job has a known price.' : 'No job data yet.';

const cost = column('cost', 'Cost/month', {
  unit: 'usd',
  explain: 'Estimated from stored jobs at list prices, for 30 days',
  reason: explainCost,
  value: ({ cost_per_month: value }) => value,
  below: ({ cost_sample: costed, completed_runs: completed }) =>
    costed !== null && costed < completed ? `${figures(costed)} of ${figures(completed)} runs` : null,
});

const wasted = column('wasted', 'Wasted/month', {
  unit: 'usd',
  explain: 'Spent on attempts that were superseded, cancelled in the queue, or passed on re-run',
  reason: explainCost,
  value: ({ wasted_per_month: value }) => value,
});

const change: ValueColumn = {
  key: 'change',
  label: 'Change',
  numeric: true,
  sort: 'desc',
  explain: 'Of the median duration; ten runs or more in both periods',
  value: ({ change_pct: value }) => value,
  cell: ({ change_pct: by }) =>
    by === null ? (
      <Measurement value={{ value: null, unit: 'percent', reason: 'Fewer than ten runs in one of the periods.' }} />
    ) : (
      <Delta by={by} unit="percent" better="lower" against="the period it is compared with" />
    ),
};

const columns = {
  cost,
  wasted,
  change,
  runs: column('runs', 'Runs', { unit: 'count', value: ({ runs }) => runs }),
  median: column('median', 'Median', {
    unit: 'milliseconds',
    explain: 'Median duration of runs that passed or failed',
    reason: noResult,
    value: ({ median_ms: value }) => value,
  }),
  p90: column('p90', 'p90', {
    unit: 'milliseconds',
    explain: '90th percentile of the duration of runs that passed or failed',
    reason: noResult,
    value: ({ p90_ms: value }) => value,
    below: ({ duration_sample: runs }) => (runs < 10 ? `n = ${figures(runs)}` : null),
  }),
  failures: column('failure_rate', 'Failure rate', {
    unit: 'percent',
    reason: noResult,
    value: ({ failure_rate: value, failed_runs: part, failure_rate_sample: of }) => refineRate(value, part, of),
    below: ({ failure_rate_sample: sample }) => `of ${figures(sample)}`,
  }),
  cancelled: column('cancelled', 'Cancelled', {
    unit: 'percent',
    isSortable: false,
    explain: 'Cancelled runs, of all completed runs',
    reason: 'No run has completed.',
    value: ({ cancelled_share: value, cancelled_runs: part, cancelled_share_sample: of }) =>
      refineRate(value, part, of),
    below: ({ cancelled_share_sample: sample }) => `of ${figures(sample)}`,
  }),
  flaky: column('flaky_rate', 'Flaky rate', {
    unit: 'percent',
    explain: 'Commits on which an attempt failed and a later one passed; ten commits or more',
    reason: 'Fewer than ten commits.',
    value: ({ flaky_rate: value, flaky_commits: part, flaky_sample: of }) => refineRate(value, part, of),
    below: ({ flaky_sample: sample, failure_rate_sample: runs }) => (sample === runs ? null : `of ${figures(sample)}`),
  }),
  queue: column('queue_wait', 'Queue wait', {
    unit: 'milliseconds',
    explain: 'Median wait for a runner',
    reason: 'No wait is known.',
    value: ({ queue_wait_ms: value }) => value,
  }),
  runTime: column('run_time', 'Run time', {
    unit: 'milliseconds',
    explain: 'Durations of all completed runs added up',
    value: ({ run_time_ms: value }) => value,
  }),
} satisfies Record<string, ValueColumn>;

const order: Record<View, readonly (keyof typeof columns)[]> = {
  all: ['cost', 'wasted', 'runs', 'median', 'p90', 'change', 'failures', 'flaky', 'queue'],
  slow: ['p90', 'median', 'change', 'queue', 'runTime', 'runs', 'failures', 'flaky', 'cost', 'wasted'],
  waste: ['wasted', 'cost', 'cancelled', 'flaky', 'failures', 'runs', 'median', 'p90', 'change'],
};
