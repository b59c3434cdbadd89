import type { Repository, WorkflowRun } from '../kernel/facts.ts';
import { countMetric, type Metric, metric } from '../kernel/metric.ts';
import { mean, percent, roundTo } from '../kernel/statistics.ts';
import { conclusiveLatest, isPass } from './workflow-runs.ts';

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
  /** Repositories whose runs could not be counted: above 0 both figures are lower bounds. */
  uncountedRepos: number;
  /** Every repository weighs the same; those without a rate are excluded. 0–100. */
  avgSuccessRate: number | null;
  /** Every run weighs the same. 0–100. */
  pooledSuccessRate: number | null;
  /** Runs behind it that passed. */
  pooledPassedRuns: number;
}

/** What the runs of an organization's repositories come to, in one window. */
export function orgRuns(repositories: readonly RepositoryRuns[]): OrgRuns {
  const sum = (getAmount: (runs: RepositoryRuns) => number) =>
    repositories.reduce((total, runs) => total + getAmount(runs), 0);
  const counts = repositories.flatMap(({ totalRuns }) => totalRuns ?? []);
  const isUnknown = repositories.length > 0 && counts.length === 0;
  const passed = sum((runs) => runs.passed);
  const average = mean(repositories.flatMap(({ successRate }) => successRate ?? []));
  const pooled = percent(passed, passed + sum((runs) => runs.failed));
  return {
    activeRepositories: isUnknown ? null : counts.filter((count) => count > 0).length,
    totalRuns: isUnknown ? null : counts.reduce((total, count) => total + count, 0),
    uncountedRepos: repositories.length - counts.length,
    avgSuccessRate: average === null ? null : roundTo(average, 0),
    pooledSuccessRate: pooled === null ? null : roundTo(pooled, 0),
    pooledPassedRuns: passed,
  };
}

/** What is known of a repository's runs in the window. */
export interface RepositoryActivity {
  repository: Repository;
  /** Whether the answer looks into it; of the others the runs are known only where all are stored. */
  isListed: boolean;
  /** Whether a run was created in the window; null when that is not known. */
  hasRuns: boolean | null;
}

const pushTime = 'The time beside each is that of its last push.';

export const visibleRepositories: Metric<Repository> = countMetric({
  key: 'total_repos',
  label: 'Repositories',
  source: 'visible repositories',
  definition: `Repositories of the organization that the token can see, archived ones included. ${pushTime}`,
  counts: () => true,
});

export const activeRepositories: Metric<RepositoryActivity> = countMetric({
  key: 'active_repos',
  label: 'Active repositories',
  source: 'repositories with a run in the window',
  definition: `Repositories in which a workflow run was created in the last 30 days, excluding archived. ${pushTime}`,
  counts: ({ repository, isListed, hasRuns }) => {
    if (repository.archived) return 'archived';
    if (hasRuns === null) return isListed ? 'runs could not be counted' : 'not among those listed';
    return hasRuns || 'no run in the window';
  },
});

/** The platform's own number goes before where not all of them were read. */
export const createdRuns: Metric<WorkflowRun> = countMetric({
  key: 'total_runs',
  label: 'Workflow runs',
  source: 'loaded runs',
  definition:
    'Workflow runs of the listed repositories created in the last 30 days. The latest 100 runs per repository are loaded, and the stored ones; the rest is counted only.',
  counts: () => true,
});

/** Every run of the organization weighs the same, whichever repository it is of. */
export const pooledSuccessRate = metric<WorkflowRun>({
  key: 'pooled_success_rate',
  label: 'Success rate of the organization',
  unit: 'percent',
  better: 'higher',
  source: 'runs that passed or failed',
  definition:
    'Share of runs that passed, of those that passed or failed in the listed repositories in the last 30 days. Every run weighs the same. Covers the latest 100 runs per repository, and the stored ones.',
  countsAmong: conclusiveLatest,
  share: isPass,
});
