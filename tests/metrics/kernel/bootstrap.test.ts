import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  percentileInterval,
  resampleQuantile,
  tallyQuantile,
  tallyValues,
  type ValueTally,
} from '../../../server/metrics/kernel/bootstrap.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { quantile, sampleDeviation } from '../../../server/metrics/kernel/statistics.ts';
import { rounds } from '../../support/rounds.ts';

const tallyEach = (values: readonly number[]) => tallyValues(values.map((value) => [value, 1]));

/** Standard error of what was drawn, over many seeds. */
function standardError(values: readonly number[], q: number): number {
  const errors = Array.from({ length: 40 }, (_, seed) =>
    sampleDeviation(resampleQuantile(tallyEach(values), q, randomStream('error', seed))),
  );
  return errors.reduce<number>((sum, error) => sum + (error ?? Number.NaN), 0) / errors.length;
}

// The mouse data of Efron and Tibshirani, An Introduction to the Bootstrap, 1993, table 2.1: with resamples without end.
test.each([
  ['treated', [94, 197, 16, 38, 99, 141, 23], 37.83],
  ['control', [52, 104, 146, 10, 51, 30, 40, 27, 46], 13.02],
])('the median of the %s mice has the published standard error', (_, survival, published) => {
  expect(standardError(survival, 0.5)).toBeGreaterThan(published - 0.25);
  expect(standardError(survival, 0.5)).toBeLessThan(published + 0.25);
});

/** What is meant: as many values drawn anew, one by one, and their quantile. */
function resampleNaively(values: readonly number[], q: number, count: number, seed: string): number[] {
  const random = randomStream('naive', seed);
  return Array.from({ length: count }, () => {
    const drawn = values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN);
    return quantile(drawn, q) ?? Number.NaN;
  });
}

/** The largest distance of two distributions (Kolmogorov, Smirnov). */
function distance(a: readonly number[], b: readonly number[]): number {
  const share = (values: readonly number[], upTo: number) =>
    values.filter((value) => value <= upTo).length / values.length;
  return Math.max(...[...new Set([...a, ...b])].map((value) => Math.abs(share(a, value) - share(b, value))));
}

test.each([
  [5, 0.5],
  [8, 0.5],
  [12, 0.95],
  [40, 0.95],
  [101, 0.5],
])('resamples of %i values have the quantile %d as often as those drawn one by one', (size, q) => {
  const random = randomStream('values', size);
  const values = Array.from({ length: size }, () => Math.round(20 * random()));
  const quick = resampleQuantile(tallyEach(values), q, randomStream('quick', size));
  // The critical distance of two samples of 2,000 at 0.1 %.
  expect(distance(quick, resampleNaively(values, q, 2000, `${size}`))).toBeLessThan(1.95 * Math.sqrt(2 / 2000));
});

describe('a tally', () => {
  const value = fc.integer({ min: 0, max: 30 });

  test('has the quantiles of its values, however they are counted', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
        const counts = new Map<number, number>();
        for (const one of values) counts.set(one, (counts.get(one) ?? 0) + 1);
        const expected = quantile(values, q);
        for (const tally of [tallyValues(counts), tallyEach(values)])
          expect(tallyQuantile(tally, q)).toEqual(expected === null ? null : expect.closeTo(expected, 9));
      }),
      { numRuns: rounds('PROPERTY_RUNS', 50, 5000) },
    );
  });

  test('draws the same for the same seed, and values between the smallest and the largest', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.constantFrom(0.5, 0.95), (values, q) => {
        const tally: ValueTally = tallyEach(values);
        const drawn = resampleQuantile(tally, q, randomStream('same'));
        expect(drawn).toEqual(resampleQuantile(tally, q, randomStream('same')));
        expect(drawn.every((one) => one >= Math.min(...values) && one <= Math.max(...values))).toBe(true);
        const { low, high } = percentileInterval(drawn);
        expect(low).toBeLessThanOrEqual(high);
      }),
      { numRuns: rounds('PROPERTY_RUNS', 20, 500) },
    );
  });

  test('of a million values draws what lies around their quantile', () => {
    const million = tallyValues(Array.from({ length: 1000 }, (_, index) => [index, 1000] as const));
    const { low, high } = percentileInterval(resampleQuantile(million, 0.95, randomStream('million')));
    // 1.96 standard errors of the rank, 218 of a million, are 0.43 of these values.
    expect(low).toBeGreaterThanOrEqual(948);
    expect(high).toBeLessThanOrEqual(951);
  });
});

test('about 95 of 100 intervals hold the median that the values were drawn around', () => {
  const random = randomStream('coverage');
  let held = 0;
  for (let trial = 0; trial < 400; trial++) {
    const values = Array.from({ length: 60 }, () => -Math.log(1 - random()));
    const { low, high } = percentileInterval(resampleQuantile(tallyEach(values), 0.5, randomStream('trial', trial)));
    if (low <= Math.LN2 && Math.LN2 <= high) held++;
  }
  expect(held / 400).toBeGreaterThan(0.91);
  expect(held / 400).toBeLessThan(0.985);
});
