import { expect, test } from 'vitest';
import { addArrivals, findBar } from '../../../server/metrics/merge-queue/arrivals.ts';
import { findBuilds } from '../../../server/metrics/merge-queue/builds.ts';
import { findTail, followChecks } from '../../../server/metrics/merge-queue/slow-checks.ts';
import { at, groupRun, minute } from './queue-facts.ts';

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

test('a re-run counts from its own start, and what ended before it as a build that ended', () => {
  const branch = (number: number) => `gh-readonly-queue/main/pr-${number}-${'a'.repeat(40)}`;
  const past = Array.from({ length: 100 }, (_, index) =>
    groupRun(branch(index), '6:00', 10 + index / 100, { id: index }),
  );
  const again = Array.from({ length: 6 }, (_, index) => {
    const first = groupRun(branch(1000 + index), '8:00', 10, { id: 1000 + index, conclusion: 'failure' });
    const started = { startedAt: at('11:55'), status: 'in_progress', completedAt: null, conclusion: null } as const;
    return [first, { ...first, attempt: 2, ...started }];
  });
  const builds = findBuilds([...past, ...again.flat()]);
  expect(builds.at(-1)?.spans).toEqual([
    { from: at('8:00'), to: at('8:10') },
    { from: at('11:55'), to: null },
  ]);
  const areSlow = followChecks(builds);
  expect(areSlow(at('12:00'))).toBe(false);
  // Between the two nothing ran.
  expect(areSlow(at('10:00'))).toBe(false);
  expect(areSlow(at('12:20'))).toBe(true);
});

test('runs of a build that overlap, or follow without a re-run, are one span', () => {
  const branch = `gh-readonly-queue/main/pr-1-${'a'.repeat(40)}`;
  const runs = [
    groupRun(branch, '8:00', 10, { id: 1 }),
    groupRun(branch, '8:05', 20, { id: 2 }),
    groupRun(branch, '8:30', 5, { id: 3 }),
    groupRun(branch, '8:00', 15, { id: 1, attempt: 2, startedAt: at('8:20'), completedAt: at('8:28') }),
  ];
  const [build] = findBuilds(runs);
  expect(build?.spans).toEqual([{ from: at('8:00'), to: at('8:00') + 35 * minute }]);
});
