import { openServiceToken } from '../server/platform/service-token.ts';
import { renewComparisons } from '../server/reports/ai-authorship/renew-comparisons.ts';
import { job } from './job.ts';

export const aiComparison = job({
  name: 'ai-comparison',
  title: 'Comparison of marked pull requests',
  does: 'Compares pull requests with a mark of an AI agent with others like them, once a week and after a change of the table of marks.',
  schedule: '47 5 * * *',
  seconds: 240,
  hardSeconds: 600,
  housekeeping: false,
  needsToken: true,
  async run({ services, mayContinue }) {
    const { env, connect } = services;
    if (!env.CODEHOST_TOKEN) throw new Error('Pull requests are compared with a token.');
    const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
    const { computed, failed, waiting, remaining } = await renewComparisons(services, codehost, mayContinue);
    return {
      partial: remaining > 0,
      // What time was too short for is gone on with at once; what failed waits, so that this ends.
      resumeAt: remaining > 0 && computed + failed > 0 ? services.clock.now() : null,
      summary: { computed, failed, waiting, remaining },
      report: null,
    };
  },
});
