import { describe, expect, test } from 'vitest';
import { comparePullRequests } from '../../../server/metrics/ai-authorship/comparison/compare.ts';
import {
  type ComparedPullRequest,
  clusterOf,
} from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import { matchSets } from '../../../server/metrics/ai-authorship/comparison/matching.ts';
import { summarizeTrials, tryWorld, worldWithEffect, worldWithoutEffect } from '../../simulation/authorship-trials.ts';
import { drawPullRequests } from '../../simulation/authorship-worlds.ts';
import { rounds } from '../../support/rounds.ts';

const aPullRequest = (differences: Partial<ComparedPullRequest>): ComparedPullRequest => ({
  repository: 'a',
  number: 1,
  isMarked: false,
  author: 'ana',
  createdAt: 0,
  stratum: 'a',
  cluster: clusterOf('a', '2026-01-05'),
  weekday: 0,
  lines: 100,
  changedFiles: 3,
  openPullRequests: 5,
  outcomes: {
    merged_30d: 1,
    first_review_hours: 5,
    review_rounds: 1,
    time_to_merge_hours: 10,
    reverted_30d: 0,
    rework_30d: 0,
    ci_minutes: 8,
    ci_failed_share: 0,
  },
  ...differences,
});

describe('matched sets', () => {
  const marked = aPullRequest({ number: 9, isMarked: true });

  test('have at most three, the nearest, the older one of two as near', () => {
    const others = [110, 90, 100, 90, 95].map((lines, index) => aPullRequest({ number: index + 1, lines }));
    const [set] = matchSets([marked, ...others]);
    expect(set?.comparable.map(({ number }) => number)).toEqual([3, 5, 1]);
  });

  test('have none of another stratum, or of another size', () => {
    expect(matchSets([marked, aPullRequest({ stratum: 'b' })])).toEqual([]);
    expect(matchSets([marked, aPullRequest({ lines: 151 })])).toEqual([]);
    expect(matchSets([marked, aPullRequest({ lines: 149 })])).toHaveLength(1);
  });

  test('use one without a mark several times', () => {
    const other = aPullRequest({ number: 1 });
    expect(matchSets([marked, { ...marked, number: 8 }, other]).map(({ comparable }) => comparable)).toEqual([
      [other],
      [other],
    ]);
  });
});

describe('a comparison', () => {
  test('of few says why it tells nothing', () => {
    const { outcomes } = comparePullRequests([aPullRequest({ number: 2, isMarked: true }), aPullRequest({})], ['few']);
    expect(outcomes).toHaveLength(8);
    for (const { verdict, reasons } of outcomes) {
      expect(verdict).toBe('not_comparable');
      expect(reasons).toEqual(expect.arrayContaining(['few_sets', 'few_clusters', 'few_repositories']));
    }
    expect(comparePullRequests([], ['none']).outcomes).toEqual([]);
  });

  test('vector 21: the same pull requests in another order give the same bytes', () => {
    const pullRequests = drawPullRequests(worldWithEffect(1, [60, 120]));
    const figures = comparePullRequests(pullRequests, ['scope']);
    expect(JSON.stringify(comparePullRequests(pullRequests.toReversed(), ['scope']))).toBe(JSON.stringify(figures));
  });

  test('claims next to nothing where all that drives marks drives the outcomes as well', () => {
    const count = rounds('WORLDS_WITHOUT_EFFECT', 20, 500);
    const trials = Array.from({ length: count }, (_unused, seed) => tryWorld(worldWithoutEffect(seed + 1)));
    const { anyClaims, plainClaimsPct } = summarizeTrials(trials);
    expect(anyClaims).toBeLessThanOrEqual(0.02 * count);
    expect(plainClaimsPct).toBeGreaterThanOrEqual(90);
  });

  test('finds fewer merges by 15 points, and never the opposite', () => {
    const trials = Array.from({ length: rounds('WORLDS_WITH_EFFECT', 1, 30) }, (_unused, seed) =>
      tryWorld(worldWithEffect(seed + 1)),
    );
    const { mergedLower, mergedHigher, worlds } = summarizeTrials(trials);
    expect(mergedLower).toBeGreaterThanOrEqual(worlds / 2);
    expect(mergedHigher).toBe(0);
  });
});
