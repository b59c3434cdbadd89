import { job } from './job.ts';

/** Brings rollups up to date and forgets what has expired. */
export const housekeeping = job({
  name: 'housekeeping',
  schedule: '*/5 * * * *',
  seconds: 60,
  housekeeping: true,
  async run({ services: { store, clock } }): Promise<Record<string, number>> {
    if (!store) return {};
    const days = await store.runs.recomputeDirty();
    const forgotten = await store.forgetExpired(clock.now());
    return { days_recomputed: days, rows_forgotten: forgotten };
  },
});
