import type { WorkflowRun } from './facts.ts';
import { metric } from './metric.ts';
import { outcomeOf } from './outcome.ts';
import { mean, percent, percentOf, roundTo } from './statistics.ts';
import { conclusiveLatest } from './workflow-runs.ts';

/** What is known of the runs of one repository. */
export interface RepositoryRuns {
  /** 0–100; null without a run that passed or failed. */
  successRate: number | null;
  /** Of the same window as `totalRuns`. */
  passed: number;
  failed: number;
  /** Runs created in the window; null when they could not be counted. */
  totalRuns: number | null;
}

export interface OrgRuns {
  /** Repositories with a run in the window; null when none of them could be counted. */
  activeRepositories: number | null;
  /** Runs created in the window; null when the runs of no repository could be counted. */
  totalRuns: number | null;
  /** Repositories whose runs could not be counted: above 0 both figures say "at least". */
  uncounted: number;
  /** Every repository weighs the same; those without a rate are left out. 0–100. */
  avgSuccessRate: number | null;
  /** Every run weighs the same. 0–100. */
  pooledSuccessRate: number | null;
}

/** What the runs of an organization's repositories come to, in one window. */
export function orgRuns(repositories: readonly RepositoryRuns[]): OrgRuns {
  const sum = (amountOf: (runs: RepositoryRuns) => number) =>
    repositories.reduce((total, runs) => total + amountOf(runs), 0);
  const counts = repositories.flatMap(({ totalRuns }) => totalRuns ?? []);
  const isUnknown = repositories.length > 0 && counts.length === 0;
  const passed = sum((runs) => runs.passed);
  const average = mean(repositories.flatMap(({ successRate }) => successRate ?? []));
  const pooled = percent(passed, passed + sum((runs) => runs.failed));
  return {
    activeRepositories: isUnknown ? null : counts.filter((count) => count > 0).length,
    totalRuns: isUnknown ? null : counts.reduce((total, count) => total + count, 0),
    uncounted: repositories.length - counts.length,
    avgSuccessRate: average === null ? null : roundTo(average, 0),
    pooledSuccessRate: pooled === null ? null : roundTo(pooled, 0),
  };
}

/** Every run of the organization weighs the same, whichever repository it is of. */
export const pooledSuccessRate = metric<WorkflowRun>({
  key: 'pooled_success_rate',
  label: 'Success rate of the organization',
  unit: 'percent',
  better: 'higher',
  source: 'runs that passed or failed',
  definition:
    'Runs of the listed repositories in the last 30 days that passed, of those that passed or failed. Every run weighs the same. Of a repository with more than a page of runs the newest 100 count.',
  countsAmong: conclusiveLatest,
  value: (runs) => percentOf(runs, (run) => outcomeOf(run) === 'pass'),
});
