import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { lookBack, reaches } from './pull-request-pass.ts';
import { type PullRequestSyncOptions, syncPullRequests } from './pull-requests.ts';

export interface PullRequestCommitSync {
  /** Pull requests whose commits were read. */
  prsSynced: number;
  commitsUpserted: number;
  /** Those of them of which not all commits could be read. */
  prsTruncated: number;
  /** Pull requests merged in the last 90 days whose commits are still to be read, as far as they are known. */
  remaining: number;
  /** false while anything is left to read. */
  complete: boolean;
  /** Why the platform ended the reading; what was read before is stored. */
  problem: Problem | null;
}

/** Pull requests of one request. */
const batchSize = 10;
/** Pull requests that were read this recently are not read again first. */
const recent = 6 * 3_600_000;
/** More than one call reads; the next finds the others. */
const maxDue = 10_000;

/**
 * Brings the commits of the pull requests merged in the last 90 days into the store, newest merge first. What was
 * merged does not change, so that each pull request is read once; its commits are stored all or none.
 */
export async function syncPullRequestCommits(
  repoId: number,
  repository: Repository,
  options: PullRequestSyncOptions,
): Promise<PullRequestCommitSync> {
  const { store, clock } = options;
  const done = { prsSynced: 0, commitsUpserted: 0, prsTruncated: 0 };
  const outcome = await read({ ...options, repoId, repository, done }).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  const { merged, synced } = await store.pullRequestCommits.coverage(repoId, clock.now() - lookBack);
  const remaining = merged - synced;
  const problem = outcome instanceof Problem ? outcome : null;
  return { ...done, remaining, complete: outcome === true && remaining === 0, problem };
}

interface Sync extends PullRequestSyncOptions {
  repoId: number;
  repository: Repository;
  done: Pick<PullRequestCommitSync, 'prsSynced' | 'commitsUpserted' | 'prsTruncated'>;
}

/** Answers whether everything was read. */
async function read(sync: Sync): Promise<boolean> {
  const { repoId, store, clock, mayContinue, codehost, repository } = sync;
  const through = await mergesKnownUntil(sync);
  const due = await store.pullRequestCommits.due(repoId, clock.now() - lookBack, maxDue);
  let waiting = due.map(({ number }) => number);
  while (waiting.length > 0) {
    if (!mayContinue()) return false;
    const batch = waiting.slice(0, batchSize);
    const found = await codehost.pullRequests.readCommits(repository, batch);
    for (const [number, commits] of found) {
      // What the platform does not have (any more) it will not have tomorrow either: all of its commits are missing.
      const { commits: read, truncated } = commits ?? { commits: [], truncated: true };
      const put = await store.pullRequestCommits.put(repoId, number, read, { truncated, syncedAt: clock.now() });
      if (put !== null) note(sync, put, truncated);
    }
    // Those that the platform failed to report are requested once more after the others, in the end alone.
    waiting = [...waiting.slice(batchSize), ...batch.filter((number) => !found.has(number))];
  }
  if (through === null) return false;
  await store.pullRequestCommits.readThrough(repoId, through);
  return true;
}

function note({ done }: Sync, commits: number, truncated: boolean): void {
  done.prsSynced++;
  done.commitsUpserted += commits;
  if (truncated) done.prsTruncated++;
}

/** Until when every merge of the look-back is known, once that is recent; null when some may be missing. */
async function mergesKnownUntil(sync: Sync): Promise<Instant | null> {
  const { repoId, repository, clock } = sync;
  const known = await knownUntil(sync);
  if (known !== null && known > clock.now() - recent) return known;
  const { problem, complete } = await syncPullRequests(repoId, repository, sync);
  if (problem) throw problem;
  return complete ? knownUntil(sync) : null;
}

async function knownUntil({ repoId, repository, store, facts, clock }: Sync): Promise<Instant | null> {
  const now = clock.now();
  const cursor = await store.cursors.pullRequests.get(repoId);
  if (!cursor || cursor.resume) return null;
  const syncState = (await facts.syncStates(repository)).find(({ kind }) => kind === 'pull_requests') ?? null;
  return reaches(syncState, now - lookBack, now) ? syncState.through : null;
}
