import type { Instant } from '../kernel/facts.ts';
import type { Window } from '../kernel/window.ts';
import { distinctAttempts, type MeasuredRun } from './workflow-runs.ts';

/** A run with every attempt of it that is known, in their order. */
export interface RunHistory {
  id: number;
  workflowId: number;
  createdAt: Instant;
  attempts: readonly Attempt[];
}

interface Attempt {
  run: MeasuredRun;
  begunAt: Instant;
  /** null while it runs. */
  endedAt: Instant | null;
}

/**
 * The runs behind attempts given in any order, oldest first. What had been seen at `seenAt` had happened by then: the
 * clock of the platform may be ahead.
 */
export function runHistories(attempts: readonly MeasuredRun[], seenAt: Instant): RunHistory[] {
  return [...Map.groupBy(distinctAttempts(attempts), ({ id }) => id)]
    .flatMap(([id, own]) => {
      const ordered = own.toSorted((a, b) => a.attempt - b.attempt);
      const [first] = ordered;
      if (!first) return [];
      const { workflowId } = first;
      const createdAt = Math.min(first.createdAt, seenAt - 1);
      return { id, workflowId, createdAt, attempts: ordered.map((run) => toAttempt(run, seenAt)) };
    })
    .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
}

/** The run as it stood then: the attempt that was its latest, if that one had ended; null while it ran. */
export function endedBy({ attempts }: RunHistory, at: Instant): MeasuredRun | null {
  const latest = attempts.findLast(({ begunAt }) => begunAt <= at);
  return latest && hadEnded(latest, at) ? latest.run : null;
}

/** The first attempt, whatever came after it, if it had ended then. */
export function firstEndedBy({ attempts: [first] }: RunHistory, at: Instant): MeasuredRun | null {
  return first?.run.attempt === 1 && hadEnded(first, at) ? first.run : null;
}

/** From then on the run has stood as it does now. */
export function settledAt({ attempts }: RunHistory): Instant {
  return Math.max(...attempts.map(({ endedAt, begunAt }) => endedAt ?? begunAt));
}

/** Of runs given oldest first those created in the window, both ends included. */
export function createdIn(runs: readonly RunHistory[], { from, to }: Window): readonly RunHistory[] {
  return runs.slice(firstFrom(runs, from), firstFrom(runs, to + 1));
}

/** A re-run keeps the creation of its run. */
function toAttempt(run: MeasuredRun, seenAt: Instant): Attempt {
  const begun = run.attempt === 1 ? run.createdAt : (run.startedAt ?? run.updatedAt);
  const ended = run.status === 'completed' ? (run.completedAt ?? run.updatedAt) : null;
  return { run, begunAt: Math.min(begun, seenAt), endedAt: ended === null ? null : Math.min(ended, seenAt) };
}

function hadEnded({ endedAt }: Attempt, at: Instant): boolean {
  return endedAt !== null && endedAt <= at;
}

function firstFrom(runs: readonly RunHistory[], instant: Instant): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as RunHistory).createdAt < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
