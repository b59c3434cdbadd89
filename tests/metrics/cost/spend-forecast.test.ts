import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecastSpend, minForecastDays } from '../../../server/metrics/cost/spend-forecast.ts';
import { addDays } from '../../../server/metrics/people/workday-hours.ts';

/** From a Monday on. */
const days = (count: number, usd: (index: number) => number, first = '2026-11-02') =>
  Array.from({ length: count }, (_, index) => ({ day: addDays(first, index), usd: usd(index) }));
const isWeekend = (index: number) => index % 7 > 4;
const dates = (first: string, count: number) => Array.from({ length: count }, (_, index) => addDays(first, index));

describe('the forecast of a month', () => {
  test('takes days left for days of their kind, exactly where these never vary', () => {
    const past = days(28, (index) => (isWeekend(index) ? 1 : 10));
    // Monday to Sunday.
    const week = { spentBefore: 100, spentToday: 3, left: dates('2026-11-30', 7) };
    expect(forecastSpend(past, week)).toEqual({ expected: 152, low: 152, high: 152 });
    expect(forecastSpend(past, { ...week, left: dates('2026-11-30', 1) })).toEqual({
      expected: 110,
      low: 110,
      high: 110,
    });
  });

  test('is as uncertain as the days are, and as few as they are', () => {
    const past = days(28, (index) => (isWeekend(index) ? 0 : index % 2 === 0 ? 8 : 12));
    const left = dates('2026-11-30', 5);
    const answer = forecastSpend(past, { spentBefore: 0, spentToday: 0, left });
    // Twenty days around 10: their variance is 80 / 19; five days are left.
    const reach = 1.96 * Math.sqrt((80 / 19) * (5 + 25 / 20));
    expect(answer?.expected).toBe(50);
    expect(answer?.high).toBeCloseTo(50 + reach, 2);
    expect(answer?.low).toBeCloseTo(50 - reach, 2);
    const fewer = forecastSpend(past.slice(-14), { spentBefore: 0, spentToday: 0, left });
    expect((fewer?.high ?? 0) - (fewer?.low ?? 0)).toBeGreaterThan((answer?.high ?? 0) - (answer?.low ?? 0));
  });

  test('is none below fourteen days', () => {
    const rest = { spentBefore: 0, spentToday: 0, left: dates('2026-11-30', 1) };
    expect(
      forecastSpend(
        days(minForecastDays - 1, () => 1),
        rest,
      ),
    ).toBeNull();
    expect(
      forecastSpend(
        days(minForecastDays, () => 1),
        rest,
      ),
    ).not.toBeNull();
  });

  test('never lies below what is spent, and its range holds it', () => {
    const usd = fc.double({ min: 0, max: 1000, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(usd, { minLength: 14, maxLength: 28 }),
        usd,
        usd,
        fc.integer({ min: 1, max: 31 }),
        (values, spentBefore, spentToday, count) => {
          const past = days(values.length, (index) => values[index] ?? 0);
          const answer = forecastSpend(past, { spentBefore, spentToday, left: dates('2026-12-01', count) });
          const { low, expected, high } = answer ?? { low: Number.NaN, expected: 0, high: 0 };
          expect(low).toBeLessThanOrEqual(expected);
          expect(expected).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThanOrEqual(spentBefore + spentToday - 0.01);
        },
      ),
    );
  });

  test('holds what it says: of random months 95 of 100 end within', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const cost = (index: number) => (isWeekend(index) ? 20 + 2 * normal() : 100 + 15 * normal());
    let within = 0;
    for (let round = 0; round < 1000; round++) {
      const past = days(28, cost);
      const left = Array.from({ length: 14 }, (_, index) => cost(index));
      const answer = forecastSpend(past, { spentBefore: 0, spentToday: 0, left: dates('2026-11-30', 14) });
      const end = left.reduce((sum, value) => sum + value, 0);
      if (answer && end >= answer.low && end <= answer.high) within++;
    }
    expect(within).toBeGreaterThan(920);
    expect(within).toBeLessThan(980);
  });
});
