import type { Instant } from '../kernel/facts.ts';
import { secondMs } from '../kernel/window.ts';
import type { Entry } from './entries.ts';

/** Entries that reached the base branch in one push. */
export interface Batch {
  branch: string;
  /** When the last of them left the queue. */
  leftAt: Instant;
  /** `commits`: each is the first parent of the next. `time`: where commits are not known, shortly after one another. */
  basis: 'commits' | 'time';
  /** In the order of their merges. */
  entries: Entry[];
}

const chainMs = 10 * secondMs;

/** The batches of merged entries, oldest first. */
export function findBatches(entries: readonly Entry[]): Batch[] {
  const merged = entries.filter((entry): entry is Merged => entry.outcome === 'merged' && entry.leftAt !== null);
  return [...Map.groupBy(merged, ({ branch }) => branch).values()]
    .flatMap((own) => chainsByTime(own).flatMap(toBatches))
    .sort((a, b) => a.leftAt - b.leftAt || (a.branch < b.branch ? -1 : 1));
}

type Merged = Entry & { leftAt: Instant };

function chainsByTime(merged: readonly Merged[]): Merged[][] {
  const chains: Merged[][] = [];
  for (const entry of merged.toSorted((a, b) => a.leftAt - b.leftAt || a.number - b.number)) {
    const last = chains.at(-1);
    const previous = last?.at(-1);
    if (last && previous && entry.leftAt - previous.leftAt <= chainMs) last.push(entry);
    else chains.push([entry]);
  }
  return chains;
}

function toBatches(chain: readonly Merged[]): Batch[] {
  if (chain.some(({ mergeSha, parentSha }) => mergeSha === null || parentSha === null)) return [toBatch(chain, 'time')];
  const byParent = new Map(chain.map((entry) => [entry.parentSha, entry]));
  const commits = new Set(chain.map(({ mergeSha }) => mergeSha));
  return chain
    .filter(({ parentSha }) => !commits.has(parentSha))
    .map((first) => {
      const linked: Merged[] = [];
      for (let entry: Merged | undefined = first; entry; entry = byParent.get(entry.mergeSha)) linked.push(entry);
      return toBatch(linked, 'commits');
    });
}

const toBatch = (entries: readonly Merged[], basis: Batch['basis']): Batch => ({
  branch: entries[0]?.branch ?? '',
  leftAt: Math.max(...entries.map(({ leftAt }) => leftAt)),
  basis,
  entries: [...entries],
});

/** Names a batch by the first pull request that it merged, and when that was. */
export const toBatchId = ({ entries: [first] }: Batch): string =>
  `${first?.number ?? 0}-${Math.floor((first?.leftAt ?? 0) / secondMs)}`;

/** Answers in which batch an entry was merged; null where it was not. */
export function batchFinder(batches: readonly Batch[]): (entry: Entry) => string | null {
  const placed = batches.flatMap((batch) => batch.entries.map((entry) => [toPlace(entry), toBatchId(batch)] as const));
  const ids = new Map(placed);
  return (entry) => ids.get(toPlace(entry)) ?? null;
}

const toPlace = ({ number, leftAt }: Entry): string => `${number} ${leftAt}`;
