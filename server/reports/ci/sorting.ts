import type { WorkflowRow } from './report.ts';
import type { WorkflowSort } from './schema.ts';

/** What is most first; what is not known comes last, and those alike by the time that their runs took. */
export function sortWorkflows(rows: readonly WorkflowRow[], sort: WorkflowSort): WorkflowRow[] {
  if (sort === 'name') return rows.toSorted(compareNames);
  const value = fields[sort];
  return rows.toSorted((a, b) => compareLargest(value(a), value(b)) || b.runTimeMs - a.runTimeMs || compareNames(a, b));
}

const fields: Record<Exclude<WorkflowSort, 'name'>, (row: WorkflowRow) => number | null> = {
  cost: (row) => row.costPerMonth,
  wasted: (row) => row.wastedPerMonth,
  run_time: (row) => row.runTimeMs,
  runs: (row) => row.runs,
  median: (row) => row.medianMs,
  p90: (row) => row.p90Ms,
  change: (row) => row.changePct,
  failure_rate: (row) => row.failureRate,
  flaky_rate: (row) => row.flakyRate,
  queue_wait: (row) => row.queueWaitMs,
};

function compareLargest(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

function compareNames(a: WorkflowRow, b: WorkflowRow): number {
  const [one, other] = [a, b].map(({ repo, workflow, workflowId }) => `${repo} ${workflow ?? ''} ${workflowId}`);
  return (one ?? '').localeCompare(other ?? '', 'en');
}
