import { metric } from '../kernel/metric.ts';
import type { CommitOutcome } from './flaky.ts';
import { getDuration, latestAttempts, type MeasuredRun } from './workflow-runs.ts';

/** Runs that were started again ÷ runs. */
export const rerunRate = metric<MeasuredRun>({
  key: 'rerun_rate',
  label: 'Re-run rate',
  unit: 'percent',
  better: 'lower',
  source: 'runs',
  definition: 'Share of runs that were re-run at least once.',
  countsAmong: (runs) => {
    const latest = new Set(latestAttempts(runs));
    return (run) => latest.has(run) || 'superseded by a later attempt of the same run';
  },
  share: ({ attempt }) => attempt > 1,
});

/** Time of attempts that failed and passed later on the same commit. */
export const flakyCost = metric<CommitOutcome>({
  key: 'flaky_cost',
  label: 'Time lost to flaky failures',
  unit: 'milliseconds',
  better: 'lower',
  source: 'flaky commits',
  definition:
    'Sum of the durations of failed attempts that passed later on the same commit, among loaded runs of at most 30 days.',
  valueWhenEmpty: 0,
  counts: (commit) => commit.flaky || 'no flaky attempts on this commit',
  value: (commits) => commits.reduce((sum, commit) => sum + computeLostTime(commit), 0),
});

/** Milliseconds of the failed attempts of a commit that passed later; those of unknown duration add nothing. */
export function computeLostTime({ failedThenPassed }: CommitOutcome): number {
  return failedThenPassed.reduce((sum, attempt) => sum + (getDuration(attempt) ?? 0), 0);
}
