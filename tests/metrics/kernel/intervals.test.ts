import { expect, test } from 'vitest';
import { medianInterval, rateInterval } from '../../../server/metrics/kernel/intervals.ts';
import { randomOf } from '../worlds.ts';

test.each([
  [0, 10, 0, 27.75],
  [5, 10, 23.66, 76.34],
  [10, 10, 72.25, 100],
  [1, 1, 20.65, 100],
])('the interval of %d in %d is %d to %d', (matches, sample, low, high) => {
  expect(rateInterval(matches, sample)?.low).toBeCloseTo(low, 2);
  expect(rateInterval(matches, sample)?.high).toBeCloseTo(high, 2);
});

test('of nothing there is no interval, and of few values none of the median', () => {
  expect(rateInterval(0, 0)).toBeNull();
  expect(medianInterval([])).toBeNull();
  expect(medianInterval([1, 2, 3, 4, 5])).toBeNull();
});

// Ranks from tables of the binomial distribution.
test.each([
  [6, 1, 6],
  [10, 2, 9],
  [20, 6, 15],
  [50, 18, 33],
  [100, 40, 61],
  [3000, 1446, 1555],
])('the median of %d values lies between the %dth and the %dth', (count, low, high) => {
  const values = Array.from({ length: count }, (_, index) => count - index);
  expect(medianInterval(values)).toEqual({ low, high });
});

test('about 95 of 100 rate intervals hold the rate they were drawn from', () => {
  const random = randomOf(11);
  let held = 0;
  for (let trial = 0; trial < 20_000; trial++) {
    const rate = 0.05 + 0.9 * random();
    const sample = 20 + Math.floor(180 * random());
    let matches = 0;
    for (let draw = 0; draw < sample; draw++) if (random() < rate) matches++;
    const { low, high } = rateInterval(matches, sample) ?? { low: Number.NaN, high: Number.NaN };
    if (low <= 100 * rate && 100 * rate <= high) held++;
  }
  expect(held / 20_000).toBeGreaterThan(0.93);
  expect(held / 20_000).toBeLessThan(0.97);
});

test('about 95 of 100 median intervals hold the median of a lopsided distribution', () => {
  const random = randomOf(12);
  let held = 0;
  for (let trial = 0; trial < 10_000; trial++) {
    const sample = 20 + Math.floor(130 * random());
    const values = Array.from({ length: sample }, () => -Math.log(1 - random()));
    const { low, high } = medianInterval(values) ?? { low: Number.NaN, high: Number.NaN };
    if (low <= Math.LN2 && Math.LN2 <= high) held++;
  }
  expect(held / 10_000).toBeGreaterThan(0.93);
  expect(held / 10_000).toBeLessThan(0.97);
});
