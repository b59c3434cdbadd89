import { adviceCollector } from '../server/reports/advisor/collector.ts';
import { listAdvised, whyOff } from '../server/reports/advisor/in-effect.ts';
import { byOldestSync, collectAll } from '../server/sync/collect.ts';
import { job } from './job.ts';

export const advisorJudge = job({
  name: 'advisor-judge',
  title: 'Recommendations',
  does: 'Predicts what the recommended changes of workflow files save in every synced repository.',
  schedule: '37 5 * * *',
  seconds: 240,
  hardSeconds: 310,
  housekeeping: true,
  needsToken: true,
  async run(context) {
    if ((await whyOff({ services: context.services, isDemo: false })) !== null)
      return { partial: false, resumeAt: null, summary: { repositories: 0, failed: 0, remaining: 0 }, report: null };
    const source = { services: context.services, isDemo: false };
    const repositories = await listAdvised(await byOldestSync(adviceCollector.kind, context), source);
    const { results, remaining, resumeAt } = await collectAll(adviceCollector, repositories, context);
    const failed = results.filter(({ status }) => status === 'error').length;
    return {
      partial: remaining > 0 || resumeAt !== null,
      // What time was too short for is gone on with at once, as long as there is progress.
      resumeAt: resumeAt ?? (remaining > 0 && results.length > 0 ? context.services.clock.now() : null),
      summary: { repositories: repositories.length, failed, remaining },
      report: null,
    };
  },
});
