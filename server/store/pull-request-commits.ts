import type { PullRequestCommit } from '../metrics/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/facts.ts';
import { accountDictionary } from './accounts.ts';
import type { Database } from './database.ts';
import { accountReader } from './facts/account-reader.ts';
import { lockRepository } from './facts/fact-shelf.ts';
import { fromMs, storable, toMs } from './wire-sql.ts';

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

/** A commit of a merged pull request, as stored; sizes are null where the platform did not tell. */
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
  /** Commits that are no merges and whose size the platform did not tell. */
  unmeasured: number;
  /** Until when every merge is known and was read; null when that was never so. */
  through: Instant | null;
}

/** The commits of merged pull requests. A pull request that is no longer kept has none here. */
export function pullRequestCommits(database: Database) {
  const accounts = accountDictionary(database);
  const readAccounts = accountReader(database);
  return {
    /** Merged since then and never read, newest merge first, at most `limit`. */
    due: (repoId: number, since: Instant, limit: number): Promise<DuePullRequest[]> =>
      database.query<DuePullRequest>(due, [repoId, since, limit]),
    /**
     * Puts the commits of one pull request, in their order, in the place of those kept before. Answers how many were
     * put; null when no such merged pull request is kept, and nothing was.
     */
    async put(
      repoId: number,
      prNumber: number,
      commits: readonly PullRequestCommit[],
      { truncated, syncedAt }: CommitReading,
    ): Promise<number | null> {
      const keyOf = await accounts.keep(commits.map(({ author }) => author));
      const rows = commits.map((commit) => ({ ...commit, author: keyOf(commit.author) }));
      return database.transaction(async (transaction) => {
        await transaction.query(lockRepository, [repoId]);
        const [marked] = await transaction.query(mark, [repoId, prNumber, truncated, syncedAt]);
        if (!marked) return null;
        await transaction.query('delete from commit_facts where repo_id = $1 and pr_number = $2', [repoId, prNumber]);
        const put = await transaction.query(insert, [repoId, prNumber, storable(JSON.stringify(rows))]);
        return put.length;
      });
    },
    /** Commits of the pull requests merged since then: newest merge first, and in each in their order. */
    async merged(repoId: number, since: Instant): Promise<MergedCommit[]> {
      const rows = await database.query<MergedRow>(merged, [repoId, since]);
      const keys = rows.flatMap(({ author, prAuthor }) => [author, prAuthor]);
      const accountOf = await readAccounts(new Set(keys.filter((key) => key !== null)));
      return rows.map((row) => ({ ...row, author: accountOf(row.author), prAuthor: accountOf(row.prAuthor) }));
    },
    /** Those merged since then, oldest first, and whether their commits were read. */
    readings: (repoId: number, since: Instant): Promise<MergeReading[]> =>
      database.query<MergeReading>(readings, [repoId, since]),
    /** Notes that the commits of every pull request that was merged until then have been read. */
    async readThrough(repoId: number, through: Instant): Promise<void> {
      await database.query(readThrough, [repoId, through]);
    },
    async coverage(repoId: number, since: Instant): Promise<CommitCoverage> {
      const [counts] = await database.query<CommitCoverage>(coverage, [repoId, since]);
      return counts ?? { merged: 0, synced: 0, truncated: 0, unmeasured: 0, through: null };
    },
  };
}

interface MergedRow extends Omit<MergedCommit, 'author' | 'prAuthor'> {
  author: string | null;
  prAuthor: string | null;
}

const due = `
  select number, ${toMs('merged_at')} as "mergedAt" from pr_facts
  where repo_id = $1::int and merged_at >= ${fromMs('$2')} and commits_synced_at is null
  order by merged_at desc, number desc limit $3::int`;

const readings = `
  select ${toMs('merged_at')} as "mergedAt", commits_synced_at is not null as "isRead" from pr_facts
  where repo_id = $1::int and merged_at >= ${fromMs('$2')} order by merged_at`;

const mark = `
  update pr_facts set commits_truncated = $3::boolean, commits_synced_at = ${fromMs('$4')}
  where repo_id = $1::int and number = $2::int and merged_at is not null returning number`;

/** The same commit twice counts once, where it came first. */
const insert = `
  insert into commit_facts (repo_id, pr_number, sha, position, merged_at, author_id, author_name, authored_at, is_merge,
    additions, deletions, changed_files)
  select distinct on (sha) $1::int, $2::int, sha, place, merged_at, author, "authorName", ${fromMs('"authoredAt"')},
    parents > 1, additions, deletions, "changedFiles"
  from rows from (json_to_recordset($3::json) as (sha text, author bigint, "authorName" text, "authoredAt" float8,
    parents int, additions int, deletions int, "changedFiles" int)) with ordinality
    as sent(sha, author, "authorName", "authoredAt", parents, additions, deletions, "changedFiles", place),
    (select merged_at from pr_facts where repo_id = $1::int and number = $2::int) pull_request
  order by sha, place
  returning sha`;

const merged = `
  select stored.pr_number as "prNumber", ${toMs('stored.merged_at')} as "mergedAt",
    pull_request.author_id::text as "prAuthor", stored.sha, stored.author_id::text as author,
    stored.author_name as "authorName", ${toMs('stored.authored_at')} as "authoredAt", stored.is_merge as "isMerge",
    stored.additions, stored.deletions, stored.changed_files as "changedFiles"
  from commit_facts stored
  join pr_facts pull_request on pull_request.repo_id = stored.repo_id and pull_request.number = stored.pr_number
  where stored.repo_id = $1::int and stored.merged_at >= ${fromMs('$2')}
    and pull_request.commits_synced_at is not null
  order by stored.merged_at desc, stored.pr_number desc, stored.position`;

const readThrough = `
  insert into sync_cursors (repo_id, kind, synced_through) values ($1::int, 'commits', ${fromMs('$2')})
  on conflict (repo_id, kind) do update set synced_through = excluded.synced_through`;

const coverage = `
  select count(*)::float8 as merged, count(commits_synced_at)::float8 as synced,
    (count(*) filter (where commits_synced_at is not null and commits_truncated))::float8 as truncated,
    coalesce(sum(untold.commits), 0)::float8 as unmeasured,
    (select ${toMs('synced_through')} from sync_cursors where repo_id = $1::int and kind = 'commits') as through
  from pr_facts pull_request
  cross join lateral (
    select count(*) as commits from commit_facts stored
    where stored.repo_id = pull_request.repo_id and stored.pr_number = pull_request.number
      and pull_request.commits_synced_at is not null and not stored.is_merge
      and (stored.additions is null or stored.deletions is null or stored.changed_files is null)
  ) untold
  where pull_request.repo_id = $1::int and pull_request.merged_at >= ${fromMs('$2')}`;
