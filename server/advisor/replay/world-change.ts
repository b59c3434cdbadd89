import type { Instant } from '../../metrics/kernel/facts.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { attemptMinutes } from './days.ts';

/**
 * A recommendation as a function of recorded attempts: what they would have been with its change. Attempts that it does
 * not touch stay the same objects, so that several changes apply one after the other. Contract of the advisor, 3.2.
 */
export type WorldChange = (attempts: readonly RecordedAttempt[]) => RecordedAttempt[];

/** As if some runs had not been started: they vanish with all of their attempts. */
export const withoutRuns =
  (findGone: (attempts: readonly RecordedAttempt[]) => readonly RecordedAttempt[]): WorldChange =>
  (attempts) => {
    const gone = new Set(findGone(attempts).map(({ runId }) => runId));
    return attempts.filter(({ runId }) => !gone.has(runId));
  };

/** As if some jobs had not been created; the others keep their times. */
export const withoutJobs =
  (isGone: (job: RecordedJob) => boolean): WorldChange =>
  (attempts) =>
    attempts.map((attempt) => {
      const { jobs } = attempt;
      return jobs?.some(isGone) ? { ...attempt, jobs: jobs.filter((job) => !isGone(job)) } : attempt;
    });

/** When jobs would have started and ended; null for a job that would not have run. */
export type ChangedTimes = ReadonlyMap<RecordedJob, { startedAt: Instant; completedAt: Instant } | null>;

/** An attempt with other times of some of its jobs; the same object where there are none. */
export function retime(attempt: RecordedAttempt, times: ChangedTimes): RecordedAttempt {
  if (times.size === 0) return attempt;
  const jobs = (attempt.jobs ?? []).flatMap((job): RecordedJob[] => {
    const changed = times.get(job);
    if (changed === undefined) return [job];
    if (changed === null) return [];
    const isShorter = changed.completedAt - changed.startedAt < (job.completedAt ?? 0) - (job.startedAt ?? 0);
    return [{ ...job, ...changed, conclusion: isShorter ? 'cancelled' : job.conclusion }];
  });
  const endedAt = Math.max(attempt.arrivedAt, ...jobs.map(({ completedAt }) => completedAt ?? 0));
  return { ...attempt, jobs, endedAt, conclusion: 'cancelled' };
}

/** The times of a job that is ended at `at`; null where it ended before, or was never started. */
export function endAt(job: RecordedJob, at: Instant): { startedAt: Instant; completedAt: Instant } | null {
  const { startedAt, completedAt } = job;
  if (startedAt === null || completedAt === null || completedAt <= at) return null;
  return { startedAt, completedAt: Math.max(startedAt, at) };
}

/** Minutes of the attempts that a change touched, as they would have been. */
export function changedMinutes(
  before: readonly RecordedAttempt[],
  after: readonly RecordedAttempt[],
): Map<RecordedAttempt, number> {
  const remaining = new Map(after.map((attempt) => [toKey(attempt), attempt]));
  const touched = before.filter((attempt) => remaining.get(toKey(attempt)) !== attempt);
  return new Map(
    touched.map((attempt) => {
      const changed = remaining.get(toKey(attempt));
      return [attempt, changed ? attemptMinutes(changed) : 0];
    }),
  );
}

const toKey = ({ runId, attempt }: RecordedAttempt) => `${runId} ${attempt}`;
