import { type FactRepository, isSince, type SyncState } from '../facts/fact-repository.ts';
import { bringUpToDate, type FactSource } from '../facts/facts.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';
import {
  believable,
  changesPass,
  fullPass,
  lookBack,
  neverRead,
  overlap,
  type PullRequestPass,
  reaches,
} from './pull-request-pass.ts';

export interface PullRequestSyncOptions {
  codehost: FactSource['codehost'];
  store: Store;
  clock: Clock;
  /** Where pages of people find facts: that of the store. */
  facts: FactRepository;
  /** No new request is begun once this is false. */
  mayContinue(): boolean;
}

export interface PullRequestSync {
  /** Pull requests added or changed. */
  upserted: number;
  /** Reviews of these. */
  reviews: number;
  /** Requests for pull requests that were answered. */
  pages: number;
  /** false while anything is left to read. */
  complete: boolean;
  /** Why the platform ended the reading; what was read before is stored. */
  problem: Problem | null;
}

/** Pages of one call; the next goes on behind them. */
const maxPages = 20;

/**
 * Brings the pull requests that ended in the last 90 days into the store, with their reviews: page by page the first
 * time, then what changed, in one request. Every page is stored at once and may be read again any number of times.
 */
export async function syncPullRequests(
  repoId: number,
  repository: Repository,
  options: PullRequestSyncOptions,
): Promise<PullRequestSync> {
  const done = { upserted: 0, reviews: 0, pages: 0 };
  const outcome = await read({ ...options, repoId, repository, done }).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  return { ...done, complete: outcome === true, problem: outcome instanceof Problem ? outcome : null };
}

interface Sync extends PullRequestSyncOptions {
  repoId: number;
  repository: Repository;
  done: Pick<PullRequestSync, 'upserted' | 'reviews' | 'pages'>;
}

/** Answers whether everything was read. */
async function read(sync: Sync): Promise<boolean> {
  const { repoId, store, clock, mayContinue } = sync;
  while (mayContinue()) {
    const now = clock.now();
    const cursor = believable((await store.cursors.pullRequests.get(repoId)) ?? neverRead, now);
    const syncState = await getSyncState(sync);
    const isStored = reaches(syncState, now - lookBack, now);
    // Whoever read everything meanwhile spares the rest.
    const resume = isStored && cursor.resume?.beside !== syncState.floor ? null : cursor.resume;
    if (isStored && !resume && (await readChanges(sync, syncState))) return true;
    const pass = resume ?? (isStored ? changesPass(syncState, now, syncState) : fullPass(syncState, now));
    // From here on nobody removes what lies below the floor of the sync state.
    if (!resume) await store.cursors.pullRequests.put(repoId, { ...cursor, resume: pass });
    if (!(await readPages(sync, pass))) return false;
    // What is updated while pages are read moves to the front of the list, past a reading that is on its way down. It
    // was updated after the reading began, and the next one requests all that was updated since an hour before that.
    const through = pass.startedAt - overlap;
    const isFinished = await store.cursors.pullRequests.finish(repoId, pass, through, clock.now());
    if (!isFinished) await goOnAfter(sync, pass);
    // A reading that took days leaves much to that next one: it follows at once.
    else if (pass.startedAt >= now - overlap) return true;
  }
  return false;
}

/** What changed since the last reading, in one request; false where that was too much for it. */
async function readChanges(sync: Sync, before: SyncState): Promise<boolean> {
  const { codehost, facts: factRepository, clock, repository, repoId, store, done } = sync;
  const facts = () => factRepository.facts(repository, 'pull_requests', before.floor);
  const known = new Map((await facts()).map(({ number, updatedAt }) => [number, updatedAt]));
  await bringUpToDate({ codehost, factRepository, clock }, repository);
  done.pages++;
  const syncState = await getSyncState(sync);
  if (!syncState || syncState.through <= before.through) return false;
  const changed = (await facts()).filter(({ number, updatedAt }) => known.get(number) !== updatedAt);
  done.upserted += changed.length;
  done.reviews += changed.reduce((sum, { reviews }) => sum + (reviews?.length ?? 0), 0);
  await store.cursors.pullRequests.put(repoId, { syncedThrough: syncState.through, resume: null });
  return true;
}

/** Reads on from where the pass is, and answers whether it came to its end. */
async function readPages(sync: Sync, pass: PullRequestPass): Promise<boolean> {
  const { codehost, repository, repoId, store, mayContinue, done } = sync;
  const ask = codehost.pullRequests.endedPages(repository);
  let rest = pass;
  while (done.pages < maxPages && mayContinue()) {
    const page = await ask(rest.after);
    done.pages++;
    rest = { ...rest, after: page?.next ?? null };
    const wanted = page?.items.filter((one) => isSince('pull_requests', one, pass.floor)) ?? [];
    const { upserted, reviews } = await store.cursors.pullRequests.storePage(repoId, wanted, rest);
    done.upserted += upserted;
    done.reviews += reviews;
    // A place that the platform does not know any more: from the start again.
    if (!page) continue;
    if (page.next === null || (page.oldestUpdate ?? Number.POSITIVE_INFINITY) < pass.until) return true;
  }
  return false;
}

/** Somebody read the pull requests completely while the pass was under way: what changed in between is read as well. */
async function goOnAfter(sync: Sync, pass: PullRequestPass): Promise<void> {
  const { repoId, store, clock } = sync;
  const { pullRequests } = store.cursors;
  const [now, syncState, cursor] = [clock.now(), await getSyncState(sync), await pullRequests.get(repoId)];
  const isStored = reaches(syncState, pass.floor, now);
  const resume = isStored ? null : changesPass({ through: pass.startedAt, floor: pass.floor }, now, syncState);
  await pullRequests.put(repoId, { ...(cursor ?? neverRead), resume });
}

async function getSyncState({ facts, repository }: Sync): Promise<SyncState | null> {
  const syncStates = await facts.syncStates(repository);
  return syncStates.find(({ kind }) => kind === 'pull_requests') ?? null;
}
