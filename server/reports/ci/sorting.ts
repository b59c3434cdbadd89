import { hasName } from '../../domain/name-filter.ts';
import type { WorkflowRow } from './report.ts';
import type { SortDirection, WorkflowSort } from './schema.ts';

/** Which rows have a part of their name, or of their repository's. */
export const isNamed =
  (q: string | undefined) =>
  ({ repo, workflow, workflowId }: WorkflowRow): boolean =>
    hasName([repo, workflow ?? `Workflow ${workflowId}`], q);

/** Names from A on, of all else what is most first. */
export const usualDirection = (sort: WorkflowSort): SortDirection => (sort === 'name' ? 'asc' : 'desc');

/** What is not known comes last, whichever way; those alike by the time that their runs took. */
export function sortWorkflows(
  rows: readonly WorkflowRow[],
  sort: WorkflowSort,
  direction: SortDirection,
): WorkflowRow[] {
  const sign = direction === 'asc' ? 1 : -1;
  if (sort === 'name') return rows.toSorted((a, b) => sign * compareNames(a, b));
  const value = fields[sort];
  return rows.toSorted(
    (a, b) => compareKnown(value(a), value(b), sign) || b.runTimeMs - a.runTimeMs || compareNames(a, b),
  );
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

function compareKnown(a: number | null, b: number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a - b);
}

function compareNames(a: WorkflowRow, b: WorkflowRow): number {
  const [one, other] = [a, b].map(({ repo, workflow, workflowId }) => `${repo} ${workflow ?? ''} ${workflowId}`);
  return (one ?? '').localeCompare(other ?? '', 'en');
}
