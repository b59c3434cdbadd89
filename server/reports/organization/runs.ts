import type { Context } from '../../access/context.ts';
import type { Freshness } from '../../codehost/client/client.ts';
import type { Repository, WorkflowRun } from '../../metrics/kernel/facts.ts';
import { isWithin, type Window } from '../../metrics/kernel/window.ts';
import { listAllRuns } from '../ci/demo.ts';
import { ifReadable } from '../kernel/coverage.ts';

/** The runs of one repository, newest first. */
export interface RunHistory extends Freshness {
  /** The newest without gaps; also some from before the window, where these reach back beyond it. */
  runs: WorkflowRun[];
  /** Those created in the window, as far as they are known. */
  recent: WorkflowRun[];
  /** Every run of the window is among them. */
  complete: boolean;
  /** Runs created in the window; where not all were read, as the platform counts them. null when not known. */
  total: number | null;
  source: 'live' | 'mixed';
}

/**
 * Stored runs where they are up to date, else the newest hundred of the platform and the stored ones before them. Throws
 * the problems of the platform.
 */
export async function runHistory(
  repository: Repository,
  window: Window,
  context: Context,
  mayUseStore: boolean,
): Promise<RunHistory> {
  const stored = mayUseStore ? await storedHistory(repository, window, context) : null;
  return stored ?? liveHistory(repository, window, context, mayUseStore);
}

/** For how long stored runs count as up to date: as long as the overview itself. */
export const storedFreshMs = 15 * 60_000;
/** A busier repository is read from the platform, which counts without listing. */
const maxStored = 3000;
/** As many runs as one request of the platform brings: of a quiet repository older ones too. */
const historyLimit = 100;

async function storedHistory(repository: Repository, window: Window, { services: { store } }: Context) {
  const known = await store?.repositories.find(repository);
  const cursor = known && (await store?.cursors.get(known.id));
  if (!store || !known || !cursor?.syncedThrough) return null;
  const { syncedThrough, backfilledTo } = cursor;
  if (syncedThrough < window.to - storedFreshMs || backfilledTo === null || backfilledTo > window.from) return null;
  const recent = await store.runs.recent(known.id, { since: window.from, limit: maxStored });
  if (recent.length === maxStored) return null;
  const runs = recent.length >= historyLimit ? recent : await store.runs.recent(known.id, { limit: historyLimit });
  const history: RunHistory = {
    runs,
    recent,
    complete: true,
    total: recent.length,
    stale: false,
    asOf: syncedThrough,
    source: 'mixed',
  };
  return history;
}

/** The newest runs of any age; where neither they nor stored ones reach back through the window, the platform counts it. */
async function liveHistory(
  repository: Repository,
  window: Window,
  context: Context,
  mayUseStore: boolean,
): Promise<RunHistory> {
  const { runs: reads } = await context.codehost();
  const { items: runs, partial, stale, asOf } = await reads.recent(repository, 0, 1);
  const recent = runs.filter(({ createdAt }) => isWithin(createdAt, window));
  const history = { runs, recent };
  const isComplete = !partial || runs.some(({ createdAt }) => createdAt < window.from);
  if (isComplete) return { ...history, complete: true, total: recent.length, stale, asOf, source: 'live' };
  const before = await findBefore(repository, runs, window, context, mayUseStore);
  const all = [...recent, ...before.runs];
  const source = before.runs.length === 0 || context.isDemo ? 'live' : 'mixed';
  if (before.isWhole) return { ...history, recent: all, complete: true, total: all.length, stale, asOf, source };
  const counted = await ifReadable(reads.countSince(repository, window.from));
  return {
    ...history,
    recent: all,
    source,
    complete: false,
    total: counted?.count ?? null,
    stale: stale || (counted?.stale ?? false),
    asOf: Math.min(asOf, counted?.asOf ?? asOf),
  };
}

/**
 * The runs of the window before the newest ones, as far as they are stored: all of them once a synchronization reached
 * back through it, and of the sample organization.
 */
async function findBefore(
  repository: Repository,
  newest: readonly WorkflowRun[],
  window: Window,
  context: Context,
  mayUseStore: boolean,
): Promise<{ runs: WorkflowRun[]; isWhole: boolean }> {
  const isRead = new Set(newest.map(({ id }) => id));
  const others = (runs: readonly WorkflowRun[]) => runs.filter(({ id }) => !isRead.has(id));
  if (context.isDemo)
    return { runs: others(await listAllRuns(await context.codehost(), repository, window)), isWhole: true };
  const { store } = context.services;
  const known = mayUseStore ? await store?.repositories.find(repository) : null;
  if (!store || !known) return { runs: [], isWhole: false };
  const [cursor, stored] = await Promise.all([
    store.cursors.get(known.id),
    store.runs.recent(known.id, { since: window.from, limit: maxStored }),
  ]);
  const { syncedThrough = null, backfilledTo = null } = cursor ?? {};
  const oldest = Math.min(...newest.map(({ createdAt }) => createdAt));
  const reachesNewest = syncedThrough !== null && syncedThrough >= oldest;
  const reachesBack = backfilledTo !== null && backfilledTo <= window.from;
  return { runs: others(stored), isWhole: reachesNewest && reachesBack && stored.length < maxStored };
}
