import { adviceCollector } from '../server/reports/advisor/collector.ts';
import { collectFromQueue } from '../server/sync/collect.ts';
import { commitCollector } from '../server/sync/commit-collector.ts';
import { pullRequestCollector } from '../server/sync/pull-request-collector.ts';
import { runCollector } from '../server/sync/run-collector.ts';
import { job } from './job.ts';

/** Takes part in what another process is collecting; where there is one process alone, there is nothing to take. */
export const worker = job({
  name: 'worker',
  title: 'Worker',
  does: 'Continues nightly jobs that another process started.',
  schedule: '*/5 * * * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  everywhere: true,
  async run(context) {
    let repositories = 0;
    if (context.services.store?.notices) {
      repositories += await collectFromQueue(runCollector, context);
      repositories += await collectFromQueue(pullRequestCollector, context);
      repositories += await collectFromQueue(commitCollector, context);
      repositories += await collectFromQueue(adviceCollector, context);
    }
    return { partial: false, resumeAt: null, summary: { repositories }, report: null };
  },
});
