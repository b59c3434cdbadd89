import type { Instant } from '../../metrics/kernel/facts.ts';
import { median } from '../../metrics/kernel/statistics.ts';
import { neededBy } from '../../scan/conditions.ts';
import type { Job, Workflow } from '../../scan/workflow.ts';
import { findSuperseded, type RecordedAttempt, type RecordedJob } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
import { type ChangedTimes, endAt, retime, type WorldChange } from './world-change.ts';

/**
 * How long jobs go on once they are cancelled, in ms: the median of the cancelled attempts that a newer run of their
 * group preceded, where there are five; contract of the advisor, section 2.3.
 */
export function measureCancellation(attempts: readonly RecordedAttempt[]): number {
  const delays = findSuperseded(attempts).flatMap(({ older: { conclusion, endedAt }, at }) =>
    conclusion === 'cancelled' && endedAt !== null ? [endedAt - at] : [],
  );
  return (delays.length >= minMeasured ? median(delays) : null) ?? usualDelayMs;
}

const minMeasured = 5;
const usualDelayMs = 10_000;

interface Cancelling {
  workflow: Workflow;
  /** Whether a newer run of the group cancels it. */
  isCancellable: (attempt: RecordedAttempt) => boolean;
  /** From cancelling to the end of a job. */
  delayMs: number;
}

/**
 * As if each run had been cancelled when a newer one of its group was created. Jobs that had not started do not run,
 * except those with `always()`, which run for as long as recorded. Jobs that cannot be matched to one of the file keep
 * their times.
 */
export function cancelSuperseded({ workflow, isCancellable, delayMs }: Cancelling): WorldChange {
  const findJob = createJobFinder(workflow);
  return (attempts) => {
    const superseded = findSuperseded(attempts.filter((one) => one.attempt === 1 && isCancellable(one)));
    const cancelledAt = new Map(superseded.map(({ older, at }) => [older, at]));
    return attempts.map((attempt) => {
      const at = cancelledAt.get(attempt);
      return at === undefined ? attempt : retime(attempt, timesAfterCancelling(attempt, { at, delayMs, findJob }));
    });
  };
}

interface Cancellation {
  at: Instant;
  delayMs: number;
  findJob: (name: string) => Job | null;
}

function timesAfterCancelling({ jobs }: RecordedAttempt, { at, delayMs, findJob }: Cancellation): ChangedTimes {
  const times: Map<RecordedJob, { startedAt: Instant; completedAt: Instant } | null> = new Map();
  const inOrder = (jobs ?? []).toSorted((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0));
  for (const job of inOrder) {
    const { startedAt, completedAt } = job;
    if (!job.isTaken || startedAt === null || completedAt === null || completedAt <= at) continue;
    const ofFile = findJob(job.name);
    // Whether it would have been cancelled is not known.
    if (ofFile === null) continue;
    const isAlways = /\balways\s*\(/i.test(ofFile.condition?.value ?? '');
    if (startedAt < at) {
      const ended = isAlways ? null : endAt(job, at + delayMs);
      if (ended) times.set(job, ended);
    } else if (isAlways) {
      const earlierMs = gainOfParents(ofFile, { jobs: inOrder, times, findJob });
      times.set(job, { startedAt: startedAt - earlierMs, completedAt: completedAt - earlierMs });
    } else times.set(job, null);
  }
  return times;
}

interface Retimed {
  jobs: readonly RecordedJob[];
  times: ChangedTimes;
  findJob: Cancellation['findJob'];
}

/** How much earlier the last of the jobs that it needs would have ended, in ms. */
function gainOfParents(job: Job, { jobs, times, findJob }: Retimed): number {
  const needed = new Set(neededBy(job));
  const parents = jobs.filter(({ name }) => needed.has(findJob(name)?.id ?? ''));
  const recorded = parents.map(({ completedAt }) => completedAt ?? 0);
  const changed = parents.map((parent) => {
    const time = times.get(parent);
    return time === undefined ? (parent.completedAt ?? 0) : (time?.completedAt ?? 0);
  });
  const end = Math.max(0, ...changed);
  return end === 0 ? 0 : Math.max(0, ...recorded) - end;
}
