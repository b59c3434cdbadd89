import { LRUCache } from 'lru-cache';
import {
  type Brought,
  type FactKind,
  type FactOf,
  type FactShelf,
  identityOf,
  isSince,
  type Ledger,
  mattersAt,
  versionOf,
} from './shelf.ts';

/**
 * Facts of at most `mostFacts` items over all repositories; the repositories longest not asked for go first. As in the
 * database, a reading that does not replace is kept only where its kind is, and no facts from before the floor.
 */
export function memoryShelf(mostFacts = 100_000): FactShelf {
  const kept = new LRUCache<number, Map<FactKind, Kept>>({
    maxSize: mostFacts,
    sizeCalculation: (kinds) => [...kinds.values()].reduce((sum, { items }) => sum + items.size, 1),
  });
  return {
    isDatabase: false,
    ledgers: async ({ id }) => [...(kept.get(id)?.values() ?? [])].map(({ ledger }) => ledger),
    async keep({ id }, brought) {
      const kinds = new Map(kept.get(id));
      for (const one of brought) {
        const known = kinds.get(one.ledger.kind);
        if (one.replaces || (known && known.ledger.through <= one.ledger.through))
          kinds.set(one.ledger.kind, merged(known, one));
      }
      if (kinds.size > 0) kept.set(id, kinds);
    },
    async facts<Kind extends FactKind>({ id }: { id: number }, kind: Kind, since: number) {
      const items = (kept.get(id)?.get(kind)?.items.values() ?? []) as Iterable<FactOf[Kind]>;
      return [...items].filter((fact) => isSince(kind, fact, since));
    },
  };
}

interface Kept {
  ledger: Ledger;
  items: Map<string | number, FactOf[FactKind]>;
}

function merged<Kind extends FactKind>(known: Kept | undefined, { ledger, items, replaces }: Brought<Kind>): Kept {
  const { kind } = ledger;
  const all = new Map(replaces ? [] : known?.items);
  for (const fact of items) {
    const key = identityOf[kind](fact);
    const older = (all.get(key) ?? known?.items.get(key)) as FactOf[Kind] | undefined;
    all.set(key, older && versionOf[kind](fact) < versionOf[kind](older) ? older : fact);
  }
  const now = known && !replaces ? moved(known.ledger, ledger) : ledger;
  for (const [key, fact] of all) if (isBefore(kind, fact as FactOf[Kind], now.floor)) all.delete(key);
  return { ledger: now, items: all };
}

/** Where the floor lies and whether a cap was met stays as it is by now: another reading may have moved them. */
function moved(known: Ledger, ledger: Ledger): Ledger {
  const newestAt = Math.max(known.newestAt ?? 0, ledger.newestAt ?? 0) || null;
  const { through, total, openCount, head } = ledger;
  return { ...known, through, total, openCount, newestAt, head };
}

function isBefore<Kind extends FactKind>(kind: Kind, fact: FactOf[Kind], floor: number): boolean {
  const at = mattersAt[kind](fact);
  return at !== null && at < floor;
}
