import { LRUCache } from 'lru-cache';
import type { Services } from '../../access/context.ts';
import type { Freshness } from '../../codehost/client/client.ts';
import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { findSlowdowns, type Slowdown, slowdownDays, slowdownRuns } from '../../metrics/runs/slowdowns.ts';
import type { Store } from '../../store/orm.ts';
import type { RunSyncState } from '../../store/run-histories.ts';

/** How long the stored runs of a repository take. */
export interface KnownSlowdowns {
  slowdowns: Slowdown[];
  /** Up to when its runs were read. */
  asOf: Instant;
}

/**
 * By the platform's id, of the repositories in a list that the caller's token was just given; one that is missing is
 * not known: it is not tracked, was not synchronized within a day, or has too few runs. Reads the database alone.
 */
export async function readSlowdowns(
  repositories: readonly Repository[],
  listed: Freshness,
  { store, clock }: Services,
): Promise<Map<number, KnownSlowdowns>> {
  // Stored facts are shared: an old list does not prove that the caller may still see them.
  if (!store || listed.stale || repositories.length === 0) return new Map();
  const now = clock.now();
  const statuses = await store.runs.syncStates(repositories.map(({ id }) => id));
  const branches = new Map(repositories.map(({ id, defaultBranch }) => [id, defaultBranch]));
  const recent = statuses.flatMap((one) => {
    const defaultBranch = branches.get(one.codehostId) ?? null;
    return defaultBranch !== null && one.syncedThrough >= now - freshMs ? { ...one, defaultBranch } : [];
  });
  const memory = memoryBeside(store);
  const changed = recent.filter((one) => memory.get(one.repoId)?.mark !== formatMark(one));
  for (let from = 0; from < changed.length; from += atOnce)
    await judge(changed.slice(from, from + atOnce), memory, store, now);
  return new Map(
    recent.flatMap(({ repoId, codehostId, syncedThrough }) => {
      const slowdowns = memory.get(repoId)?.slowdowns ?? null;
      return slowdowns === null ? [] : [[codehostId, { slowdowns, asOf: syncedThrough }] as const];
    }),
  );
}

interface BranchStatus extends RunSyncState {
  defaultBranch: string;
}

interface Remembered {
  mark: string;
  slowdowns: Slowdown[] | null;
}

/** What was read longer ago does not describe today. */
const freshMs = dayMs;
/** A page of repositories; the runs of more are not held in memory together. */
const atOnce = 25;
const maxRemembered = 2000;

const memories = new WeakMap<Store, LRUCache<number, Remembered>>();

function memoryBeside(store: Store): LRUCache<number, Remembered> {
  const memory = memories.get(store) ?? new LRUCache<number, Remembered>({ max: maxRemembered });
  memories.set(store, memory);
  return memory;
}

const formatMark = ({ mark, defaultBranch }: BranchStatus) => `${mark} ${defaultBranch}`;

async function judge(
  statuses: readonly BranchStatus[],
  memory: LRUCache<number, Remembered>,
  store: Store,
  now: Instant,
): Promise<void> {
  const query = { repositories: statuses, activeSince: now - slowdownDays * dayMs, limit: slowdownRuns };
  const runs = await store.runs.passedOnDefault(query);
  for (const status of statuses) {
    const slowdowns = findSlowdowns(runs.get(status.repoId) ?? [], status.defaultBranch);
    memory.set(status.repoId, { mark: formatMark(status), slowdowns });
  }
}
