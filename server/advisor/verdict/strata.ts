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
 * their event, and with its largest stratum where these are too few even so; an event that has too few itself is left
 * out. Contract of the advisor, section 5.3.
 */
export function compareStrata(before: MeasuredDays, after: MeasuredDays): ComparedStratum[] {
  const keys = new Map([...before.strata, ...after.strata].map((one) => [keyOf(one), one]));
  const pairs = [...keys].map(([key, { event, branch, week }]) => ({
    event,
    label: `${event}, ${branch === 'default' ? 'default branch, ' : ''}${week}`,
    before: sumsOf(before, key),
    after: sumsOf(after, key),
  }));
  const byEvent = Map.groupBy(pairs, ({ event }) => event);
  return [...byEvent].flatMap(([event, ofEvent]) => mergeSmall(event, ofEvent)).filter(isEnough);
}

/** The strata of one event. */
function mergeSmall(event: string, ofEvent: readonly ComparedStratum[]): ComparedStratum[] {
  const enough = ofEvent.filter(isEnough).map(({ label, before, after }) => ({ label, before, after }));
  const small = ofEvent.filter((one) => !isEnough(one));
  if (small.length === 0) return enough;
  const others = merge(`${event}, others`, small);
  const [largest, ...rest] = enough.toSorted((one, other) => sum(other.before.units) - sum(one.before.units));
  if (!largest || isEnough(others)) return [...enough, others];
  return [merge(`${largest.label} and others`, [largest, others]), ...rest];
}

const merge = (label: string, strata: readonly ComparedStratum[]): ComparedStratum => ({
  label,
  before: add(strata.map((one) => one.before)),
  after: add(strata.map((one) => one.after)),
});

const keyOf = ({ event, branch, week }: MeasuredStratum) => JSON.stringify([event, branch, week]);

function sumsOf({ days, strata }: MeasuredDays, key: string): Sums {
  return strata.find((one) => keyOf(one) === key) ?? { units: days.map(() => 0), values: days.map(() => 0) };
}

const isEnough = ({ before, after }: ComparedStratum): boolean =>
  sum(before.units) >= minUnits && sum(after.units) >= minUnits;

const add = ([first = { units: [], values: [] }, ...others]: readonly Sums[]): Sums =>
  others.reduce(
    (total, one) => ({
      units: total.units.map((value, day) => value + (one.units[day] ?? 0)),
      values: total.values.map((value, day) => value + (one.values[day] ?? 0)),
    }),
    first,
  );
