import { type MeasuredDays, type MeasuredStratum, sum } from './measured-days.ts';

/** The same kind of demand before and after a change, by day. */
export interface ComparedStratum {
  label: string;
  before: Sums;
  after: Sums;
}

interface Sums {
  units: readonly number[];
  values: readonly number[];
}

/** Fewer units on either side are not compared by themselves. */
const minUnits = 5;

/**
 * Pairs what is alike before and after. Strata with too few units on either side are put together with the others of
 * their event; what is too little even so is left out. Contract of the advisor, section 5.3.
 */
export function compareStrata(before: MeasuredDays, after: MeasuredDays): ComparedStratum[] {
  const keys = new Map([...before.strata, ...after.strata].map((one) => [keyOf(one), one]));
  const pairs = [...keys].map(([key, { event, branch, week }]) => ({
    event,
    label: `${event}, ${branch === 'default' ? 'default branch, ' : ''}${week}`,
    before: sumsOf(before, key),
    after: sumsOf(after, key),
  }));
  const byEvent = Map.groupBy(
    pairs.filter((one) => !isEnough(one)),
    ({ event }) => event,
  );
  const merged = [...byEvent].map(([event, small]) => ({
    label: `${event}, others`,
    before: add(small.map((one) => one.before)),
    after: add(small.map((one) => one.after)),
  }));
  return [...pairs, ...merged]
    .filter(isEnough)
    .map(({ label, ...one }) => ({ label, before: one.before, after: one.after }));
}

const keyOf = ({ event, branch, week }: MeasuredStratum) => JSON.stringify([event, branch, week]);

function sumsOf({ days, strata }: MeasuredDays, key: string): Sums {
  return strata.find((one) => keyOf(one) === key) ?? { units: days.map(() => 0), values: days.map(() => 0) };
}

const isEnough = ({ before, after }: Pick<ComparedStratum, 'before' | 'after'>): boolean =>
  sum(before.units) >= minUnits && sum(after.units) >= minUnits;

const add = ([first = { units: [], values: [] }, ...others]: readonly Sums[]): Sums =>
  others.reduce(
    (total, one) => ({
      units: total.units.map((value, day) => value + (one.units[day] ?? 0)),
      values: total.values.map((value, day) => value + (one.values[day] ?? 0)),
    }),
    first,
  );
