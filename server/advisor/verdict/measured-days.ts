import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import type { Unit } from './measures.ts';

/** What was measured on each of some days, as it is stored with a verdict. */
export interface MeasuredDays {
  /** Starts of UTC days, ascending. */
  days: readonly Instant[];
  strata: readonly MeasuredStratum[];
}

/** Units of demand that are alike. */
export interface MeasuredStratum {
  event: string;
  branch: Unit['branch'];
  week: 'weekday' | 'weekend';
  /** How many, by day. */
  units: readonly number[];
  /** What they took, by day. */
  values: readonly number[];
}

/** Sums the units of each day by stratum. Those of other days are left out. */
export function measureDays(units: readonly Unit[], days: readonly Instant[]): MeasuredDays {
  const places = new Map(days.map((day, place) => [day, place]));
  const counted = units.filter(({ day }) => places.has(day));
  const groups = Map.groupBy(counted, (unit) => JSON.stringify([unit.event, unit.branch, weekOf(unit.day)]));
  const strata = [...groups.values()].flatMap((group): MeasuredStratum[] => {
    const [first] = group;
    if (!first) return [];
    const sums = { units: days.map(() => 0), values: days.map(() => 0) };
    for (const { day, value } of group) {
      const place = places.get(day) ?? 0;
      sums.units[place] = (sums.units[place] ?? 0) + 1;
      sums.values[place] = (sums.values[place] ?? 0) + value;
    }
    return [{ event: first.event, branch: first.branch, week: weekOf(first.day), ...sums }];
  });
  return { days, strata };
}

/** Saturday and Sunday are the weekend. */
function weekOf(day: Instant): MeasuredStratum['week'] {
  const weekday = new Date(day).getUTCDay();
  return weekday === 0 || weekday === 6 ? 'weekend' : 'weekday';
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The part of the days from `from` on, before `to`. */
export function daysBetween({ days, strata }: MeasuredDays, from: Instant, to: Instant): MeasuredDays {
  const isWithin = (_unused: unknown, place: number) => (days[place] ?? 0) >= from && (days[place] ?? 0) < to;
  return {
    days: days.filter(isWithin),
    strata: strata.map((one) => ({ ...one, units: one.units.filter(isWithin), values: one.values.filter(isWithin) })),
  };
}

export const countUnits = ({ strata }: MeasuredDays): number => sum(strata.flatMap(({ units }) => units));

/** What a unit took on average; null without one. */
export function valuePerUnit(measured: MeasuredDays): number | null {
  const units = countUnits(measured);
  return units === 0 ? null : sum(measured.strata.flatMap(({ values }) => values)) / units;
}

/** The day after the last of them. */
export const endOf = ({ days }: MeasuredDays): Instant => (days.at(-1) ?? 0) + dayMs;
