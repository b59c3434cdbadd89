import type { ReactNode } from 'react';
import { figures, refineRate, type Unit } from '../../../server/domain/quantity.ts';
import type { Column } from '../../components/data-table.tsx';
import { Delta } from '../../components/delta.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { explainHref, repositoryParams } from '../links.ts';
import { type CiWorkflow, getWorkflowHref, getWorkflowName, type View } from './views.ts';

interface Choice {
  base: string;
  view: View;
  range: string;
  showsCost: boolean;
}

/** The columns of the question; those without a single value are left out. */
export function listColumns(rows: readonly CiWorkflow[], choice: Choice): Column<CiWorkflow>[] {
  const { base, view, showsCost } = choice;
  const shown = order[view]
    .map((key) => columns[key])
    .filter(({ key }) => showsCost || !(key === 'cost' || key === 'wasted'))
    .filter(({ value }) => rows.some((row) => value(row) !== null))
    .map(({ draw, opens, ...about }) => ({
      ...about,
      cell: (row: CiWorkflow) => draw(row, (figure) => <Opened row={row} opens={opens} figure={figure} {...choice} />),
    }));
  return [nameColumn(base, view), ...shown];
}

/** A number that opens its evidence, or the part of the workflow's page that explains it. */
function Opened({ row, opens, figure, base, range }: Choice & { row: CiWorkflow; opens: Opens; figure: ReactNode }) {
  if ('tab' in opens)
    return <SharedParamsLink href={`${getWorkflowHref(base, row, 'all')}?tab=${opens.tab}`}>{figure}</SharedParamsLink>;
  const workflow = { ...repositoryParams(row.repo), workflow_id: row.workflow_id };
  const href = explainHref(base, { metric: opens.metric, ...workflow, range });
  return <SharedParamsLink href={href}>{figure}</SharedParamsLink>;
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

type Opens = { metric: string } | { tab: string };

interface ValueColumn extends Omit<Column<CiWorkflow>, 'cell'> {
  value(row: CiWorkflow): number | null;
  opens: Opens;
  /** The cell, its figure as a link. */
  draw(row: CiWorkflow, link: (figure: ReactNode) => ReactNode): ReactNode;
}

/** A number that the server sorts by, with what it rests on below it. */
const column = (
  key: string,
  label: string,
  parts: {
    unit: Unit;
    value(row: CiWorkflow): number | null;
    opens: Opens;
    explain?: string;
    isSortable?: false;
    reason?: string | ((row: CiWorkflow) => string);
    isFloor?(row: CiWorkflow): boolean;
    below?(row: CiWorkflow): ReactNode;
  },
): ValueColumn => ({
  key,
  label,
  numeric: true,
  sort: parts.isSortable === false ? undefined : 'desc',
  value: parts.value,
  opens: parts.opens,
  explain: parts.explain,
  draw: (row, link) => {
    const value = parts.value(row);
    const reason = typeof parts.reason === 'function' ? parts.reason(row) : parts.reason;
    const quality = parts.isFloor?.(row) ? 'floor' : undefined;
    const figure = <Measurement value={{ value, unit: parts.unit, quality, reason }} />;
    if (value === null) return figure;
    const below = parts.below?.(row);
    return (
      <>
        {link(figure)}
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
  opens: { metric: 'monthly_cost' },
  below: ({ cost_sample: costed, completed_runs: completed }) =>
    costed !== null && costed < completed ? `${figures(costed)} of ${figures(completed)} completed` : null,
});

const wasted = column('wasted', 'Wasted/month', {
  unit: 'usd',
  explain: 'Spent on attempts that were superseded, cancelled in the queue, or passed on re-run',
  reason: explainCost,
  value: ({ wasted_per_month: value }) => value,
  opens: { metric: 'wasted_monthly_cost' },
});

const fewRuns = 'Fewer than ten runs in one of the periods.';
const notStored = 'Not all runs of both periods are stored.';

const change: ValueColumn = {
  key: 'change',
  label: 'Change',
  numeric: true,
  sort: 'desc',
  explain: 'Of the median duration; ten runs or more in both periods',
  value: ({ change_pct: value }) => value,
  opens: { tab: 'performance' },
  draw: ({ change_pct: by, comparable, median_verdict: verdict }, link) =>
    by === null ? (
      <Measurement value={{ value: null, unit: 'percent', reason: comparable ? fewRuns : notStored }} />
    ) : (
      link(<Delta by={by} unit="percent" better="lower" verdict={verdict} against="the compared period" />)
    ),
};

const columns = {
  cost,
  wasted,
  change,
  runs: column('runs', 'Runs', { unit: 'count', value: ({ runs }) => runs, opens: { metric: 'scope_runs' } }),
  median: column('median', 'Median', {
    unit: 'milliseconds',
    explain: 'Median duration of runs that passed or failed',
    reason: noResult,
    value: ({ median_ms: value }) => value,
    opens: { metric: 'median_duration' },
  }),
  p90: column('p90', 'p90', {
    unit: 'milliseconds',
    explain: '90th percentile of the duration of runs that passed or failed',
    reason: noResult,
    value: ({ p90_ms: value }) => value,
    opens: { metric: 'p90_duration' },
    below: ({ duration_sample: runs }) => (runs < 10 ? `n = ${figures(runs)}` : null),
  }),
  failures: column('failure_rate', 'Failure rate', {
    unit: 'percent',
    reason: noResult,
    value: ({ failure_rate: value, failed_runs: part, failure_rate_sample: of }) => refineRate(value, part, of),
    opens: { metric: 'failure_rate' },
    below: ({ failure_rate_sample: sample }) => `of ${figures(sample)}`,
  }),
  cancelled: column('cancelled', 'Cancelled', {
    unit: 'percent',
    isSortable: false,
    explain: 'Cancelled runs, of all completed runs',
    reason: 'No run has completed.',
    value: ({ cancelled_share: value, cancelled_runs: part, cancelled_share_sample: of }) =>
      refineRate(value, part, of),
    opens: { metric: 'cancelled_share' },
    below: ({ cancelled_share_sample: sample }) => `of ${figures(sample)}`,
  }),
  flaky: column('flaky_rate', 'Flaky rate', {
    unit: 'percent',
    explain: 'Commits on which an attempt failed and a later one passed; ten commits or more',
    reason: 'Fewer than ten commits.',
    value: ({ flaky_rate: value, flaky_commits: part, flaky_sample: of }) => refineRate(value, part, of),
    isFloor: ({ reruns_unread: unread }) => unread > 0,
    opens: { tab: 'reliability' },
    below: ({ flaky_sample: sample, failure_rate_sample: runs }) => (sample === runs ? null : `of ${figures(sample)}`),
  }),
  queue: column('queue_wait', 'Queue wait', {
    unit: 'milliseconds',
    explain: 'Median wait for a runner',
    reason: 'No wait is known.',
    value: ({ queue_wait_ms: value }) => value,
    opens: { metric: 'scope_queue_wait' },
  }),
  runTime: column('run_time', 'Run time', {
    unit: 'milliseconds',
    explain: 'Durations of all completed runs added up',
    value: ({ run_time_ms: value }) => value,
    opens: { metric: 'total_run_time' },
  }),
} satisfies Record<string, ValueColumn>;

const order: Record<View, readonly (keyof typeof columns)[]> = {
  all: ['cost', 'wasted', 'runs', 'median', 'p90', 'change', 'failures', 'flaky', 'queue'],
  slow: ['p90', 'median', 'change', 'queue', 'runTime', 'runs', 'failures', 'flaky', 'cost', 'wasted'],
  waste: ['wasted', 'cost', 'cancelled', 'flaky', 'failures', 'runs'],
};
