import type { PullRequest } from '../metrics/kernel/delivery-facts.ts';
import type { Window } from '../metrics/kernel/window.ts';
import type { Queries } from './database.ts';
import { accountReader } from './facts/account-reader.ts';
import { type FactRow, factsFrom, keysIn } from './facts/rows.ts';

/** The pull requests of several repositories that were merged or closed in a window, by the database's own ids. */
export function endedPullRequests(queries: Queries) {
  const readAccounts = accountReader(queries);
  return async (repoIds: readonly number[], window: Window): Promise<(PullRequest & { repoId: number })[]> => {
    const rows = await queries.db
      .selectFrom('pr_facts')
      .select(['repoId', 'number', 'authorId as author', 'state', 'isDraft', 'createdAt', 'updatedAt', 'closedAt'])
      .select(['mergedAt', 'mergedById as mergedBy', 'baseBranch', 'headBranch', 'headSha', 'labels', 'additions'])
      .select(['deletions', 'changedFiles', 'commitCount', 'firstCommitAt', 'isRevert', 'reviews'])
      .select(['reviewsTruncated', 'clock', 'mergeQueue', 'htmlUrl'])
      .select(({ val }) => val(null).as('title'))
      .where(({ eb, fn }) => eb('repoId', '=', fn.any(eb.val([...repoIds]))))
      .where(({ eb }) =>
        eb.or([
          eb('mergedAt', '>=', window.from).and('mergedAt', '<=', window.to),
          eb('mergedAt', 'is', null).and('closedAt', '>=', window.from).and('closedAt', '<=', window.to),
        ]),
      )
      .where('state', '!=', 'open')
      .execute();
    const facts = rows as FactRow[];
    return factsFrom('pull_requests', facts, await readAccounts(keysIn('pull_requests', facts))) as (PullRequest & {
      repoId: number;
    })[];
  };
}
