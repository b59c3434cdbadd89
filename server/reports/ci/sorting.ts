import type { WorkflowRow } from './report.ts';
import type { WorkflowSort } from './schema.ts';

/** What is most first; what is not known comes last, and those alike by the time that their runs took. */
export function sortWorkflows(rows: readonly WorkflowRow[], sort: WorkflowSort): WorkflowRow[] {
  if (sort === 'name') return rows.toSorted(compareNames);
  const value = fields[sort];
  return rows.toSorted(
    (a, b) => compareLargest(value(a), value(b)) || b.run_time_ms - a.run_time_ms || compareNames(a, b),
  );
}

const fields: Record<Exclude<WorkflowSort, 'name'>, (row: WorkflowRow) => number | null> = {
  cost: (row) => row.cost_per_month,
  wasted: (row) => row.wasted_per_month,
  run_time: (row) => row.run_time_ms,
  runs: (row) => row.runs,
  median: (row) => row.median_ms,
  p90: (row) => row.p90_ms,
  change: (row) => row.change_pct,
  failure_rate: (row) => row.failure_rate,
  flaky_rate: (row) => row.flaky_rate,
  queue_wait: (row) => row.queue_wait_ms,
};

function compareLargest(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

function compareNames(a: WorkflowRow, b: WorkflowRow): number {
  const [one, other] = [a, b].map(({ repo, workflow, workflow_id }) => `${repo} ${workflow ?? ''} ${workflow_id}`);
  return (one ?? '').localeCompare(other ?? '', 'en');
}
