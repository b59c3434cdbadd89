import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { attemptMinutes } from './days.ts';
import type { WorldChange } from './world-change.ts';

const triedShares = [0.8, 1.2];
/** In percentage points. */
const mostDifference = 1;

/**
 * Whether how long jobs wait for runners decides how many minutes a change saves: with waits a fifth shorter or longer the
 * reduction is another one by more than a point. Contract of the advisor, section 3.6, C2.
 */
export function isDecidedByWaits(change: WorldChange, attempts: readonly RecordedAttempt[]): boolean {
  const reductionOf = (world: readonly RecordedAttempt[]) => {
    const before = minutesOfAll(world);
    return before === 0 ? 0 : 100 * (1 - minutesOfAll(change(world)) / before);
  };
  const recorded = reductionOf(attempts);
  return triedShares.some((share) => {
    const other = reductionOf(attempts.map((one) => withWaits(one, share)));
    return Math.abs(other - recorded) > mostDifference;
  });
}

const minutesOfAll = (attempts: readonly RecordedAttempt[]): number =>
  attempts.reduce((sum, one) => sum + attemptMinutes(one), 0);

/**
 * An attempt as if each job had waited this share of what it did. A job follows the one that ended last before it was
 * created, whatever it needs; what was cancelled ends when it did.
 */
export function withWaits(attempt: RecordedAttempt, share: number): RecordedAttempt {
  if (attempt.jobs === null) return attempt;
  const moved: { end: number; by: number }[] = [];
  const change = (job: RecordedJob): RecordedJob => {
    const { createdAt, startedAt, completedAt } = job;
    if (!job.isTaken || createdAt === null || startedAt === null || completedAt === null) return job;
    const by = moved
      .filter(({ end }) => end <= createdAt)
      .reduce((last, one) => (one.end > last.end ? one : last), none).by;
    const started = startedAt + by + (share - 1) * Math.max(0, startedAt - createdAt);
    const isCancelled = job.conclusion === 'cancelled';
    const ended = isCancelled ? completedAt : started + completedAt - startedAt;
    moved.push({ end: completedAt, by: ended - completedAt });
    return { ...job, createdAt: createdAt + by, startedAt: Math.min(started, ended), completedAt: ended };
  };
  const jobs = attempt.jobs.toSorted((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0)).map(change);
  const last = moved.reduce((latest, one) => (one.end > latest.end ? one : latest), none);
  return { ...attempt, jobs, endedAt: attempt.endedAt === null ? null : attempt.endedAt + last.by };
}

const none = { end: 0, by: 0 };
