import { refreshRepositoryMetrics } from '../server/openmetrics/refresh.ts';
import { job } from './job.ts';

/** Computes what `/metrics` shows of repositories, so that a scrape only reads it. */
export const gauges = job({
  name: 'gauges',
  title: 'Repository metrics',
  does: 'Computes the metrics of repositories for `/metrics`: of those with new facts, and every hour of all.',
  schedule: '*/5 * * * *',
  seconds: 240,
  hardSeconds: 280,
  housekeeping: true,
  needsToken: false,
  async run({ services, mayContinue }) {
    const { store } = services;
    if (!store) return { partial: false, resumeAt: null, summary: { repositories: 0 }, report: null };
    const { repositories, complete } = await refreshRepositoryMetrics({ ...services, store }, mayContinue);
    return { partial: !complete, resumeAt: null, summary: { repositories }, report: null };
  },
});
