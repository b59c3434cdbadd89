import { continueBackfills } from '../server/otlp/backfill.ts';
import { job } from './job.ts';

/** Goes on with backfills of traces; one process at a time does for each destination. */
export const otlpBackfill = job({
  name: 'otlp-backfill',
  title: 'Backfill of traces',
  does: 'Queues stored runs for destinations of traces, as requested in the settings.',
  schedule: '*/10 * * * * *',
  seconds: 8,
  hardSeconds: 60,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services, mayContinue }) {
    const { store } = services;
    const attempts = store ? await continueBackfills({ ...services, store }, mayContinue) : 0;
    return { partial: false, resumeAt: null, summary: { attempts }, report: null };
  },
});
