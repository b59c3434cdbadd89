import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../server/access/context.ts';
import type { Instant } from '../server/metrics/kernel/facts.ts';
import { stopwatch } from '../server/platform/clock.ts';
import { Problem } from '../server/platform/problem.ts';
import { withoutLimits } from '../server/platform/work-limits.ts';
import { isDatabaseUnavailable } from '../server/store/failure.ts';
import type { JobRunRecord, StartedJob } from '../server/store/job-runs.ts';
import type { Job, JobOutcome } from './job.ts';

export interface JobStart {
  slot: string;
  trigger: StartedJob['trigger'];
  /** Raised when the process is about to end. */
  stopping: AbortSignal;
  /**
   * Called once nobody else can begin: null leaves the slot as it is. `since` tells since when the slot is under way, if
   * it was begun before. Without it the job is run from its beginning.
   */
  turn?(): Promise<{ since: Instant | null } | null>;
}

export type JobEnd<Report> =
  | {
      ran: true;
      status: JobRunRecord['status'];
      outcome: JobOutcome<Report> | null;
      error: unknown;
      durationMs: number;
    }
  /** Somebody else is at it, since `startedAt`; or it was not wanted any more. */
  | { ran: false; startedAt: Instant | null };

/**
 * Runs a job once, under its lease, and keeps a row about it: the same care whoever requested it.
 * @throws Problem `db_not_configured`, `service_token_missing`; never what the job itself throws.
 */
export async function runJob<Report>(job: Job<Report>, services: Services, start: JobStart): Promise<JobEnd<Report>> {
  const { store } = services;
  if (!store) throw new Problem('db_not_configured', 'No database is configured, so there is nothing to do.');
  if (job.needsToken && !services.env.CODEHOST_TOKEN)
    throw new Problem('service_token_missing', 'CODEHOST_TOKEN is not set: nightly work has no token of its own.');
  let end: JobEnd<Report> = { ran: false, startedAt: null };
  const held = await store.leases.hold(leaseOf(job), randomUUID(), async (lost) => {
    // Whoever was at it before is gone, for the lease is here.
    await store.jobRuns.abort(job.name, services.clock.now());
    const turn = start.turn ? await start.turn() : { since: null };
    if (turn) end = await underLease(job, services, { ...start, ...turn }, lost);
    return true;
  });
  return held ? end : { ran: false, startedAt: (await store.jobRuns.underWay(job.name))?.startedAt ?? null };
}

const leaseOf = ({ name }: Job) => `job:${name}`;

async function underLease<Report>(
  job: Job<Report>,
  services: Services,
  { slot, trigger, stopping, since }: JobStart & { since: Instant | null },
  lost: AbortSignal,
): Promise<JobEnd<Report>> {
  const { clock, log } = services;
  const jobRuns = (services.store as NonNullable<Services['store']>).jobRuns;
  const row = await jobRuns.start({ job: job.name, slot, trigger, now: clock.now() });
  const elapsed = stopwatch(clock);
  const hard = AbortSignal.timeout(job.hardSeconds * 1000);
  const signal = AbortSignal.any([stopping, lost, hard]);
  const until = clock.now() + job.seconds * 1000;
  const mayContinue = () => !signal.aborted && elapsed() < job.seconds * 1000;
  let [outcome, error]: [JobOutcome<Report> | null, unknown] = [null, null];
  try {
    const run = () => job.run({ services, signal, mayContinue, until, since });
    outcome = await untilHardStop(withoutLimits(run), hard);
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
  const finish = () => jobRuns.finish(row, { status, summary, resumeAt, now: clock.now() });
  await patiently(finish, AbortSignal.any([stopping, lost]));
  return { ran: true, status, outcome, error, durationMs: elapsed() };
}

/** Does it again while the database cannot be reached, for then the lease cannot be given back either. */
async function patiently(write: () => Promise<void>, hurry: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (hurry.aborted || !isDatabaseUnavailable(error)) throw error;
      await sleep(500, undefined, { signal: hurry }).catch(() => undefined);
    }
  }
}

/** What does not end although it was aborted is left behind: everything a job does may be done again. */
export async function untilHardStop<T>(work: Promise<T>, hard: AbortSignal): Promise<T> {
  const done = new AbortController();
  const late = async () => {
    if (!hard.aborted) await new Promise((resolve) => hard.addEventListener('abort', resolve, { once: true }));
    await sleep(1000, undefined, { signal: done.signal }).catch(() => undefined);
    throw new Error('The job did not end when its time was up.');
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    done.abort();
  }
}
