import { describe, expect, test } from 'vitest';
import {
  computePercent,
  mad,
  mean,
  median,
  quantile,
  quantiles,
  roundTo,
  sampleDeviation,
} from '../../../server/metrics/kernel/statistics.ts';

describe('quantile', () => {
  const toTwenty = Array.from({ length: 20 }, (_, index) => index + 1);
  test.each([
    [[1, 2, 3, 4], 0.5, 2.5],
    [[1, 2, 3, 4], 0.95, 3.85],
    [[4, 1, 3, 2], 0.95, 3.85],
    [toTwenty, 0.95, 19.05],
    [[10], 0, 10],
    [[10], 0.37, 10],
    [[10], 1, 10],
    [[9, 100, 20], 0.5, 20],
  ])('of %j at %d is %d', (values, q, expected) => {
    expect(quantile(values, q)).toBeCloseTo(expected, 10);
  });

  test('of nothing is unknown', () => {
    expect(quantile([], 0.5)).toBeNull();
    expect(quantiles([], [0.5, 0.95])).toEqual([null, null]);
  });

  test('leaves the given values as they were', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

test('mean, median and deviation of nothing are unknown', () => {
  expect([mean([]), median([]), mad([])]).toEqual([null, null, null]);
});

test('the median absolute deviation does not feel one outlier', () => {
  expect(mad([1, 2, 3, 4, 5])).toBe(1);
  expect(mad([1, 2, 3, 4, 5000])).toBe(1);
});

test('the mean does not depend on the order of the values', () => {
  expect(mean([0.1, 0.2, 0.3, 1e16, 7])).toBe(mean([1e16, 7, 0.3, 0.2, 0.1]));
});

test('the deviation is that of a sample, and of fewer than two values unknown', () => {
  expect(sampleDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(sampleDeviation([3, 3])).toBe(0);
  expect([sampleDeviation([3]), sampleDeviation([])]).toEqual([null, null]);
});

test('a percentage of nothing is unknown, not zero', () => {
  expect(computePercent([], () => true)).toBeNull();
  expect(computePercent([1, 2, 3, 4], (value) => value > 3)).toBe(25);
  expect(computePercent([1], () => false)).toBe(0);
});

test.each([
  [2.5, 0, 3],
  [-2.5, 0, -3],
  [2.4999, 0, 2],
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [0.285, 2, 0.29],
  [1e-9, 2, 0],
  [-0.2, 0, 0],
  [1e21, 2, 1e21],
  [12.345, 1, 12.3],
])('%d to %d digits is %d', (value, digits, expected) => {
  expect(roundTo(value, digits)).toBe(expected);
});
