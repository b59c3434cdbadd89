import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../server/access/context.ts';
import type { Instant } from '../server/metrics/kernel/facts.ts';
import { stopwatch } from '../server/platform/clock.ts';
import { Problem } from '../server/platform/problem.ts';
import { withoutLimits } from '../server/platform/work-limits.ts';
import type { JobRunRecord, StartedJob } from '../server/store/job-runs.ts';
import type { Store } from '../server/store/orm.ts';
import type { Job, JobContext, JobOutcome } from './job.ts';
import { nextAttemptAt } from './retry.ts';
import type { Slot } from './slots.ts';

export interface JobStart {
  slot: string;
  trigger: StartedJob['trigger'];
  /** Raised when the process is about to end. */
  stopping: AbortSignal;
}

/** A run of a job that has ended. */
export interface JobEnd<Report> {
  status: JobRunRecord['status'];
  outcome: JobOutcome<Report> | null;
  error: unknown;
  durationMs: number;
}

/** While somebody else is at a job. */
const lockedMs = 5000;

/**
 * Runs a job now and keeps a row about it, whatever became of its slot so far; null when somebody else is at it.
 * @throws Problem `db_not_configured`, `service_token_missing`, and what the database throws; never what the job throws.
 */
export const runJob = <Report>(job: Job<Report>, services: Services, start: JobStart): Promise<JobEnd<Report> | null> =>
  withJobLease(job, services, (store, lost) => run(job, { ...services, store }, { ...start, since: null }, lost));

/**
 * Runs a job for its slot, if that is due: not when somebody did it already, nor while it waits to be tried again.
 * Answers when to look again; null when nothing is left to do for the slot.
 */
export async function runSlot(
  job: Job,
  slot: Slot,
  services: Services,
  stopping: AbortSignal,
): Promise<Instant | null> {
  const { clock } = services;
  const seen = await withJobLease(job, services, async (store, lost) => {
    const runs = await store.jobRuns.ofSlot(job.name, slot.name);
    const at = nextAttemptAt(runs, clock.now());
    if (at === null || at > clock.now()) return { nextAt: at };
    const since = runs.length > 0 ? slot.due : null;
    const start = { slot: slot.name, trigger: 'internal', stopping, since } as const;
    await run(job, { ...services, store }, start, lost);
    return { nextAt: nextAttemptAt(await store.jobRuns.ofSlot(job.name, slot.name), clock.now()) };
  });
  return seen ? seen.nextAt : clock.now() + lockedMs;
}

/** What a job works with from now on, until its time is up. */
export function jobContext(
  { seconds }: Job,
  services: Services,
  signal: AbortSignal,
  since: Instant | null = null,
): JobContext {
  const elapsed = stopwatch(services.clock);
  const mayContinue = () => !signal.aborted && elapsed() < seconds * 1000;
  return { services, signal, mayContinue, until: services.clock.now() + seconds * 1000, since };
}

/** null when somebody else holds the lease. */
async function withJobLease<T>(
  { name, needsToken }: Job,
  { store, env, clock }: Services,
  work: (store: Store, lost: AbortSignal) => Promise<T>,
): Promise<T | null> {
  if (!store) throw new Problem('db_not_configured', 'No database is configured.');
  if (needsToken && !env.CODEHOST_TOKEN)
    throw new Problem('service_token_missing', 'CODEHOST_TOKEN is not set: nightly jobs need a service token.');
  return store.leases.hold(`job:${name}`, randomUUID(), async (lost) => {
    // Whoever was at it before is gone, for the lease is here.
    await store.jobRuns.abort(name, clock.now());
    return work(store, lost);
  });
}

async function run<Report>(
  job: Job<Report>,
  services: Services & { store: Store },
  { slot, trigger, stopping, since }: JobStart & Pick<JobContext, 'since'>,
  lost: AbortSignal,
): Promise<JobEnd<Report>> {
  const { clock, log, store } = services;
  const row = await store.jobRuns.start({ job: job.name, slot, trigger, now: clock.now() });
  const elapsed = stopwatch(clock);
  const hardMs = job.hardSeconds * 1000;
  const signal = AbortSignal.any([stopping, lost, AbortSignal.timeout(hardMs)]);
  let [outcome, error]: [JobOutcome<Report> | null, unknown] = [null, null];
  try {
    const work = withoutLimits(() => job.run(jobContext(job, services, signal, since)));
    outcome = await withHardStop(hardMs, work);
  } catch (thrown) {
    error = thrown;
  }
  // What ends because it was aborted has not failed.
  const status = outcome ? (outcome.partial ? 'partial' : 'done') : signal.aborted ? 'partial' : 'failed';
  if (status === 'failed') log.error({ err: error, job: job.name }, 'job failed');
  else log.info({ job: job.name, slot, status, ...outcome?.summary }, 'job done');
  // What ends because its process does, another process goes on with.
  const interrupted = status === 'partial' && (stopping.aborted || lost.aborted) ? clock.now() : null;
  const [summary, resumeAt] = [outcome?.summary ?? {}, outcome?.resumeAt ?? interrupted];
  await store.jobRuns.finish(row, { status, summary, resumeAt, now: clock.now() });
  return { status, outcome, error, durationMs: elapsed() };
}

/** Leaves behind what did not end a second after its time was up: everything a job does may be done again. */
export async function withHardStop<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(ms + 1000, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error('The job timed out.');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
