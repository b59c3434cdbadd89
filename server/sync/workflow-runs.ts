import type { Codehost } from '../codehost/client/client.ts';
import type { Instant, RepositoryName, WorkflowRun } from '../metrics/kernel/facts.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem } from '../platform/problem.ts';
import type { Fence } from '../store/leases.ts';
import type { Store } from '../store/orm.ts';
import { believable, finish, firstPass, isUpToDate, neverSynced, type Pass, type RunCursor } from './cursor.ts';
import { refreshUnfinished, storeEarlierAttempts } from './known-runs.ts';
import { readPass } from './passes.ts';

export interface RunSyncOptions {
  codehost: Codehost;
  store: Store;
  clock: Clock;
  backfillDays: number;
  /** Pages of 100 runs that one call may list. */
  maxPages: number;
  /** Runs that had not ended when they were last seen are requested again once that is so long ago. */
  refreshAfterMs: number;
  /** No new request is begun once this is false, or the lease under which the repository is read was lost. */
  mayContinue(): boolean;
  lost: AbortSignal;
  fence: Fence;
}

export interface RunSync {
  /** Runs inserted or actually changed, of those that the store counts: an earlier attempt is part of its run. */
  changed: number;
  /** Runs that were listed with a field that could not be read: they are not stored. */
  unread: number;
  /** false while anything is left to read. */
  complete: boolean;
  syncedThrough: Instant | null;
  /** The newest runs were read, so that windows up to now can be judged as far back as the reading has come. */
  upToDate: boolean;
  /** Why the platform ended the reading, or did not give a single run; what was read is stored. */
  problem: Problem | null;
  /** The first problem of single runs that were left out. */
  skipped: Problem | null;
}

/**
 * Brings one repository's runs into the store: what is new, what was unfinished, what was re-run.
 * Every page is stored at once and may be read again any number of times; the result depends on the platform alone.
 * @throws LeaseLost when another process has gone on with the repository: how far it was read is not written then.
 */
export async function syncRuns(repoId: number, name: RepositoryName, options: RunSyncOptions): Promise<RunSync> {
  const { store, clock, lost, fence } = options;
  const startedAt = clock.now();
  let cursor = believable((await store.cursors.get(repoId)) ?? neverSynced, startedAt);
  let changed = 0;
  let unread = 0;
  let skipped: Problem | null = null;
  const sync: Sync = {
    ...options,
    repoId,
    name,
    startedAt,
    mayContinue: () => !lost.aborted && options.mayContinue(),
    async storeRuns(runs) {
      if (runs.length === 0) return;
      const done = await store.runs.ingest(repoId, runs, { syncedAt: clock.now() });
      changed += done.inserted + done.changed;
    },
    async storeEarlier(attempt) {
      await store.runs.ingest(repoId, [attempt], { syncedAt: clock.now() });
    },
    countUnread(runs) {
      unread += runs;
    },
    skip(problem) {
      skipped ??= problem;
    },
    async move(next) {
      cursor = next;
      await store.cursors.put(repoId, next, fence);
    },
  };
  const outcome = await read(sync, cursor).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  // Of all repositories: what there is no time for is counted by readers, and by housekeeping.
  await store.runs.recomputeDirty(sync.mayContinue);
  const problem = outcome instanceof Problem ? outcome : null;
  const { syncedThrough } = cursor;
  const upToDate = isUpToDate(cursor, startedAt);
  return { changed, unread, complete: outcome === true, syncedThrough, upToDate, problem, skipped };
}

interface Sync extends RunSyncOptions {
  repoId: number;
  name: RepositoryName;
  startedAt: Instant;
  storeRuns(runs: WorkflowRun[]): Promise<void>;
  storeEarlier(attempt: WorkflowRun): Promise<void>;
  countUnread(runs: number): void;
  skip(problem: Problem): void;
  move(cursor: RunCursor): Promise<void>;
}

/** Answers whether everything was read. */
async function read(sync: Sync, cursor: RunCursor): Promise<boolean> {
  const listed = await readPasses(sync, cursor);
  const refreshed = await refreshUnfinished(sync);
  const stored = await storeEarlierAttempts(sync);
  return listed && refreshed && stored;
}

async function readPasses(sync: Sync, start: RunCursor): Promise<boolean> {
  const { startedAt, backfillDays } = sync;
  let cursor = start;
  let pass: Pass | null = firstPass(cursor, startedAt, backfillDays);
  let pages = sync.maxPages;
  while (pass && pages > 0) {
    const take = async (runs: WorkflowRun[], resume: Pass) => {
      await sync.storeRuns(runs);
      cursor = { ...cursor, resume };
      await sync.move(cursor);
    };
    const done = await readPass(pass, { ...sync, pages, take });
    sync.countUnread(done.unread);
    if (!done.ended) return false;
    pages -= done.pages;
    cursor = finish(cursor, pass, startedAt, backfillDays);
    await sync.move(cursor);
    pass = cursor.resume;
  }
  return pass === null;
}
