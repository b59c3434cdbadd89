import { differenceInterval, type Interval, z } from './intervals.ts';

/** How many events a day had; days of one weekday have something in common. */
export interface CountedDay {
  weekday: number;
  count: number;
}

/** How much more counts vary from day to day than independent events do. */
export interface Dispersion {
  /** Variance of a count in its mean, at least 1: that of a Poisson distribution. */
  factor: number;
  /** How many standard deviations 95 % lie within. */
  reach: number;
}

/** Events that come one by one, independently of each other. */
export const independent: Dispersion = { factor: 1, reach: z };

/**
 * Estimated from the days of all periods together, after what each period and each weekday explains: Pearson's statistic
 * by its degrees of freedom, of a log-linear model (McCullagh, Nelder, Generalized Linear Models, 1989, 6.2.3). Because one
 * push starts several runs and one train of merges several others, so that counts differ by more than chance alone.
 */
export function estimateDispersion(periods: readonly (readonly CountedDay[])[]): Dispersion {
  const expected = fitDays(periods);
  let [statistic, days] = [0, 0];
  for (const [index, period] of periods.entries())
    for (const { weekday, count } of period) {
      const mean = expected(index, weekday);
      if (mean === 0) continue;
      statistic += (count - mean) ** 2 / mean;
      days++;
    }
  if (days === 0) return independent;
  const explained = countPositive(periods.map(sumOf)) + countPositive(weekdaySums(periods).values()) - 1;
  const freedom = days - explained;
  return freedom < 1 ? independent : { factor: Math.max(1, statistic / freedom), reach: studentQuantile(freedom) };
}

/** A 95 % score interval of a count. */
export function countInterval(count: number, { factor, reach }: Dispersion): Interval {
  const spread = factor * reach ** 2;
  const half = Math.sqrt(spread * count + spread ** 2 / 4);
  return { low: Math.max(0, count + spread / 2 - half), high: count + spread / 2 + half };
}

/** Of a count less another one, which is multiplied by `scale` where its period was of another length. */
export function countDifferenceInterval(a: number, b: number, scale: number, dispersion: Dispersion): Interval {
  const [before, after] = [countInterval(a, dispersion), countInterval(b, dispersion)];
  return differenceInterval(
    { value: scale * a, low: scale * before.low, high: scale * before.high },
    { value: b, ...after },
  );
}

/** The mean of a day by its period and weekday: the likeliest factors of both, found by turns. */
function fitDays(periods: readonly (readonly CountedDay[])[]): (period: number, weekday: number) => number {
  const weekdays = new Map([...weekdaySums(periods).keys()].map((weekday) => [weekday, 1]));
  const factors = periods.map(() => 1);
  for (let round = 0; round < fittingRounds; round++) {
    for (const [index, period] of periods.entries()) {
      const share = period.reduce((sum, { weekday }) => sum + (weekdays.get(weekday) ?? 0), 0);
      factors[index] = share === 0 ? 0 : sumOf(period) / share;
    }
    for (const [weekday, total] of weekdaySums(periods)) {
      const share = periods.reduce(
        (sum, period, index) => sum + (factors[index] ?? 0) * period.filter((day) => day.weekday === weekday).length,
        0,
      );
      weekdays.set(weekday, share === 0 ? 0 : total / share);
    }
  }
  return (period, weekday) => (factors[period] ?? 0) * (weekdays.get(weekday) ?? 0);
}

const fittingRounds = 20;

const sumOf = (period: readonly CountedDay[]) => period.reduce((sum, { count }) => sum + count, 0);

function weekdaySums(periods: readonly (readonly CountedDay[])[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { weekday, count } of periods.flat()) sums.set(weekday, (sums.get(weekday) ?? 0) + count);
  return sums;
}

const countPositive = (sums: Iterable<number>) => [...sums].filter((sum) => sum > 0).length;

/**
 * The 97.5 % quantile of Student's distribution, within 0.01 from five degrees of freedom on (Abramowitz, Stegun, Handbook
 * of Mathematical Functions, 26.7.5).
 */
function studentQuantile(freedom: number): number {
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}
