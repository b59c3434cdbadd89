import { exportSpans } from '../server/otlp/export.ts';
import { job } from './job.ts';

/** Sends spans of runs that have completed; every process takes part. */
export const otlpExport = job({
  name: 'otlp-export',
  title: 'Traces of runs',
  does: 'Sends traces of completed runs to the destinations in the settings.',
  schedule: '*/5 * * * * *',
  seconds: 5,
  hardSeconds: 60,
  housekeeping: true,
  needsToken: false,
  everywhere: true,
  async run({ services, mayContinue }) {
    const { store } = services;
    const spans = store ? await exportSpans({ ...services, store }, mayContinue) : 0;
    return { partial: false, resumeAt: null, summary: { spans }, report: null };
  },
});
