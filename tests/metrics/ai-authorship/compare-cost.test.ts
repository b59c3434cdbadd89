import { expect, test } from 'vitest';
import { compareCost } from '../../../server/metrics/ai-authorship/comparison/compare-cost.ts';
import { clusterOf } from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import type { MatchedSet } from '../../../server/metrics/ai-authorship/comparison/matching.ts';
import type { PullRequestCost } from '../../../server/metrics/ai-authorship/comparison/measure-runs.ts';

let last = 0;

function one(cost: PullRequestCost | null): MatchedSet['marked'] {
  last += 1;
  return {
    repository: 'octo/api',
    number: last,
    isMarked: true,
    author: null,
    createdAt: last,
    month: '2026-05',
    stratum: '',
    cluster: clusterOf('octo/api', `2026-05-${String(1 + (last % 28)).padStart(2, '0')}`),
    weekday: 0,
    lines: 100,
    changedFiles: 3,
    openPullRequests: 5,
    outcomes: {
      merged_30d: null,
      first_review_hours: null,
      review_rounds: null,
      time_to_merge_hours: null,
      reverted_30d: null,
      rework_30d: null,
      ci_minutes: null,
      ci_failed_share: null,
    },
    cost,
  };
}

const usd = (minutes: number, failed = 0): PullRequestCost => ({
  minutes,
  usd: minutes / 100,
  failedUsd: failed / 100,
});

test('cost is the mean of the sets of which both sides are known', () => {
  const sets = [
    { marked: one(usd(10, 10)), comparable: [one(usd(20)), one(usd(40, 20)), one(null)] },
    { marked: one(usd(30)), comparable: [one(usd(10))] },
    { marked: one(null), comparable: [one(usd(10))] },
    { marked: one(usd(1000)), comparable: [one(null)] },
  ];
  const found = compareCost(sets, ['seed']);
  expect(found).toMatchObject({ sets: 2 });
  expect(found?.marked).toEqual({ prs: 2, minutes: 20, usd: 0.2, failedUsd: 0.05 });
  expect(found?.comparable).toEqual({ prs: 3, minutes: 20, usd: 0.2, failedUsd: 0.05 });
  expect(found?.difference).toBeCloseTo(0);
  expect(found?.interval, 'of two weeks').toBeNull();
  expect(compareCost(sets, ['seed']), 'the same each time').toEqual(found);
  expect(compareCost([{ marked: one(null), comparable: [one(usd(10))] }], [])).toBeNull();
});

test('its interval is known from ten weeks on', () => {
  const sets = (count: number) =>
    Array.from({ length: count }, (_unused, index) => ({ marked: one(usd(index)), comparable: [one(usd(10))] }));
  const intervalOf = (count: number) => compareCost(sets(count), ['seed'])?.interval;
  expect(intervalOf(9)).toBeNull();
  expect(intervalOf(10)?.low).toBeLessThan(intervalOf(10)?.high ?? 0);
});
