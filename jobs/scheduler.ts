import { Cron } from 'croner';
import type { Services } from '../server/access/context.ts';
import type { Instant } from '../server/metrics/kernel/facts.ts';
import { hourMs } from '../server/metrics/kernel/window.ts';
import { jobs } from './all.ts';
import type { Job } from './job.ts';
import { runJob } from './run-job.ts';
import { isDaily, latestSlot, type Slot } from './slots.ts';
import { nextAttemptAt } from './turns.ts';

export interface Scheduler {
  /** Stops the timetable, tells running jobs to stop, and waits for them. */
  stop(): Promise<void>;
}

/** Older slots are excluded: what they would have read, the next one reads. */
const caughtUpWithinMs = 20 * hourMs;
/** A slot that is due for so long was missed. */
const missedAfterMs = 10_000;
/** Services that start again together do not all ask the platform at the same moment. */
const maxJitterMs = 20_000;
const elsewhereMs = 5000;

/** The jobs that `SCHEDULER` asks for and that can run; none without a database. */
export function scheduledJobs({ store, env }: Pick<Services, 'store' | 'env'>, all: readonly Job[] = jobs): Job[] {
  const mode = env.SCHEDULER;
  if (!store || mode === 'off') return [];
  return all.filter((job) => (job.housekeeping || mode === 'internal') && (!job.needsToken || env.CODEHOST_TOKEN));
}

/**
 * Starts the timetable. Every second it compares what is due with what was done, so that a slot is neither missed while
 * no process was there, nor done twice by two of them.
 */
export function startScheduler(services: Services, all: readonly Job[] = jobs): Scheduler {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  // As soon as the process is signalled to end, jobs are, while requests may still take a while.
  const ended = AbortSignal.any([stopping.signal, services.stopping]);
  const schedules = scheduledJobs(services, all).map((job) => scheduleJob(job, services, ended));
  const cron = new Cron('* * * * * *', { timezone: 'UTC', unref: true }, () => {
    for (const turn of schedules) {
      const work = turn();
      if (!work) continue;
      running.add(work);
      void work.finally(() => running.delete(work));
    }
  });
  return {
    async stop() {
      cron.stop();
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

/** Begins the job when its turn has come; null when there is nothing to do now. */
function scheduleJob(job: Job, services: Services, stopping: AbortSignal): () => Promise<void> | null {
  const { clock, log } = services;
  // Only what is due once a day is worth catching up with.
  let settled = isDaily(job.schedule) ? null : (latestSlot(job.schedule, clock.now())?.name ?? null);
  let seen: string | null = null;
  let notBefore = 0;
  let isRunning = false;
  const turn = async (slot: Slot) => {
    try {
      const next = await take(job, slot, services, stopping);
      if (next === null) settled = slot.name;
      else notBefore = next;
    } catch (error) {
      notBefore = clock.now() + elsewhereMs;
      log.warn({ err: error, job: job.name }, 'the timetable could not be kept');
    } finally {
      isRunning = false;
    }
  };
  return () => {
    const now = clock.now();
    const slot = isRunning ? null : latestSlot(job.schedule, now);
    if (!slot || slot.name === settled || stopping.aborted) return null;
    const lateMs = now - slot.due;
    // Not settled by that: a clock may be set back.
    if (lateMs > caughtUpWithinMs) return null;
    if (slot.name !== seen) notBefore = lateMs > missedAfterMs ? now + Math.random() * maxJitterMs : now;
    seen = slot.name;
    if (now < notBefore) return null;
    isRunning = true;
    return turn(slot);
  };
}

/** Runs the job for a slot if that is still wanted. Answers when to look again; null when the slot is settled. */
async function take(job: Job, slot: Slot, services: Services, stopping: AbortSignal): Promise<Instant | null> {
  const { clock, store } = services;
  if (job.everywhere) {
    const until = clock.now() + job.seconds * 1000;
    await job.run({ services, signal: stopping, mayContinue: () => !stopping.aborted, until, since: null });
    return null;
  }
  const runs = async () => (await store?.jobRuns.ofSlot(job.name, slot.name)) ?? [];
  const begin = async () => nextAttemptAt(await runs(), clock.now());
  const at = await begin();
  if (at === null || at > clock.now()) return at;
  const turn = async () => {
    const before = await runs();
    const still = nextAttemptAt(before, clock.now());
    if (still === null || still > clock.now()) return null;
    return { since: before.length > 0 ? slot.due : null };
  };
  const end = await runJob(job, services, { slot: slot.name, trigger: 'internal', stopping, turn });
  return end.ran ? begin() : clock.now() + elsewhereMs;
}
