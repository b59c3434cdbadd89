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
  async run({ services }) {
    const { read, merged } = await readPullRequestStates(services);
    return { partial: false, resumeAt: null, summary: { pull_requests: read, merged }, report: null };
  },
});
