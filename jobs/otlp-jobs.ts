import { fetchMissingJobs } from '../server/otlp/fetch-jobs.ts';
import { job } from './job.ts';

/** Reads jobs of runs that traces wait for; one process at a time does. */
export const otlpJobs = job({
  name: 'otlp-jobs',
  title: 'Jobs for traces',
  does: 'Fetches jobs of completed runs that traces have waited for longer than 15 minutes.',
  schedule: '* * * * *',
  seconds: 50,
  hardSeconds: 58,
  housekeeping: true,
  needsToken: true,
  everywhere: true,
  async run({ services, mayContinue }) {
    const { store } = services;
    const attempts = store ? await fetchMissingJobs({ ...services, store }, mayContinue) : 0;
    return { partial: false, resumeAt: null, summary: { attempts }, report: null };
  },
});
