import { titleOf } from '../../advisor/kinds.ts';
import type { Domain } from '../../api/wire.ts';
import { type Plan, planStates } from './plan-schema.ts';

/** Which rows of a plan are wanted; without a choice all are. */
export interface PlanFilter {
  /** Its name without the owner, in any case. */
  repository?: string | undefined;
  kind?: string | undefined;
  state?: (typeof planStates)[number] | undefined;
}

interface Filtered {
  repo: string;
  kind: string;
  state: (typeof planStates)[number];
}

export const matchesFilter = (row: Filtered, { repository, kind, state }: PlanFilter): boolean =>
  (repository === undefined || row.repo.toLowerCase() === repository.toLowerCase()) &&
  (kind === undefined || row.kind === kind) &&
  (state === undefined || row.state === state);

/** How many rows each further choice leaves, beside the other choices. */
export function countFacets(rows: readonly Filtered[], filter: PlanFilter): Domain<typeof Plan>['facets'] {
  const count = (choice: PlanFilter) => rows.filter((row) => matchesFilter(row, { ...filter, ...choice })).length;
  const repositories = [...new Set(rows.map(({ repo }) => repo))].sort((one, other) => one.localeCompare(other));
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const states = planStates.filter((value) => rows.some(({ state }) => state === value));
  return {
    repository: repositories.map((value) => ({ value, rows: count({ repository: value }) })),
    kind: kinds.map((value) => ({ value, title: titleOf(value), rows: count({ kind: value }) })),
    state: states.map((value) => ({ value, rows: count({ state: value }) })),
  };
}
