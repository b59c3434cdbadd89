import type { Problem } from '../../platform/problem.ts';
import { currentLimits } from '../../platform/work-limits.ts';
import { OverloadProblem } from './part-errors.ts';

/** An answer, and whether it lacks parts that a smaller request may bring. */
export interface Attempt<T> {
  value: T;
  isTruncated: boolean;
}

type Shrinking<T> = (request: (share: number) => Promise<Attempt<T>>) => Promise<T>;

const smallestShare = 1 / 4;
/** A size at which the platform gave up so often is not tried again. */
const maxFailures = 2;

/**
 * Sends the requests of one list: each for as large a share of a full page as the platform answers, down to a quarter.
 * Where a quarter lacks parts too, size is not the reason: then full pages are taken as they come.
 */
export function createShrinking<T>(): Shrinking<T> {
  const failures = new Map<number, number>();
  let share = 1;
  let isLasting = false;
  return async (request) => {
    for (;;) {
      const outcome = await request(share).catch(orOverload);
      const isTruncated = outcome instanceof OverloadProblem || outcome.isTruncated;
      if (!isTruncated) {
        const wider = Math.min(1, share * 2);
        if ((failures.get(wider) ?? 0) < maxFailures) share = wider;
        return outcome.value;
      }
      failures.set(share, (failures.get(share) ?? 0) + 1);
      if (!isLasting && share > smallestShare && currentLimits().takeRetries(1)) {
        share /= 2;
        continue;
      }
      isLasting = true;
      share = 1;
      if (outcome instanceof OverloadProblem) throw outcome;
      return outcome.value;
    }
  };
}

/** Sends one request likewise. */
export const shrinking = <T>(request: (share: number) => Promise<Attempt<T>>): Promise<T> =>
  createShrinking<T>()(request);

/**
 * Requests things together, and in halves and quarters where the platform gives up. Those that it still gives up on
 * go to `unanswered`, which throws where that may not be.
 */
export async function inHalves<Item, T>(
  items: readonly Item[],
  request: (part: readonly Item[]) => Promise<T[]>,
  unanswered: (part: readonly Item[], problem: Problem) => T[],
  halvings = 2,
): Promise<T[]> {
  const outcome = await request(items).catch(orOverload);
  if (!(outcome instanceof OverloadProblem)) return outcome;
  if (halvings === 0 || items.length < 2 || !currentLimits().takeRetries(2)) return unanswered(items, outcome);
  const middle = Math.ceil(items.length / 2);
  // One after the other: where the first is rejected, the second need not be requested.
  const first = await inHalves(items.slice(0, middle), request, unanswered, halvings - 1);
  return [...first, ...(await inHalves(items.slice(middle), request, unanswered, halvings - 1))];
}

function orOverload(error: unknown): OverloadProblem {
  if (error instanceof OverloadProblem) return error;
  throw error;
}
