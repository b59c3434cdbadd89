import { roundTo } from '../kernel/statistics.ts';

/**
 * USD of several parts together, null of an unknown one. null where the known parts come to 0 beside an unknown one: a 0
 * would say that all of it is free. The same for any order of the parts, without the errors of adding them.
 */
export function sumKnown(parts: readonly (number | null)[]): number | null {
  const known = parts.filter((usd) => usd !== null);
  const total = known.reduce((sum, usd) => sum + Math.round(usd * 1e6), 0);
  return total === 0 && known.length < parts.length ? null : roundTo(total / 1e6, 6);
}

/** Why a part without cost does not count where the others are unknown. */
export const freeBesideUnknown = 'costs nothing, and no other one has a known price';
