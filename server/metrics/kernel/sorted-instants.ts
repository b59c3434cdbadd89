import type { Instant } from './facts.ts';

/** Instants, the earliest first. */
export const inOrder = (instants: readonly Instant[]): Instant[] => instants.toSorted((a, b) => a - b);

/** How many of sorted instants are no later than one. */
export function countUpTo(sorted: ArrayLike<Instant>, at: Instant): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
