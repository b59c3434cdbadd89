import { Problem } from '../server/platform/problem.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { readPullRequestStates } from '../server/reports/advisor/verdicts/pull-request-states.ts';
import { job } from './job.ts';

/** What became of the pull requests with recommended changes. */
export const advisorVerdicts = job({
  name: 'advisor-verdicts',
  title: 'Recommended pull requests',
  does: 'Looks which pull requests with recommended changes were merged or closed.',
  schedule: '57 5 * * *',
  seconds: 120,
  hardSeconds: 150,
  housekeeping: false,
  needsToken: true,
  async run({ services: { store, env, connect } }) {
    if (!store || !env.CODEHOST_TOKEN) throw new Error('Pull requests are read with a database and a token.');
    const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
    const { read, merged } = await readPullRequestStates(store, codehost).catch((error: unknown) => {
      const isRejected = error instanceof Problem && error.code === 'unauthenticated';
      throw isRejected ? new Problem('service_token_missing', 'GitHub rejected the service token.') : error;
    });
    return { partial: false, resumeAt: null, summary: { pull_requests: read, merged }, report: null };
  },
});
