import { LRUCache } from 'lru-cache';
import { factKeys } from '../metrics/kernel/delivery-facts.ts';
import {
  eventTime,
  type FactBatch,
  type FactKind,
  type FactOf,
  type FactRepository,
  getVersion,
  isSince,
  type SyncState,
} from './fact-repository.ts';

/**
 * Facts of at most `maxFacts` items over all repositories; the least recently used are evicted first. As in the
 * database, a reading that does not replace is stored only where its kind is, and no facts from before the floor.
 */
export function memoryFactRepository(maxFacts = 100_000): FactRepository {
  const entries = new LRUCache<number, Map<FactKind, Entry>>({
    maxSize: maxFacts,
    sizeCalculation: (kinds) => [...kinds.values()].reduce((sum, { items }) => sum + items.size, 1),
  });
  return {
    isDatabase: false,
    syncStates: async ({ id }) => [...(entries.get(id)?.values() ?? [])].map(({ syncState }) => syncState),
    async store({ id }, batches) {
      const kinds = new Map(entries.get(id));
      for (const one of batches) {
        const known = kinds.get(one.syncState.kind);
        if (one.replaces || (known && known.syncState.through <= one.syncState.through))
          kinds.set(one.syncState.kind, merged(known, one));
      }
      if (kinds.size > 0) entries.set(id, kinds);
    },
    async facts<Kind extends FactKind>({ id }: { id: number }, kind: Kind, since: number) {
      const items = (entries.get(id)?.get(kind)?.items.values() ?? []) as Iterable<FactOf[Kind]>;
      return [...items].filter((fact) => isSince(kind, fact, since));
    },
  };
}

interface Entry {
  syncState: SyncState;
  items: Map<string | number, FactOf[FactKind]>;
}

function merged<Kind extends FactKind>(
  known: Entry | undefined,
  { syncState, items, replaces }: FactBatch<Kind>,
): Entry {
  const { kind } = syncState;
  const all = new Map(replaces ? [] : known?.items);
  for (const fact of items) {
    const key = factKeys[kind](fact);
    const older = (all.get(key) ?? known?.items.get(key)) as FactOf[Kind] | undefined;
    all.set(key, older ? newerOf(kind, older, fact) : fact);
  }
  const now = known && !replaces ? moved(known.syncState, syncState) : syncState;
  for (const [key, fact] of all) if (isBefore(kind, fact as FactOf[Kind], now.floor)) all.delete(key);
  return { syncState: now, items: all };
}

/** As in the database: of one version, what is known of merge queues outlives a copy that lacks it. */
function newerOf<Kind extends FactKind>(kind: Kind, stored: FactOf[Kind], read: FactOf[Kind]): FactOf[Kind] {
  const [before, now] = [getVersion[kind](stored), getVersion[kind](read)];
  if (now < before) return stored;
  if (now > before || !('mergeQueue' in stored) || !('mergeQueue' in read)) return read;
  return { ...read, mergeQueue: read.mergeQueue ?? stored.mergeQueue };
}

/** Where the floor lies and whether a cap was met stays as it is by now: another reading may have moved them. */
function moved(known: SyncState, syncState: SyncState): SyncState {
  const newestAt = Math.max(known.newestAt ?? 0, syncState.newestAt ?? 0) || null;
  const { through, total, openCount, head } = syncState;
  return { ...known, through, total, openCount, newestAt, head };
}

function isBefore<Kind extends FactKind>(kind: Kind, fact: FactOf[Kind], floor: number): boolean {
  const at = eventTime[kind](fact);
  return at !== null && at < floor;
}
