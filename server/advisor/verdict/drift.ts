import { changePoints } from '../../metrics/kernel/change-points.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { type Estimate, estimate } from './estimate.ts';
import { type MeasuredDays, sum } from './measured-days.ts';
import { compareStrata } from './strata.ts';

/** Whether something else changed: the same estimate of what the change cannot move. */
export interface Drift {
  estimate: Omit<Estimate, 'strata'>;
  isFlagged: boolean;
  /** The day from which on the level is another one; null where it is not known. */
  since: Instant | null;
}

/** Percent. */
const leastDrift = 10;

/** null where there is nothing to compare. Contract of the advisor, section 5.5. */
export function findDrift(before: MeasuredDays, after: MeasuredDays, seed: readonly (string | number)[]): Drift | null {
  const found = estimate(before, after, seed);
  if (found === null) return null;
  const { strata: _strata, ...figures } = found;
  const excludesNone = figures.low > 0 || figures.high < 0;
  const since = levelChange(before, after);
  const isFlagged = since !== null || (excludesNone && Math.abs(figures.deltaPct) >= leastDrift);
  return { estimate: figures, isFlagged, since };
}

/** The first day after the change from which on a unit takes lastingly more or less, for its stratum. */
function levelChange(before: MeasuredDays, after: MeasuredDays): Instant | null {
  const strata = compareStrata(before, after).map((one) => ({
    ...one.after,
    usual: sum(one.before.values) / sum(one.before.units),
  }));
  const levels = after.days.flatMap((day, place) => {
    const expected = sum(strata.map(({ units, usual }) => (units[place] ?? 0) * usual));
    const value = sum(strata.map(({ values }) => values[place] ?? 0));
    return expected > 0 ? [{ day, level: value / expected }] : [];
  });
  const [first] = changePoints(levels.map(({ level }) => level));
  return first === undefined ? null : (levels[first]?.day ?? null);
}
