import { job } from './job.ts';

/** Deletes what is no longer stored. What is not reached tonight is deleted the next night. */
export const purge = job({
  name: 'purge',
  title: 'Purge',
  does: 'Deletes data past its retention: runs, facts, deliveries, ended sessions and job history.',
  schedule: '37 2 * * *',
  seconds: 60,
  hardSeconds: 110,
  housekeeping: true,
  needsToken: false,
  async run({ services: { store, clock, env }, mayContinue }) {
    const purged = await store?.purge(clock.now(), { runDays: env.RETENTION_RUN_DAYS, mayContinue });
    const summary = { rows_deleted: Object.values(purged?.rows ?? {}).reduce((sum, rows) => sum + rows, 0) };
    return { partial: purged?.complete === false, resumeAt: null, summary, report: null };
  },
});
