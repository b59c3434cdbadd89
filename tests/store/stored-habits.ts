import type { Instant, Repository } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { syncStateOf } from '../facts/made-facts.ts';
import { aPullRequest } from '../metrics/delivery-builders.ts';
import type { MadePullRequest } from '../metrics/habit-worlds.ts';

/** The id of a commit, by where it stands; none of two repositories is equal. */
export const shaOf = (codehostId: number, number: number, position: number): string =>
  `${codehostId.toString(16)}a${number.toString(16)}b${position.toString(16)}`.padEnd(40, 'c');

/**
 * Tracks a repository, keeps these as its pull requests in the place of all others, and the commits of those that were
 * read. Answers the database's id.
 */
export async function keepMerged(
  store: Store,
  repository: Repository,
  merged: readonly Omit<MadePullRequest, 'repo'>[],
  now: Instant,
): Promise<number> {
  const repoId = await store.repositories.track(repository, 'ann', now);
  const items = merged.map(({ number, author, mergedAt, additions, deletions, files }) =>
    aPullRequest({
      number,
      author,
      mergedAt,
      additions,
      deletions,
      changedFiles: files,
      updatedAt: now + number,
      createdAt: mergedAt - 1,
      state: 'merged',
      htmlUrl: `${repository.htmlUrl}/pull/${number}`,
    }),
  );
  await store.facts.store(repository, [{ syncState: syncStateOf('pull_requests'), items, replaces: true }]);
  for (const { number, isRead, isTruncated, commits } of merged) {
    if (!isRead) continue;
    const made = commits.map(({ isMerge, files, ...commit }, position) => ({
      ...commit,
      sha: commit.sha ?? shaOf(repository.id, number, position),
      authoredAt: now,
      parents: isMerge ? 2 : 1,
      changedFiles: files,
    }));
    await store.pullRequestCommits.put(repoId, number, made, { truncated: isTruncated, syncedAt: now });
  }
  return repoId;
}
