import { Problem } from '../server/platform/problem.ts';
import { openServiceToken } from '../server/platform/service-token.ts';
import { whyOff } from '../server/reports/advisor/in-effect.ts';
import { followVerdicts } from '../server/reports/advisor-results/follow.ts';
import { readPullRequestStates } from '../server/reports/advisor-results/pull-request-states.ts';
import { job } from './job.ts';

/** What became of the pull requests with recommended changes, and what these came to. */
export const advisorVerdicts = job({
  name: 'advisor-verdicts',
  title: 'Recommended pull requests',
  does: 'Looks which pull requests with recommended changes were merged or closed, and what merged ones saved.',
  schedule: '57 5 * * *',
  seconds: 120,
  hardSeconds: 150,
  housekeeping: false,
  needsToken: true,
  async run({ services, mayContinue }) {
    const { store, env, connect } = services;
    if (!store || !env.CODEHOST_TOKEN) throw new Error('Pull requests are read with a database and a token.');
    if ((await whyOff({ services, isDemo: false })) !== null)
      return {
        partial: false,
        resumeAt: null,
        summary: { pull_requests: 0, merged: 0, begun: 0, looked: 0, failed: 0 },
        report: null,
      };
    const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
    const { read, merged } = await readPullRequestStates({ store, codehost, mayContinue }).catch((error: unknown) => {
      const isRejected = error instanceof Problem && error.code === 'unauthenticated';
      throw isRejected ? new Problem('service_token_missing', 'GitHub rejected the service token.') : error;
    });
    const source = { services, codehost: async () => codehost, isDemo: false, store, mayContinue };
    const { begun, looked, failed } = await followVerdicts(source);
    const summary = { pull_requests: read, merged, begun, looked, failed };
    return { partial: !mayContinue(), resumeAt: null, summary, report: null };
  },
});
