import { expect, test } from 'vitest';
import { addArrivals, findBar } from '../../../server/metrics/merge-queue/arrivals.ts';
import { findTail } from '../../../server/metrics/merge-queue/slow-checks.ts';

test('arrivals are too many once their cumulative sum is above a bar that grows with the traffic', () => {
  expect(findBar(1600)).toBeCloseTo(11.685, 3);
  const sums = [1, 2, 3, 4, 5].reduce<number[]>((all) => [...all, addArrivals(all.at(-1) ?? 0, 4, 1)], []);
  expect(sums.map((sum) => Number(sum.toFixed(3)))).toEqual([2.394, 4.789, 7.183, 9.578, 11.972]);
  expect(sums.map((sum) => sum >= findBar(1600))).toEqual([false, false, false, false, true]);
  expect(addArrivals(1, 0, 1)).toBe(0);
});

test('running builds are slow together where each alone proves nothing', () => {
  const past = (count: number) => Array.from({ length: count }, (_, index) => 10 + index / count);
  expect(findTail([20, 20, 20], past(99))).toBeCloseTo(1.1e-4, 5);
  expect(findTail([20, 20, 20], past(999))).toBeCloseTo(2.4e-7, 8);
  expect(findTail([20], past(999))).toBeCloseTo(1e-3, 6);
  expect(findTail([], past(99))).toBe(1);
});
