import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../server/access/context.ts';
import { hourMs } from '../server/metrics/kernel/window.ts';
import { actionLedger } from './action-ledger.ts';
import { advisorJudge } from './advisor-judge.ts';
import { advisorVerdicts } from './advisor-verdicts.ts';
import { aiComparison } from './ai-comparison.ts';
import { alertDeliveries } from './alert-deliveries.ts';
import { alertEvaluation } from './alert-evaluation.ts';
import { commitFacts } from './commit-facts.ts';
import { gauges } from './gauges.ts';
import { housekeeping } from './housekeeping.ts';
import type { Job } from './job.ts';
import { logDownloads } from './log-downloads.ts';
import { mergeQueue } from './merge-queue.ts';
import { noticedRefs } from './noticed-refs.ts';
import { otlpBackfill } from './otlp-backfill.ts';
import { otlpExport } from './otlp-export.ts';
import { otlpJobs } from './otlp-jobs.ts';
import { prFacts } from './pr-facts.ts';
import { purge } from './purge.ts';
import { rollups } from './rollups.ts';
import { jobContext, runSlot, withHardStop } from './run-job.ts';
import { runsSync } from './runs-sync.ts';
import { shareCheck } from './share-check.ts';
import { isDaily, latestSlot, type Slot } from './slots.ts';
import { worker } from './worker.ts';

/** Everything that happens by itself. */
export const jobs: readonly Job[] = [
  rollups,
  alertEvaluation,
  alertDeliveries,
  otlpExport,
  otlpJobs,
  otlpBackfill,
  worker,
  housekeeping,
  gauges,
  mergeQueue,
  logDownloads,
  noticedRefs,
  purge,
  shareCheck,
  runsSync,
  prFacts,
  commitFacts,
  actionLedger,
  advisorJudge,
  advisorVerdicts,
  aiComparison,
];

export interface Scheduler {
  /** Stops the timetable, tells running jobs to stop, and waits for them. */
  stop(): Promise<void>;
}

const lookEveryMs = 1000;
/** Older slots are excluded: what they would have read, the next one reads. */
const caughtUpWithinMs = 20 * hourMs;
/** A slot that is due for so long was missed. */
const missedAfterMs = 10_000;
/** Services that start again together do not all ask the platform at the same moment. */
const maxJitterMs = 20_000;
const failedMs = 5000;

/** The jobs that `SCHEDULER` asks for and that can run; none without a database. */
export function scheduledJobs({ store, env }: Pick<Services, 'store' | 'env'>, all: readonly Job[] = jobs): Job[] {
  const mode = env.SCHEDULER;
  if (!store || mode === 'off') return [];
  return all.filter((job) => (job.housekeeping || mode === 'internal') && (!job.needsToken || env.CODEHOST_TOKEN));
}

/** Starts the timetable. */
export function startScheduler(services: Services, all: readonly Job[] = jobs): Scheduler {
  const stopping = new AbortController();
  // As soon as the process is signalled to end, jobs are, while requests may still take a while.
  const ended = AbortSignal.any([stopping.signal, services.stopping]);
  const running = scheduledJobs(services, all).map((job) => keepTimetable(job, services, ended));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/**
 * Compares every second what is due with what was done, by the clock of the service: so a slot is neither missed while
 * no process was there, nor by a clock that was set. Never rejects.
 */
async function keepTimetable(job: Job, services: Services, stopping: AbortSignal): Promise<void> {
  const { clock, log } = services;
  const first = latestSlot(job.schedule, clock.now());
  // Only what is due once a day is worth catching up with.
  let slotName = isDaily(job.schedule) ? null : first?.name;
  /** When something is to be done for the slot; null when nothing is. */
  let nextAt: number | null = null;
  let lookedAt = clock.now();
  while (!stopping.aborted) {
    await sleep(lookEveryMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    const now = clock.now();
    // An instant that was computed before the clock was set back may be hours away.
    if (nextAt !== null && now < lookedAt) nextAt = now;
    lookedAt = now;
    const slot = latestSlot(job.schedule, now);
    if (stopping.aborted || !slot || now - slot.due > caughtUpWithinMs) continue;
    if (slot.name !== slotName) nextAt = now - slot.due > missedAfterMs ? now + Math.random() * maxJitterMs : now;
    slotName = slot.name;
    if (nextAt === null || now < nextAt) continue;
    try {
      nextAt = await begin(job, slot, services, stopping);
    } catch (error) {
      nextAt = clock.now() + failedMs;
      log.warn({ err: error, job: job.name }, 'the timetable could not be followed');
    }
  }
}

async function begin(job: Job, slot: Slot, services: Services, stopping: AbortSignal) {
  if (!job.everywhere) return runSlot(job, slot, services, stopping);
  const hardMs = job.hardSeconds * 1000;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(hardMs)]);
  await withHardStop(hardMs, job.run(jobContext(job, services, signal)));
  return null;
}
