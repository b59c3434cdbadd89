import type { Evaluation } from '../server/alerts/evaluate.ts';
import { byOldestSync, collectAll } from '../server/sync/collect.ts';
import { totalRules } from '../server/sync/fact-collector.ts';
import { pullRequestCollector } from '../server/sync/pull-request-collector.ts';
import { job } from './job.ts';

export interface PullRequestFactsReport {
  inScope: number;
  done: number;
  remaining: number;
  upserted: number;
  reviews: number;
  rules: Evaluation;
}

export const prFacts = job<PullRequestFactsReport>({
  name: 'pr-facts',
  title: 'Pull requests',
  does: 'Syncs open pull requests, those closed in the last 90 days, and their reviews in every synced repository.',
  schedule: '17 4 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const repositories = await byOldestSync(pullRequestCollector.kind, context);
    const { results, resumeAt } = await collectAll(pullRequestCollector, repositories, context);
    const done = results.filter(({ status }) => status === 'ok').length;
    const failed = results.filter(({ status }) => status === 'error').length;
    const remaining = repositories.length - done - failed;
    const upserted = results.reduce((sum, one) => sum + one.upserted, 0);
    const reviews = results.reduce((sum, one) => sum + one.reviews, 0);
    return {
      partial: remaining > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining, pull_requests: upserted },
      report: { inScope: repositories.length, done, remaining, upserted, reviews, rules: totalRules(results) },
    };
  },
});
