import type { MarkedGroup } from './groups.ts';
import { isBeforeRow, isOpenedByMachine } from './mark-bits.ts';

/** A cell is shown from so many pull requests, of so many people, on. */
const minPullRequests = 10;
export const minAuthors = 5;

export const countPullRequests = (groups: readonly MarkedGroup[]): number =>
  groups.reduce((sum, { prs }) => sum + prs, 0);

/** Whether enough people are known to have written them. */
export const hasEnoughAuthors = (groups: readonly MarkedGroup[]): boolean =>
  new Set(groups.flatMap((group) => (isOfMachine(group) ? [] : (group.author ?? [])))).size >= minAuthors;

/** Pull requests of one author; null for a machine, and where nobody knows. */
export interface Counted {
  prs: number;
  author: string | null;
  /** Opened by the account of a bot, so that no person is behind it. */
  isOfMachine: boolean;
}

/** Whether what these come to may be known. Zero is about nobody, and what machines opened is about no people. */
export function isEnough(all: Iterable<Counted>): boolean {
  const authors = new Set<string>();
  let prs = 0;
  let areOfPeople = false;
  for (const one of all) {
    prs += one.prs;
    if (!one.isOfMachine) {
      areOfPeople = true;
      if (one.author !== null) authors.add(one.author);
    }
    if (prs >= minPullRequests && authors.size >= minAuthors) return true;
  }
  return prs === 0 || (prs >= minPullRequests && !areOfPeople);
}

/** Whether the number of these pull requests of a month may be known; what no bot opened is of a person, whatever its marks. */
export const meetsFloor = (groups: Iterable<MarkedGroup>): boolean =>
  isEnough(Array.from(groups, (one) => ({ prs: one.prs, author: one.author, isOfMachine: isOfMachine(one) })));

/** Whether the account of a bot opened them. A row of the table makes nobody one: it may hold the account of a person. */
export const isOfMachine = (group: Pick<MarkedGroup, 'class' | 'kinds'>): boolean =>
  group.class === 'automation' || isOpenedByMachine(group.kinds);

/**
 * Whether it may be said that something matched a row that does not count for its date. Each repository and month decides
 * for itself, so that neither what is beside it nor what a caller sees tells of a few.
 */
export function mayTellOfBeforeRow(groups: readonly MarkedGroup[]): boolean {
  const matched = groups.filter(({ kinds }) => isBeforeRow(kinds));
  const byMonth = Map.groupBy(matched, ({ repositoryId, month }) => `${repositoryId} ${month}`);
  return [...byMonth.values()].some(meetsFloor);
}

/**
 * Which cells of one total are hidden: where some are, the smallest of the others that are not zero are hidden too, until
 * what the total shows of the hidden ones together is of two cells and meets the floor.
 */
export function withComplement<Key>(
  cells: ReadonlyMap<Key, readonly MarkedGroup[]>,
  hidden: ReadonlySet<Key>,
): Set<Key> {
  const all = new Set([...cells.keys()].filter((key) => hidden.has(key)));
  if (all.size === 0) return all;
  const others = [...cells]
    .filter(([key, groups]) => !all.has(key) && countPullRequests(groups) > 0)
    .sort(([, a], [, b]) => countPullRequests(a) - countPullRequests(b));
  for (const [key] of others) {
    const together = new Set([...all].flatMap((one) => cells.get(one) ?? []));
    if (all.size > 1 && meetsFloor(together)) break;
    all.add(key);
  }
  return all;
}
