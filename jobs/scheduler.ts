import { randomUUID } from 'node:crypto';
import { Cron } from 'croner';
import type { Services } from '../server/access/context.ts';
import { housekeeping } from './housekeeping.ts';
import type { Job } from './job.ts';

export const jobs: readonly Job[] = [housekeeping];

export interface Scheduler {
  /** Stops the timetable, tells running jobs to stop, and waits for them. */
  stop(): Promise<void>;
}

/** Starts the timetable that `SCHEDULER` asks for; without a database there is nothing to do. */
export function startScheduler(services: Services, all: readonly Job[] = jobs): Scheduler {
  const mode = services.env.SCHEDULER;
  const wanted = services.store && mode !== 'off' ? all.filter((job) => job.housekeeping || mode === 'internal') : [];
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const timetable = wanted.map(
    (job) =>
      new Cron(job.schedule, { name: job.name, timezone: 'UTC', protect: true, unref: true }, async () => {
        const work = runJob(job, services, stopping.signal);
        running.add(work);
        await work.finally(() => running.delete(work));
      }),
  );
  return {
    async stop() {
      for (const cron of timetable) cron.stop();
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

/** Runs a job once, unless another process holds its lease, and keeps a row about it. */
export async function runJob(job: Job, services: Services, stopping: AbortSignal): Promise<void> {
  const { store, clock, log } = services;
  if (!store) return;
  const holder = randomUUID();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(job.seconds * 1000)]);
  const slot = new Date(clock.now()).toISOString().slice(0, 10);
  try {
    await store.leases.hold(`job:${job.name}`, holder, async () => {
      const row = await store.jobRuns.start({ job: job.name, slot, trigger: 'internal', now: clock.now() });
      const finish = (status: 'done' | 'partial' | 'failed', summary = {}) =>
        store.jobRuns.finish(row, { status, summary, now: clock.now() });
      const summary = await job.run({ services, signal }).catch(async (error: unknown) => {
        // What ends because it was told to has not failed.
        await finish(signal.aborted ? 'partial' : 'failed');
        throw error;
      });
      await finish(signal.aborted ? 'partial' : 'done', summary);
      log.info({ job: job.name, ...summary }, 'job done');
    });
  } catch (error) {
    log.error({ err: error, job: job.name }, 'job failed');
  }
}
