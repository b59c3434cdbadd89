import { job } from './job.ts';

/** Adds what webhooks delivered to the days it belongs to. Readers are exact before it, only slower. */
export const rollups = job({
  name: 'rollups',
  title: 'Daily figures',
  does: 'Adds new and changed runs to the days they were created on.',
  schedule: '*/10 * * * * *',
  seconds: 9,
  hardSeconds: 10,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services: { store }, mayContinue }) {
    const days = (await store?.runs.recomputeDirty(mayContinue)) ?? 0;
    return { partial: false, resumeAt: null, summary: { days }, report: null };
  },
});
