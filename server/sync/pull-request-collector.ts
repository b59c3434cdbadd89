import { storeOpenPullRequests } from '../facts/open-pull-requests.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import type { Collector } from './collect.ts';
import { type FactSyncResult, factSyncResult, noRules, withRepositoryLease } from './fact-collector.ts';
import { type PullRequestSync, type PullRequestSyncOptions, syncPullRequests } from './pull-requests.ts';

/** What reading the pull requests of one repository came to. */
export interface PullRequestSyncResult extends FactSyncResult {
  upserted: number;
  reviews: number;
}

/** Reads the pull requests of a tracked repository: those that ended, and those that are open. */
export const pullRequestCollector: Collector<PullRequestSyncResult> = {
  kind: 'prs',
  queue: 'collect-pull-requests',
  async collect(known, repository, context) {
    const read = await withRepositoryLease(known.id, context, (options) => readAll(known.id, repository, options));
    const result = await factSyncResult(known, 'pull-requests', read, context);
    return { ...result, upserted: read?.upserted ?? 0, reviews: read?.reviews ?? 0 };
  },
  emptyResult: (result) => ({ ...result, upserted: 0, reviews: 0, rules: noRules }),
};

/** Those that ended, and once they are complete those that are open. */
async function readAll(
  repoId: number,
  repository: Repository,
  options: PullRequestSyncOptions,
): Promise<PullRequestSync> {
  const ended = await syncPullRequests(repoId, repository, options);
  if (!ended.complete) return ended;
  if (!options.mayContinue()) return { ...ended, complete: false };
  const problem = await storeOpenPullRequests(repoId, repository, options);
  return problem === null ? ended : { ...ended, complete: false, problem };
}
