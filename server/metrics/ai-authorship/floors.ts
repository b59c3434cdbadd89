import type { MarkedGroup } from './groups.ts';

/** A cell is shown from so many pull requests, of so many people, on. */
const minPullRequests = 10;
export const minAuthors = 5;

export const countPullRequests = (groups: readonly MarkedGroup[]): number =>
  groups.reduce((sum, { prs }) => sum + prs, 0);

/** Whether enough people are known to have written them. */
export const hasEnoughAuthors = (groups: readonly MarkedGroup[]): boolean =>
  new Set(groups.flatMap(({ author }) => author ?? [])).size >= minAuthors;

/**
 * Whether the number of these pull requests may be shown. Zero is about nobody. Of what people wrote the first and the
 * last month have to be of enough people too: else the same question for a month less would show those of a few.
 */
export function mayShow(groups: readonly MarkedGroup[], { areOfPeople }: { areOfPeople: boolean }): boolean {
  const count = countPullRequests(groups);
  if (count === 0) return true;
  if (count < minPullRequests) return false;
  if (!areOfPeople) return true;
  const months = groups.map(({ month }) => month).sort();
  return [months[0], months.at(-1)].every((edge) => hasEnoughAuthors(groups.filter(({ month }) => month === edge)));
}

/**
 * Which cells of one total are shown: where one alone is hidden, the smallest of the others that is not zero is hidden
 * too, since the total would show it.
 */
export function withComplement<Key>(cells: ReadonlyMap<Key, { prs: number; isShown: boolean }>): Set<Key> {
  const shown = [...cells].filter(([, { isShown }]) => isShown);
  const keys = new Set(shown.map(([key]) => key));
  if (shown.length !== cells.size - 1) return keys;
  const [smallest] = shown.filter(([, { prs }]) => prs > 0).sort(([, a], [, b]) => a.prs - b.prs);
  if (smallest) keys.delete(smallest[0]);
  return keys;
}
