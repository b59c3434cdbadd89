import type { WorkflowRun } from '../kernel/facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import { isDefaultBranchRun, isPass, latestAttempts, newestConclusive, newestFirst } from './workflow-runs.ts';

export interface RunHealth {
  label: 'good' | 'fair' | 'poor' | 'unknown';
  /** 0–100; null under three conclusive runs. */
  score: number | null;
  sample: number;
}

/** The one health of a workflow or repository, from its newest runs. */
export function computeRunHealth(runs: readonly WorkflowRun[], defaultBranch: string | null): RunHealth {
  const { value: score, sample } = runHealth(defaultBranch)(runs);
  return { label: healthLabel(score), score, sample };
}

/** Success rate of the newest ten conclusive runs of the default branch; of all branches as in the health. */
export function recentSuccessRate(defaultBranch: string | null): Metric<WorkflowRun> {
  return metric<WorkflowRun>({
    key: 'recent_success_rate',
    label: 'Recent success rate',
    unit: 'percent',
    better: 'higher',
    source,
    definition: `Share of runs that passed, of the newest ten that passed or failed. ${scope}`,
    countsAmong: (runs) => countsFor(runs, defaultBranch),
    share: isPass,
  });
}

/**
 * 0.6 · pass share of the newest ten + 0.4 · pass share of the newest three conclusive runs of the default branch; of
 * all branches when the default branch has fewer than three.
 */
export function runHealth(defaultBranch: string | null): Metric<WorkflowRun> {
  return metric<WorkflowRun>({
    key: 'run_health',
    label: 'Run health',
    unit: 'score',
    better: 'higher',
    source,
    definition: `Score of recent runs: 60 % from the share of passes among the newest ten, 40 % among the newest three. ${scope}`,
    levels: 'Good: 80 and more. Fair: 60 and more. Poor: less.',
    minSample: minRuns,
    countsAmong: (runs) => countsFor(runs, defaultBranch),
    value: score,
  });
}

const source = 'recent runs that passed or failed';
const scope = 'Runs of the default branch; of all branches where it has fewer than three that passed or failed.';

/** As many conclusive runs of the default branch as its health and success rate look at. */
export const maxJudged = 10;
const minRuns = 3;

/** The conclusive runs of the default branch among those given, each by its latest attempt. */
export function conclusiveOnDefault<Run extends WorkflowRun>(runs: readonly Run[], defaultBranch: string | null) {
  return latestAttempts(runs.filter((run) => isDefaultBranchRun(run, defaultBranch))).filter(isConclusive);
}

/** Whether the default branch has enough runs to be judged by them alone. */
export const isJudgedAlone = (runs: readonly WorkflowRun[], defaultBranch: string | null) =>
  conclusiveOnDefault(runs, defaultBranch).length >= minRuns;

function countsFor(runs: readonly WorkflowRun[], defaultBranch: string | null): (run: WorkflowRun) => Verdict {
  if (!isJudgedAlone(runs, defaultBranch)) return newestConclusive(runs, maxJudged);
  const onDefault = runs.filter((run) => isDefaultBranchRun(run, defaultBranch));
  const counts = newestConclusive(onDefault, maxJudged);
  return (run) => (isDefaultBranchRun(run, defaultBranch) ? counts(run) : 'not a run of the default branch');
}

function score(runs: readonly WorkflowRun[]): number {
  const passes = newestFirst(runs).map((run) => getOutcome(run) === 'pass');
  const ofAll = passes.filter(Boolean).length;
  const ofNewest = passes.slice(0, minRuns).filter(Boolean).length;
  // One division of integers, so that an exact half is seen as a half.
  return (60 * ofAll * minRuns + 40 * ofNewest * passes.length) / (passes.length * minRuns);
}

function healthLabel(value: number | null): RunHealth['label'] {
  if (value === null) return 'unknown';
  if (value >= 80) return 'good';
  return value >= 60 ? 'fair' : 'poor';
}
