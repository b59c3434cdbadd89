import type { Conclusion, Instant, RunStatus, WorkflowJob, WorkflowRun } from '../kernel/facts.ts';
import { type Measurement, metric, type Verdict } from '../kernel/metric.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import { attemptEnd } from './jobs.ts';

/**
 * A run as the platform reports it, or as it was stored together with the moment it was first seen completed; with what
 * its attempt waited for a runner, in ms, where its stored jobs tell it.
 */
export type MeasuredRun = WorkflowRun & { completedAt?: Instant | null; jobWaitMs?: number | null };

/** Passed runs ÷ conclusive runs, each run by its latest attempt. */
export const successRate = metric<WorkflowRun>({
  key: 'success_rate',
  label: 'Success rate',
  unit: 'percent',
  better: 'higher',
  source: 'runs that passed or failed',
  definition:
    'Share of runs that passed, of all that passed or failed. Cancelled, skipped and neutral runs are excluded.',
  countsAmong: conclusiveLatest,
  share: isPass,
});

/** Failed runs ÷ conclusive runs, each run by its latest attempt: what the success rate leaves. */
export const failureRate = metric<WorkflowRun>({
  key: 'failure_rate',
  label: 'Failure rate',
  unit: 'percent',
  better: 'lower',
  source: 'runs that passed or failed',
  definition:
    'Share of runs that failed, of all that passed or failed. Cancelled, skipped and neutral runs are excluded.',
  countsAmong: conclusiveLatest,
  share: (run) => getOutcome(run) === 'fail',
});

/** Cancelled runs ÷ completed runs, each run by its latest attempt. */
export const cancelledShare = metric<WorkflowRun>({
  key: 'cancelled_share',
  label: 'Cancelled runs',
  unit: 'percent',
  better: 'neither',
  source: 'completed runs',
  definition: 'Share of completed runs that were cancelled, by a person or by concurrency settings.',
  countsAmong: completedLatest,
  share: ({ conclusion }) => conclusion === 'cancelled',
});

/** Fails in a row from the newest conclusive run back. Hand in the runs of one branch to speak of that branch. */
export const failureStreak = metric<WorkflowRun>({
  key: 'failure_streak',
  label: 'Consecutive failures',
  unit: 'count',
  better: 'lower',
  source: 'runs that passed or failed',
  definition: 'Failed runs since the last run that passed. Cancelled and skipped runs do not end a streak.',
  countsAmong: conclusiveLatest,
  value: (runs) => {
    const lastPass = newestFirst(runs).findIndex((run) => getOutcome(run) === 'pass');
    return lastPass === -1 ? runs.length : lastPass;
  },
});

/** Whether a streak goes back to the oldest run that was read, so that older failures may belong to it. */
export const mayBeLonger = ({ value, sample }: Measurement, isComplete: boolean): boolean =>
  !isComplete && value !== null && value > 0 && value === sample;

/**
 * Completed runs only: start of the attempt to its end, in ms; null when unknown, negative or beyond 35 days. A run that
 * awaits approval is listed as completed, and has not ended.
 */
export function getDuration(run: MeasuredRun, jobs: readonly WorkflowJob[] = []): number | null {
  if (run.status !== 'completed' || run.conclusion === 'action_required' || run.startedAt === null) return null;
  const end = attemptEnd(run, jobs) ?? run.completedAt ?? run.updatedAt;
  const duration = end - run.startedAt;
  return duration < 0 || duration > longestRunMs ? null : duration;
}

/** On the default branch and not the build of a pull request that happens to come from a branch of that name. */
export function isDefaultBranchRun(run: WorkflowRun, defaultBranch: string | null): boolean {
  return defaultBranch !== null && run.headBranch === defaultBranch && !isRunOfPullRequest(run);
}

/**
 * Whether the branch of a run is that of a pull request, which anybody may open from a branch of any name. Statements in
 * `runs.sql` and `schema.sql` name the same events.
 */
export const isRunOfPullRequest = ({ event }: Pick<WorkflowRun, 'event'>): boolean =>
  event === 'pull_request' || event === 'pull_request_target';

/** Newest first by creation, then by id: the order of every list of runs. */
export function newestFirst<Run extends WorkflowRun>(runs: readonly Run[]): Run[] {
  return runs.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id || b.attempt - a.attempt);
}

/** One fact per run id: its latest attempt, in its newest state. */
export function latestAttempts<Run extends WorkflowRun>(runs: readonly Run[]): Run[] {
  return newestStates(runs, (run) => run.id);
}

/** One fact per attempt: the same attempt may come live and stored, or twice from a webhook. */
export function distinctAttempts<Run extends WorkflowRun>(runs: readonly Run[]): Run[] {
  return newestStates(runs, (run) => `${run.id} ${run.attempt}`);
}

/** The newest runs whatever their state. */
export function recentRuns<Run extends WorkflowRun>(runs: readonly Run[], count = 10): Run[] {
  return newestFirst(latestAttempts(runs)).slice(0, count);
}

export interface DurationPoint {
  id: number;
  runNumber: number;
  status: RunStatus;
  conclusion: Conclusion | null;
  createdAt: Instant;
  durationMs: number;
  htmlUrl: string;
}

/** The last conclusive runs that took time, oldest first. */
export function durationPoints(runs: readonly MeasuredRun[], count = 20): DurationPoint[] {
  return newestFirst(latestAttempts(runs).filter(isConclusive))
    .flatMap((run) => {
      const durationMs = getDuration(run);
      if (durationMs === null || durationMs === 0) return [];
      const { id, runNumber, status, conclusion, createdAt, htmlUrl } = run;
      return [{ id, runNumber, status, conclusion, createdAt, durationMs, htmlUrl }];
    })
    .slice(0, count)
    .reverse();
}

/** How long the runs of a window took together, each by its latest attempt. */
export const totalRunTime = metric<MeasuredRun>({
  key: 'total_run_time',
  label: 'Total run time',
  unit: 'milliseconds',
  better: 'neither',
  source: 'completed runs of known duration',
  definition:
    'Durations of all completed runs added up, each by its latest attempt. Cancelled runs are included. Runs of unknown duration are excluded.',
  valueWhenEmpty: 0,
  countsAmong: (runs) => {
    const counts = completedLatest(runs);
    return (run) => {
      const verdict = counts(run);
      return verdict === true ? getDuration(run) !== null || 'unknown duration' : verdict;
    };
  },
  value: (runs) => runs.reduce((sum, run) => sum + (getDuration(run) ?? 0), 0),
});

/** The runs of a window, whatever they came to. */
export const scopeRuns = metric<WorkflowRun>({
  key: 'scope_runs',
  label: 'Workflow runs',
  unit: 'count',
  better: 'neither',
  source: 'runs',
  definition: 'Workflow runs created in the window, with any outcome. Re-runs count once.',
  valueWhenEmpty: 0,
  countsAmong: (runs) => {
    const latest = new Set(latestAttempts(runs));
    return (run) => latest.has(run) || 'a later attempt counts';
  },
  value: (runs) => runs.length,
});

function completedLatest(runs: readonly WorkflowRun[]): (run: WorkflowRun) => Verdict {
  const latest = new Set(latestAttempts(runs));
  return (run) => {
    if (!latest.has(run)) return 'a later attempt counts';
    return run.status === 'completed' || 'not completed';
  };
}

/** Counts the latest attempt of each run when it passed or failed. */
export function conclusiveLatest(runs: readonly WorkflowRun[]): (run: WorkflowRun) => Verdict {
  const latest = new Set(latestAttempts(runs));
  return (run) => {
    if (!latest.has(run)) return 'superseded by a later attempt of the same run';
    const outcome = getOutcome(run);
    if (outcome === 'running') return 'still running';
    return outcome === 'void' ? `ended as ${run.conclusion ?? 'unknown'}: neither passed nor failed` : true;
  };
}

/** Counts the newest `count` conclusive runs. */
export function newestConclusive(runs: readonly WorkflowRun[], count: number): (run: WorkflowRun) => Verdict {
  const counts = conclusiveLatest(runs);
  const newest = new Set(newestFirst(runs.filter((run) => counts(run) === true)).slice(0, count));
  return (run) => {
    const verdict = counts(run);
    return verdict === true && !newest.has(run) ? `older than the newest ${count}` : verdict;
  };
}

const longestRunMs = 35 * 86_400_000;

export function isPass(run: WorkflowRun): boolean {
  return getOutcome(run) === 'pass';
}

function newestStates<Run extends WorkflowRun>(runs: readonly Run[], getKey: (run: Run) => number | string): Run[] {
  const newest = new Map<number | string, Run>();
  for (const run of runs) {
    const other = newest.get(getKey(run));
    if (other === undefined || isNewer(run, other)) newest.set(getKey(run), run);
  }
  return [...newest.values()];
}

/** News of a run arrives out of order, so the attempt decides first, then the newest state of it. */
function isNewer(run: WorkflowRun, other: WorkflowRun): boolean {
  const difference =
    run.attempt - other.attempt ||
    run.updatedAt - other.updatedAt ||
    Number(run.status === 'completed') - Number(other.status === 'completed');
  return difference > 0;
}
