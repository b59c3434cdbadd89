import type { Collector } from './collect.ts';
import { type FactSyncResult, factSyncResult, noRules, withRepositoryLease } from './fact-collector.ts';
import { syncPullRequestCommits } from './pull-request-commits.ts';

/** What reading the commits of one repository's merged pull requests came to. */
export interface CommitSyncResult extends FactSyncResult {
  prs: number;
  commits: number;
  truncated: number;
}

/** Reads the commits of the merged pull requests of a tracked repository. */
export const commitCollector: Collector<CommitSyncResult> = {
  kind: 'commits',
  queue: 'collect-commits',
  async collect(known, repository, context) {
    const read = await withRepositoryLease(known.id, context, (options) =>
      syncPullRequestCommits(known.id, repository, options),
    );
    const result = await factSyncResult(known, 'commits', read, context);
    return {
      ...result,
      prs: read?.prsSynced ?? 0,
      commits: read?.commitsUpserted ?? 0,
      truncated: read?.prsTruncated ?? 0,
    };
  },
  emptyResult: (result) => ({ ...result, prs: 0, commits: 0, truncated: 0, rules: noRules }),
};
