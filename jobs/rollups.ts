import { job } from './job.ts';

/** Adds what webhooks delivered to the days it belongs to. Readers are exact before it, only slower. */
export const rollups = job({
  name: 'rollups',
  title: 'Daily figures',
  does: 'Updates daily figures with new and changed runs.',
  schedule: '*/10 * * * * *',
  seconds: 9,
  // A batch may be two statements of a minute each.
  hardSeconds: 130,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services: { store }, mayContinue }) {
    const days = (await store?.runs.recomputeDirty(mayContinue)) ?? 0;
    return { partial: false, resumeAt: null, summary: { days }, report: null };
  },
});
