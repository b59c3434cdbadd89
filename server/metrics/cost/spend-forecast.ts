import { metric } from '../kernel/metric.ts';
import { mean, roundTo } from '../kernel/statistics.ts';
import type { Day } from '../people/workday-hours.ts';

/** What CI cost on one complete day. */
export interface SpendDay {
  day: Day;
  usd: number;
}

/** What a month will have cost, in USD; 95 of 100 such months end between `low` and `high`. */
export interface SpendForecast {
  expected: number;
  low: number;
  high: number;
}

/** The running month. */
export interface MonthSoFar {
  /** USD of its complete days. */
  spentBefore: number;
  spentToday: number;
  /** Today and the days after it. */
  left: readonly Day[];
}

/** A complete day with the month that is forecast from it. */
export interface ForecastDay {
  day: Day;
  /** null where `unknown` says why. */
  usd: number | null;
  unknown: keyof typeof whyUnknown | null;
  month: MonthSoFar;
}

const whyUnknown = {
  unread: 'not every run is synced',
  uncosted: 'no run of which all jobs are stored',
  unpriced: 'jobs without a known price',
};

/** The days of which it is known what they cost. */
export const listKnownDays = (days: readonly ForecastDay[]): SpendDay[] =>
  days.flatMap(({ day, usd }) => (usd === null ? [] : [{ day, usd }]));

/** The fewest complete days that a forecast is made from, and the most. */
export const minForecastDays = 14;
export const maxForecastDays = 28;

export const forecastDefinition =
  'Spent so far, and for each day left of the month, today included, the mean of the complete days of the last 28 of its kind: Monday to Friday, or weekend. The range is a 95 % prediction: the days left vary like those days, whose mean is itself uncertain. Never below what is spent already.';

/**
 * The month's end from its complete days, what today cost so far, and the days left, today included. null below
 * `minForecastDays`, or where a kind of day that is left was seen less than twice.
 */
export function forecastSpend(
  past: readonly SpendDay[],
  { spentBefore, spentToday, left }: MonthSoFar,
): SpendForecast | null {
  if (past.length < minForecastDays) return null;
  let expected = spentBefore;
  let variance = 0;
  for (const isWeekend of [false, true]) {
    const values = past.filter(({ day }) => isOnWeekend(day) === isWeekend).map(({ usd }) => usd);
    const days = left.filter((day) => isOnWeekend(day) === isWeekend).length;
    if (days === 0) continue;
    if (values.length < 2) return null;
    const centre = mean(values) ?? 0;
    const spread = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
    expected += days * centre;
    variance += spread * (days + days ** 2 / values.length);
  }
  const spent = spentBefore + spentToday;
  const reach = 1.96 * Math.sqrt(variance);
  return {
    expected: roundTo(Math.max(spent, expected), 2),
    low: roundTo(Math.max(spent, expected - reach), 2),
    high: roundTo(Math.max(spent, expected + reach), 2),
  };
}

/** How the running month ends, in USD. */
export const costForecast = metric<ForecastDay>({
  key: 'cost_forecast',
  label: 'Cost forecast of the month',
  unit: 'usd',
  better: 'lower',
  source: 'complete days',
  definition: forecastDefinition,
  minSample: minForecastDays,
  counts: ({ unknown }) => unknown === null || whyUnknown[unknown],
  value(days) {
    const [first] = days;
    return first ? (forecastSpend(listKnownDays(days), first.month)?.expected ?? null) : null;
  },
});

/** Saturday or Sunday; the day is a date of the calendar, whatever the zone. */
const isOnWeekend = (day: Day) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 === 0;
