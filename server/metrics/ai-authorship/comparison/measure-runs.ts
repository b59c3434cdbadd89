import type { PullRequest } from '../../kernel/delivery-facts.ts';
import { getOutcome, isConclusive } from '../../kernel/outcome.ts';
import { roundTo } from '../../kernel/statistics.ts';
import { isWithin, minuteMs, type Window } from '../../kernel/window.ts';
import { distinctAttempts, getDuration, type MeasuredRun } from '../../runs/workflow-runs.ts';
import type { MeasuredOutcome, OutcomeGap, OutcomeSources } from './measure-outcomes.ts';

/** An attempt of a run, with what its jobs took; null where not all of them are stored, or one has no known price. */
export type CostedRun = MeasuredRun & { cost: AttemptSum | null };

export interface AttemptSum {
  /** Full minutes of every job. */
  minutes: number;
  usd: number;
}

/** The attempts of all runs for pull requests of a repository in a window. */
export interface StoredRuns {
  window: Window;
  attempts: readonly CostedRun[];
}

type RunSources = Pick<OutcomeSources, 'runs' | 'others' | 'now'>;
type Ci = Record<'ci_minutes' | 'ci_failed_share', MeasuredOutcome>;

export function measureRuns(pullRequest: PullRequest, sources: RunSources): Ci {
  const own = listOwnRuns(pullRequest, sources);
  if (typeof own === 'string') return { ci_minutes: own, ci_failed_share: own };
  const conclusive = own.filter(isConclusive);
  return {
    ci_minutes: sumMinutes(own),
    ci_failed_share:
      conclusive.length === 0 ? 'no_conclusive_runs' : conclusive.filter(isFailed).length / conclusive.length,
  };
}

/** What the runs of a pull request cost: an estimate at list prices. */
export interface PullRequestCost extends AttemptSum {
  /** Of attempts that failed. */
  failedUsd: number;
}

/** null where a run, a job of one or its price is not known. */
export function measureCost(pullRequest: PullRequest, sources: RunSources): PullRequestCost | null {
  const own = listOwnRuns(pullRequest, sources);
  if (typeof own === 'string') return null;
  const begun = own.filter(hasBegun);
  const costs = begun.flatMap(({ cost }) => cost ?? []);
  if (costs.length < begun.length) return null;
  const sumUsd = (some: readonly CostedRun[]) =>
    roundTo(
      some.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0),
      6,
    );
  return {
    minutes: costs.reduce((sum, { minutes }) => sum + minutes, 0),
    usd: sumUsd(begun),
    failedUsd: sumUsd(begun.filter(isFailed)),
  };
}

/** What awaits approval is listed as completed, and has taken no minute. */
const hasBegun = ({ conclusion }: MeasuredRun): boolean => conclusion !== 'action_required';

const isFailed = (run: MeasuredRun): boolean => getOutcome(run) === 'fail';

/** All attempts of runs for pull requests on its head branch that began while it was open, or why they are not known. */
function listOwnRuns(pullRequest: PullRequest, { runs, others, now }: RunSources): CostedRun[] | OutcomeGap {
  const { createdAt, closedAt, headBranch } = pullRequest;
  if (closedAt === null || closedAt > now) return 'not_ended';
  if (runs === null || createdAt < runs.window.from || closedAt > runs.window.to) return 'runs_not_known';
  if (others.some((other) => doShareBranch(pullRequest, other))) return 'branch_shared';
  const open = { from: createdAt, to: closedAt };
  const all = distinctAttempts(
    runs.attempts.filter(
      (run) => run.headBranch === headBranch && run.event.startsWith('pull_request') && isWithin(run.createdAt, open),
    ),
  );
  if (!areAllSeen(all)) return 'runs_not_known';
  return all.filter(({ attempt, startedAt }) => attempt === 1 || startedAt === null || startedAt <= closedAt);
}

/** Whether every attempt of these runs is there: one that was superseded before anybody looked is stored nowhere. */
const areAllSeen = (attempts: readonly MeasuredRun[]): boolean =>
  [...Map.groupBy(attempts, ({ id }) => id).values()].every(
    (own) => own.length === Math.max(...own.map(({ attempt }) => attempt)),
  );

/** A run that never started took nothing; how long one took that did start may not be known. */
function sumMinutes(runs: readonly MeasuredRun[]): MeasuredOutcome {
  const started = runs.filter((run) => run.startedAt !== null && hasBegun(run));
  const durations = started.flatMap((run) => getDuration(run) ?? []);
  if (durations.length < started.length) return 'runs_not_known';
  return durations.reduce((sum, duration) => sum + duration, 0) / minuteMs;
}

/** Whether another one was open at the same time with a head branch of the same name, such as one of a fork. */
const doShareBranch = (one: PullRequest, other: PullRequest): boolean =>
  other.number !== one.number &&
  other.headBranch === one.headBranch &&
  other.createdAt <= (one.closedAt ?? Number.POSITIVE_INFINITY) &&
  one.createdAt <= (other.closedAt ?? Number.POSITIVE_INFINITY);
