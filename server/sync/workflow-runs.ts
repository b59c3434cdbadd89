import type { Codehost } from '../codehost/client.ts';
import type { LiveWorkflowRun, RepositoryName, WorkflowRun } from '../metrics/facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/orm.ts';
import { finish, neverSynced, nextPass, type Pass, type RunCursor } from './cursor.ts';

interface Options {
  codehost: Codehost;
  store: Store;
  clock: Clock;
  backfillDays: number;
  maxPages: number;
  /** No new request is begun after this instant. */
  deadline: number;
}

export interface RunSync {
  /** Rows inserted or actually changed. */
  changed: number;
  /** false when the budget ended before everything was read. */
  complete: boolean;
  cursor: RunCursor;
}

/** Pages of 100 that one filtered list of the platform can give. */
const listPages = 10;
const refreshLimit = 50;
const earlierAttemptsLimit = 20;
/** A run may live 35 days. */
const openRunAge = 36 * 86_400_000;

/**
 * Brings one repository's runs into the store: what is new, what was unfinished, what was re-run.
 * Every page is kept at once and may be read again any number of times; the result depends on the platform alone.
 */
export async function syncRuns(repoId: number, name: RepositoryName, options: Options): Promise<RunSync> {
  const { store, clock, maxPages, backfillDays, deadline } = options;
  const startedAt = clock.now();
  const done = new Set<Pass['kind']>();
  let cursor = (await store.cursors.get(repoId)) ?? neverSynced;
  const resumed = cursor.resume;
  let pagesLeft = maxPages;
  let changed = 0;
  for (;;) {
    const pass = nextPass(cursor, startedAt, backfillDays, done);
    if (!pass || pagesLeft === 0 || clock.now() >= deadline) break;
    const read = await readPass(pass, name, pagesLeft, options, async (runs, resume) => {
      changed += await ingest(repoId, runs, options);
      cursor = { ...cursor, resume };
      await store.cursors.put(repoId, cursor);
    });
    pagesLeft -= read.pages;
    if (!read.ended) break;
    // A pass left over from an earlier call is followed by a fresh one.
    if (pass !== resumed) done.add(pass.kind);
    cursor = finish(cursor, pass, startedAt);
    await store.cursors.put(repoId, cursor);
  }
  changed += await refreshUnfinished(repoId, name, startedAt, options);
  changed += await keepEarlierAttempts(repoId, name, startedAt, options);
  await store.runs.recomputeDirty();
  return { changed, complete: nextPass(cursor, startedAt, backfillDays, done) === null, cursor };
}

/** Reads a pass page by page until it reaches its start, the pages are used up, or time is. */
async function readPass(
  pass: Pass,
  name: RepositoryName,
  pagesLeft: number,
  { codehost, clock, deadline }: Options,
  take: (runs: LiveWorkflowRun[], resume: Pass) => Promise<void>,
): Promise<{ pages: number; ended: boolean }> {
  let { cut } = pass;
  let page = 1;
  for (let pages = 0; pages < pagesLeft && clock.now() < deadline; ) {
    const { runs, totalCount } = await codehost.runs.window(name, pass.from, cut, page);
    pages++;
    const oldest = runs.reduce((least, run) => Math.min(least, run.createdAt), cut);
    await take(runs, { ...pass, cut: oldest });
    if (runs.length === 0 || page * 100 >= totalCount) return { pages, ended: true };
    page++;
    if (page > listPages) {
      // The list is cut off here by the platform; go on below the oldest run, one second further if nothing moved.
      cut = oldest < cut ? oldest : cut - 1000;
      page = 1;
    }
  }
  return { pages: pagesLeft, ended: false };
}

async function ingest(repoId: number, runs: WorkflowRun[], { store, clock }: Options): Promise<number> {
  if (runs.length === 0) return 0;
  const { inserted, changed } = await store.runs.ingest(repoId, runs, { syncedAt: clock.now() });
  return inserted + changed;
}

/** Asks again for runs that had not ended when they were last seen, the longest unseen first. */
async function refreshUnfinished(
  repoId: number,
  name: RepositoryName,
  startedAt: number,
  options: Options,
): Promise<number> {
  const { store, codehost, clock, deadline } = options;
  const open = await store.runs.unfinished(repoId, startedAt - openRunAge, refreshLimit);
  let changed = 0;
  for (const { id, syncedAt } of open) {
    if (clock.now() >= deadline) break;
    if (syncedAt >= startedAt) continue;
    const run = await codehost.runs.get(name, id);
    if (run) changed += await ingest(repoId, [run], options);
    else await store.runs.gone(repoId, id);
  }
  return changed;
}

/** The platform lists only the latest attempt of a run; earlier ones are fetched once and never change. */
async function keepEarlierAttempts(
  repoId: number,
  name: RepositoryName,
  startedAt: number,
  options: Options,
): Promise<number> {
  const { store, codehost, clock, deadline } = options;
  let changed = 0;
  for (const { id, attempt } of await store.runs.missingAttempts(
    repoId,
    startedAt - openRunAge,
    earlierAttemptsLimit,
  )) {
    if (clock.now() >= deadline) break;
    const run = await codehost.runs.attempt(name, id, attempt);
    if (run) changed += await ingest(repoId, [run], options);
  }
  return changed;
}
