import type { Window } from '../metrics/kernel/window.ts';
import type { Database } from './database.ts';
import { workflowStatements as statements } from './statements.ts';

/** Runs that were created in 24 hours of a window, by their latest attempt. */
export interface DayOutcomes {
  /** Of the window, the first one 0. */
  day: number;
  runs: number;
  passed: number;
  failed: number;
}

/** Milliseconds, and how many runs have as many. */
export interface CountedValue {
  value: number;
  count: number;
}

/** What is compared of the runs of several repositories that were created in a window. */
export function windowRuns(database: Database) {
  const toParameters = (repoIds: readonly number[], { from, to }: Window) => ({ repo_ids: repoIds, from, to });
  return {
    /** The days that have a run; a window ends with the last of so many. */
    outcomes: (repoIds: readonly number[], window: Window, days: number): Promise<DayOutcomes[]> =>
      database.run(statements.window_outcomes, { ...toParameters(repoIds, window), days }),
    /** Of the runs that passed or failed. */
    durations: (repoIds: readonly number[], window: Window): Promise<CountedValue[]> =>
      database.run(statements.window_durations, toParameters(repoIds, window)),
    waits: (repoIds: readonly number[], window: Window): Promise<CountedValue[]> =>
      database.run(statements.window_waits, toParameters(repoIds, window)),
  };
}
