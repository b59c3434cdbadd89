import type { Evaluation } from '../server/alerts/evaluate.ts';
import { syncPullRequestCommits } from '../server/sync/pull-request-commits.ts';
import { type Collector, collectAll, inTurn } from './collect.ts';
import type { Collected } from './collected.ts';
import { evaluated } from './evaluated.ts';
import { job } from './job.ts';
import { alone, noRules, sumOfRules, verdict } from './sync-pr-facts.ts';

/** What reading the commits of one repository's merged pull requests came to. */
export interface CommitFacts extends Collected {
  prs: number;
  commits: number;
  truncated: number;
  rules: Evaluation;
}

export interface CommitFactsReport {
  done: number;
  remaining: number;
  prs: number;
  commits: number;
  truncated: number;
  rules: Evaluation;
  budgetExhausted: boolean;
}

const none = { prs: 0, commits: 0, truncated: 0, rules: noRules };

export const commitCollector: Collector<CommitFacts> = {
  kind: 'commits',
  queue: 'collect-commits',
  atOnce: 3,
  async collect(known, repository, collecting) {
    const repo = `${known.owner}/${known.repo}`;
    const read = await alone(known.id, collecting, (options) => syncPullRequestCommits(known.id, repository, options));
    if (!read) return { repo, status: 'locked', ...none };
    const { prsSynced: prs, commitsUpserted: commits, prsTruncated: truncated } = read;
    const about = { feed: 'commits', source: 'cron', store: collecting.store } as const;
    const rules = read.complete && !read.problem ? await evaluated(known, about, collecting.services) : noRules;
    return { repo, ...verdict(read, collecting), prs, commits, truncated, rules };
  },
  emptyResult: (_known, collected) => ({ ...collected, ...none }),
};

export const syncCommitFacts = job<CommitFactsReport>({
  name: 'commit-facts',
  title: 'Commits of pull requests',
  does: 'Reads the commits, with their sizes, of pull requests merged in the last 90 days, of every tracked repository.',
  schedule: '47 4 * * *',
  seconds: 240,
  hardSeconds: 290,
  housekeeping: false,
  needsToken: true,
  async run(context) {
    const repositories = await inTurn(commitCollector.kind, context);
    const { results, resumeAt } = await collectAll(commitCollector, repositories, context);
    const sum = (of: 'prs' | 'commits' | 'truncated') => results.reduce((total, one) => total + one[of], 0);
    const done = results.filter(({ status }) => status === 'ok').length;
    const failed = results.filter(({ status }) => status === 'error').length;
    const remaining = repositories.length - done - failed;
    const rules = sumOfRules(results);
    const [prs, commits, truncated] = [sum('prs'), sum('commits'), sum('truncated')];
    return {
      partial: remaining > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining, pull_requests: prs, commits },
      report: { done, remaining, prs, commits, truncated, rules, budgetExhausted: !context.mayContinue() },
    };
  },
});
