import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CountedDay,
  countDifferenceInterval,
  countInterval,
  estimateDispersion,
  independent,
} from '../../../server/metrics/kernel/counts.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { rounds } from '../../support/rounds.ts';

const week = (counts: readonly number[]): CountedDay[] => counts.map((count, day) => ({ weekday: day % 7, count }));

// By statsmodels 0.15.0: confint_poisson(method="score").
test.each([
  [0, 0, 3.8415],
  [10, 5.432, 18.4095],
])('the interval of %i independent events is %d to %d', (count, low, high) => {
  expect(countInterval(count, independent).low).toBeCloseTo(low, 4);
  expect(countInterval(count, independent).high).toBeCloseTo(high, 4);
});

// By statsmodels 0.15.0: confint_poisson_2indep(method="mover", method_mover="score", compare="diff"), of rates by day,
// times the days of the first.
test.each([
  [41, 15, 1, 11.4677, 41.7661],
  [60, 30, 1, 11.4636, 49.4263],
  [120, 80, 30 / 20, -35.2993, 33.2686],
  [12, 7, 1, -4.0489, 14.6751],
  [0, 10, 7 / 7, -18.4095, -4.0315],
])('%i events less %i, times %d, are %d to %d', (after, before, scale, low, high) => {
  const interval = countDifferenceInterval(before, after, scale, independent);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

// 60 cases in 51,477.5 person-years and 40 in 54,308.7, in thousands of them: the interval is published as 0.0057 to 0.081.
test('the published difference of two rates is met', () => {
  const [years, others] = [514.775, 543.087];
  const { low, high } = countDifferenceInterval(40, 60, years / others, independent);
  expect(low / years).toBeCloseTo(0.0057, 3);
  expect(high / years).toBeCloseTo(0.081, 2);
});

// By statsmodels 0.15.0: Pearson's chi-square by the residual degrees of freedom of a Poisson GLM with the factors period
// and weekday, and by scipy the quantile of Student's distribution of as many.
test('counts that differ from day to day by more than chance are as dispersed as a generalized linear model says', () => {
  const { factor, reach } = estimateDispersion([
    week([31, 58, 35, 12, 22, 4, 9, 40, 25, 63]),
    week([36, 30, 41, 29, 30, 6, 1]),
  ]);
  expect(factor).toBeCloseTo(4.678293, 5);
  expect(reach).toBeCloseTo(2.262157, 3);
});

test('counts that differ by less are taken for independent ones', () => {
  const calm = [week([31, 28, 35, 30, 22, 4, 2, 40, 25, 33]), week([36, 30, 41, 29, 30, 6, 1])];
  expect(estimateDispersion(calm).factor).toBe(1);
  expect(estimateDispersion([[], []])).toEqual(independent);
  expect(estimateDispersion([week([0, 0, 0, 0, 0, 0, 0]), week([0, 0, 0, 0, 0, 0, 0])])).toEqual(independent);
});

/** Pushes by chance, on weekdays more, each of which starts as many runs as `runs` says. */
function countPushes(days: number, mean: number, runs: number, random: () => number): CountedDay[] {
  const counts = Array.from({ length: days }, (_, day) => {
    const limit = Math.exp(-mean * (day % 7 < 5 ? 1 : 0.2));
    let pushes = 0;
    for (let left = random(); left > limit; left *= random()) pushes++;
    return pushes * runs;
  });
  return week(counts);
}

test.each([
  [7, 1],
  [7, 6],
  [30, 6],
])('about 95 of 100 intervals of %i days hold that nothing changed, also where a push starts %i runs', (days, runs) => {
  const random = randomStream('pushes', days, runs);
  const trials = 2000;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const [a, b] = [countPushes(days, 12, runs, random), countPushes(days, 12, runs, random)];
    const [before, after] = [a, b].map((side) => side.reduce((sum, { count }) => sum + count, 0)) as [number, number];
    const { low, high } = countDifferenceInterval(before, after, 1, estimateDispersion([a, b]));
    if (low <= 0 && 0 <= high) held++;
  }
  expect(held / trials).toBeGreaterThan(0.93);
});

test('an interval holds its count, and is wider where days differ more', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.double({ min: 1, max: 30, noNaN: true }), (count, factor) => {
      const { low, high } = countInterval(count, { ...independent, factor });
      expect(low).toBeLessThanOrEqual(count);
      expect(high).toBeGreaterThanOrEqual(count);
      const narrow = countInterval(count, independent);
      expect(high - low).toBeGreaterThanOrEqual(narrow.high - narrow.low - 1e-9);
    }),
    { numRuns: rounds('PROPERTY_RUNS', 50, 5000) },
  );
});
