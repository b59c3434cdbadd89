import { helpCollect } from './collect.ts';
import { job } from './job.ts';
import { runsCollector } from './runs-sync.ts';
import { commitCollector } from './sync-commit-facts.ts';
import { pullRequestCollector } from './sync-pr-facts.ts';

/** Takes part in what another process is collecting; where there is one process alone, there is nothing to take. */
export const helping = job({
  name: 'helping',
  title: 'Helping',
  does: 'Reads repositories of nightly work that another process began.',
  schedule: '*/5 * * * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  everywhere: true,
  async run(context) {
    let repositories = 0;
    if (context.services.store?.notices) {
      repositories += await helpCollect(runsCollector, context);
      repositories += await helpCollect(pullRequestCollector, context);
      repositories += await helpCollect(commitCollector, context);
    }
    return { partial: false, resumeAt: null, summary: { repositories }, report: null };
  },
});
