import { syncPullRequestCommits } from '../server/sync/pull-request-commits.ts';
import { type Collector, collectAll, inTurn } from './collect.ts';
import type { Collected } from './collected.ts';
import { job } from './job.ts';
import { alone, verdict } from './sync-pr-facts.ts';

/** What reading the commits of one repository's merged pull requests came to. */
export interface CommitFacts extends Collected {
  prs: number;
  commits: number;
  truncated: number;
}

export interface CommitFactsReport {
  done: number;
  remaining: number;
  prs: number;
  commits: number;
  truncated: number;
  budgetExhausted: boolean;
}

const none = { prs: 0, commits: 0, truncated: 0 };

export const commitCollector: Collector<CommitFacts> = {
  kind: 'commits',
  queue: 'collect-commits',
  atOnce: 3,
  async collect(known, repository, collecting) {
    const repo = `${known.owner}/${known.repo}`;
    const read = await alone(known.id, collecting, (options) => syncPullRequestCommits(known.id, repository, options));
    if (!read) return { repo, status: 'locked', ...none };
    const { prsSynced: prs, commitsUpserted: commits, prsTruncated: truncated } = read;
    return { repo, ...verdict(read, collecting), prs, commits, truncated };
  },
  refused: (_known, collected) => ({ ...collected, ...none }),
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
    const [prs, commits, truncated] = [sum('prs'), sum('commits'), sum('truncated')];
    return {
      partial: remaining > 0 || resumeAt !== null,
      resumeAt,
      summary: { repositories: repositories.length, failed, remaining, pull_requests: prs, commits },
      report: { done, remaining, prs, commits, truncated, budgetExhausted: !context.mayGoOn() },
    };
  },
});
