import type { PullRequestCommit } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import { accountDictionary } from './accounts.ts';
import { type Database, type Queries, storable } from './database.ts';
import { accountReader } from './facts/account-reader.ts';
import { lockRepository } from './locks.ts';
import { commitStatements } from './statements.ts';

/** A merged pull request whose commits are still to be read. */
export interface DuePullRequest {
  number: number;
  mergedAt: Instant;
}

/** A merged pull request and whether its commits were read. */
export interface MergeReading {
  mergedAt: Instant;
  isRead: boolean;
}

/** How a list of commits was read. */
export interface CommitReading {
  /** true when the pull request has commits that are not among them. */
  truncated: boolean;
  syncedAt: Instant;
}

/** A commit of a merged pull request, as stored; sizes are null where the platform did not report them. */
export interface MergedCommit extends Omit<PullRequestCommit, 'parents'> {
  prNumber: number;
  mergedAt: Instant;
  /** null for a deleted account. */
  prAuthor: Actor | null;
  isMerge: boolean;
}

/** How much is known of the pull requests that were merged since an instant. */
export interface CommitCoverage {
  merged: number;
  /** Those whose commits were read. */
  synced: number;
  /** Those of which only a part of the commits could be read. */
  truncated: number;
  /** Commits that are no merges and whose size the platform did not report. */
  unmeasured: number;
  /** Until when every merge is known and was read; null when that was never so. */
  through: Instant | null;
}

/** The commits of merged pull requests. A pull request that is no longer stored has none here. */
export function pullRequestCommits(database: Database) {
  const accounts = accountDictionary(database);
  const readAccounts = accountReader(database);
  return {
    /** Merged since then and never read, newest merge first, at most `limit`. */
    async due(repoId: number, since: Instant, limit: number): Promise<DuePullRequest[]> {
      const rows = await mergedSince(database, repoId, since)
        .where('commitsSyncedAt', 'is', null)
        .select(['number', 'mergedAt'])
        .orderBy('mergedAt', 'desc')
        .orderBy('number', 'desc')
        .limit(limit)
        .$narrowType<{ mergedAt: Instant }>()
        .execute();
      return rows;
    },
    /**
     * Puts the commits of one pull request, in their order, in the place of those stored before. Answers how many were
     * put; null when no such merged pull request is stored, and nothing was.
     */
    async put(
      repoId: number,
      prNumber: number,
      commits: readonly PullRequestCommit[],
      { truncated, syncedAt }: CommitReading,
    ): Promise<number | null> {
      const toAccountKey = await accounts.store(commits.map(({ author }) => author));
      const rows = commits.map((commit) => ({ ...commit, author: toAccountKey(commit.author) }));
      return database.transaction(async (transaction) => {
        await lockRepository(transaction, repoId);
        const marked = await transaction.db
          .updateTable('pr_facts')
          .set({ commitsTruncated: truncated, commitsSyncedAt: syncedAt })
          .where('repoId', '=', repoId)
          .where('number', '=', prNumber)
          .where('mergedAt', 'is not', null)
          .returning('number')
          .executeTakeFirst();
        if (!marked) return null;
        return replaceCommits(transaction, repoId, prNumber, storable(JSON.stringify(rows)));
      });
    },
    /** Commits whose first merge was since then: newest merge first, and in each in their order. */
    async merged(repoId: number, since: Instant): Promise<MergedCommit[]> {
      const rows = await database.run<MergedRow>(commitStatements.merged_commits, { repo_id: repoId, since });
      const keys = rows.flatMap(({ author, prAuthor }) => [author, prAuthor]);
      const getAccount = await readAccounts(new Set(keys.filter((key) => key !== null)));
      return rows.map((row) => ({ ...row, author: getAccount(row.author), prAuthor: getAccount(row.prAuthor) }));
    },
    /** Those merged since then, oldest first, and whether their commits were read. */
    async readings(repoId: number, since: Instant): Promise<MergeReading[]> {
      const rows = await mergedSince(database, repoId, since)
        .select(['mergedAt', 'commitsSyncedAt'])
        .orderBy('mergedAt')
        .$narrowType<{ mergedAt: Instant }>()
        .execute();
      return rows.map(({ mergedAt, commitsSyncedAt }) => ({ mergedAt, isRead: commitsSyncedAt !== null }));
    },
    /** Notes that the commits of every pull request that was merged until then have been read. */
    async readThrough(repoId: number, through: Instant): Promise<void> {
      await database.db
        .insertInto('sync_cursors')
        .values({ repoId, kind: 'commits', syncedThrough: through })
        .onConflict((conflict) => conflict.columns(['repoId', 'kind']).doUpdateSet({ syncedThrough: through }))
        .execute();
    },
    async coverage(repoId: number, since: Instant): Promise<CommitCoverage> {
      const [counts] = await database.run<CommitCoverage>(commitStatements.commit_coverage, { repo_id: repoId, since });
      return counts ?? { merged: 0, synced: 0, truncated: 0, unmeasured: 0, through: null };
    },
  };
}

interface MergedRow extends Omit<MergedCommit, 'author' | 'prAuthor'> {
  author: string | null;
  prAuthor: string | null;
}

const mergedSince = ({ db }: Queries, repoId: number, since: Instant) =>
  db.selectFrom('pr_facts').where('repoId', '=', repoId).where('mergedAt', '>=', since);

/** Answers how many commits are stored of the pull request now. */
async function replaceCommits({ db, run }: Queries, repoId: number, prNumber: number, commits: string) {
  await db.deleteFrom('commit_facts').where('repoId', '=', repoId).where('prNumber', '=', prNumber).execute();
  return (await run(commitStatements.insert_commits, { repo_id: repoId, number: prNumber, commits })).length;
}
