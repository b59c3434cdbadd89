import type { Services } from '../server/access/context.ts';
import { alertDeliveries } from './alert-deliveries.ts';
import { alertEvaluation } from './alert-evaluation.ts';
import { housekeeping } from './housekeeping.ts';
import { rollups } from './rollups.ts';
import { jobContext, runJob, withHardStop } from './run-job.ts';
import { slotAt } from './slots.ts';

/** What the timetable does every few seconds, in this order: an alert is evaluated before its message is sent. */
const frequent = [rollups, alertEvaluation, alertDeliveries];

/**
 * Does once what is due of the work that the timetable repeats all day, where there is no timetable and another
 * scheduler calls; within this time. What fails is logged, and like what was not reached it is due again at the next
 * call.
 */
export async function catchUp(services: Services, leftMs: number): Promise<void> {
  if (!services.store || leftMs <= 0) return;
  const signal = AbortSignal.any([services.stopping, AbortSignal.timeout(leftMs)]);
  await withHardStop(leftMs, doAll(services, signal)).catch(failed(services, 'catch-up'));
}

async function doAll(services: Services, signal: AbortSignal): Promise<void> {
  const slot = slotAt(housekeeping.schedule, services.clock.now());
  const start = { slot, trigger: 'http', stopping: signal } as const;
  await runJob(housekeeping, services, start).catch(failed(services, housekeeping.name));
  for (const job of frequent) {
    if (signal.aborted) return;
    await job.run(jobContext(job, services, signal)).catch(failed(services, job.name));
  }
}

const failed = (services: Services, job: string) => (error: unknown) =>
  services.log.error({ err: error, job }, 'work that is due failed');
