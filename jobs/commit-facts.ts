import type { Evaluation } from '../server/alerts/evaluate.ts';
import { byOldestSync, collectAll } from '../server/sync/collect.ts';
import { commitCollector, forgetMarksWhileOff } from '../server/sync/commit-collector.ts';
import { totalRules } from '../server/sync/fact-collector.ts';
import { job } from './job.ts';

export interface CommitFactsReport {
  done: number;
  remaining: number;
  prs: number;
  commits: number;
  truncated: number;
  rules: Evaluation;
  budgetExhausted: boolean;
}

export const commitFacts = job<CommitFactsReport>({
  name: 'commit-facts',
  title: 'Commits of pull requests',
  does: 'Syncs commits of pull requests merged in the last 90 days in every synced repository.',
  schedule: '47 4 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    await forgetMarksWhileOff(context.services);
    const repositories = await byOldestSync(commitCollector.kind, context);
    const { results, resumeAt } = await collectAll(commitCollector, repositories, context);
    const done = results.filter(({ status }) => status === 'ok').length;
    const failed = results.filter(({ status }) => status === 'error').length;
    const remaining = repositories.length - done - failed;
    const total = (count: 'prs' | 'commits' | 'truncated') => results.reduce((sum, one) => sum + one[count], 0);
    const [prs, commits, truncated] = [total('prs'), total('commits'), total('truncated')];
    return {
      partial: remaining > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining, pull_requests: prs, commits },
      report: {
        done,
        remaining,
        prs,
        commits,
        truncated,
        rules: totalRules(results),
        budgetExhausted: !context.mayContinue(),
      },
    };
  },
});
