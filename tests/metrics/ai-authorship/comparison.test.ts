import { describe, expect, test } from 'vitest';
import { comparePullRequests } from '../../../server/metrics/ai-authorship/comparison/compare.ts';
import {
  type ComparedPullRequest,
  clusterOf,
} from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import { examine } from '../../../server/metrics/ai-authorship/comparison/examine.ts';
import { matchSets } from '../../../server/metrics/ai-authorship/comparison/matching.ts';
import { summarizeTrials, tryWorld, worldWithEffect, worldWithoutEffect } from '../../simulation/authorship-trials.ts';
import { drawPullRequests } from '../../simulation/authorship-worlds.ts';
import { rounds } from '../../support/rounds.ts';
import { aPullRequest } from './compared-pull-request.ts';

type Outcomes = Partial<ComparedPullRequest['outcomes']>;

const notFound = 'not_significant';

/** Marked ones with one each that is like it, of four repositories and twelve weeks. */
const pairs = (
  count: number,
  differ: (pair: { index: number; isMarked: boolean }) => Omit<Partial<ComparedPullRequest>, 'outcomes'> & {
    outcomes?: Outcomes;
  } = () => ({}),
): ComparedPullRequest[] =>
  Array.from({ length: 2 * count }, (_unused, place) => {
    const [index, isMarked] = [place >> 1, place % 2 === 0];
    const repository = `r${index % 4}`;
    const { outcomes, ...rest } = differ({ index, isMarked });
    const one = aPullRequest({
      repository,
      number: place,
      isMarked,
      createdAt: place,
      stratum: `${index}`,
      cluster: clusterOf(repository, `2026-01-${10 + (index % 12)}`),
      ...rest,
    });
    return { ...one, outcomes: { ...one.outcomes, ...outcomes } };
  });

const outcomeOf = (pullRequests: readonly ComparedPullRequest[], wanted: keyof ComparedPullRequest['outcomes']) =>
  comparePullRequests(pullRequests, ['seed']).outcomes.find(({ key }) => key === wanted);

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
      expect(reasons).toEqual(expect.arrayContaining(['few_sets', 'few_clusters', 'in_one_repository']));
    }
    expect(comparePullRequests([], ['none']).outcomes).toEqual([]);
  });

  test('judges balance and matched share by those of which an outcome is known', () => {
    const few = pairs(140, ({ index, isMarked }) =>
      isMarked || index < 32 ? {} : { outcomes: { time_to_merge_hours: null } },
    );
    expect(outcomeOf(few, 'time_to_merge_hours')?.reasons).toContain('low_matched_share');
    expect(outcomeOf(few, 'review_rounds')?.reasons).not.toContain('low_matched_share');
    const uneven = pairs(140, ({ index, isMarked }) => ({
      lines: isMarked === index < 70 ? 120 : 100,
      ...(index < 70 ? {} : { outcomes: { time_to_merge_hours: null } }),
    }));
    expect(outcomeOf(uneven, 'time_to_merge_hours')?.reasons).toContain('not_balanced');
    expect(outcomeOf(uneven, 'review_rounds')?.reasons).not.toContain('not_balanced');
  });

  test('lets outcomes of too few take nothing from the others', () => {
    const nothing = { first_review_hours: null, time_to_merge_hours: null, ci_minutes: null, ci_failed_share: null };
    const shifted = (shift: number) =>
      pairs(120, ({ index, isMarked }) => ({
        outcomes: {
          ...(index < 9 ? {} : { ...nothing, merged_30d: null, reverted_30d: null, rework_30d: null }),
          review_rounds: isMarked ? 2 * Math.exp(shift + 0.2 * Math.sin(index * index)) - 1 : 1,
        },
      }));
    const examined = (shift: number) => examine(shifted(shift)).outcomes.find(({ key }) => key === 'review_rounds');
    const { mean, error } = examined(0)?.estimate ?? { mean: 0, error: null };
    const unclaimed = (score: number) => examined(score * (error ?? 0) - mean)?.unclaimed;
    expect(unclaimed(2.5)).not.toContain('not_significant');
    expect(unclaimed(2.3)).toContain('not_significant');
  });

  test('tells no relevant difference only where repositories, methods and placebos allow a claim', () => {
    expect(outcomeOf(pairs(120), 'review_rounds')).toMatchObject({
      verdict: 'no_relevant_difference',
      reasons: [notFound],
    });
    const opposite = pairs(120, ({ index, isMarked }) => {
      const more = isMarked ? index % 4 === 0 : index % 4 === 1;
      return {
        outcomes: { review_rounds: (more ? 1.2 : 1) + (index % 3) / 100 + (isMarked ? 0 : 0.001 * (index % 5)) },
      };
    });
    expect(outcomeOf(opposite, 'review_rounds')).toMatchObject({ verdict: 'no_difference_shown' });
    // The one before each marked one waited less than the one before that with which it is compared.
    const elsewhere = pairs(120).flatMap((one) => {
      const first_review_hours = one.isMarked ? 1 : 100;
      const before = { number: 1000 + one.number, isMarked: false, stratum: 'before', lines: 1 };
      return [
        { ...one, ...before, createdAt: 10 * one.createdAt, outcomes: { ...one.outcomes, first_review_hours } },
        { ...one, createdAt: 10 * one.createdAt + 5 },
      ];
    });
    expect(outcomeOf(elsewhere, 'review_rounds')).toMatchObject({
      verdict: 'not_comparable',
      reasons: [notFound, 'context_differs'],
    });
  });

  test('tells nothing of a risk that hardly ever happened, or nearly always', () => {
    const reverted = (count: number) =>
      outcomeOf(
        // Both sides of a pair alike but once, so that little differs and the interval has a width.
        pairs(600, ({ index, isMarked }) => ({
          outcomes: { reverted_30d: Number(index < count || (count > 0 && index === 599 && isMarked)) },
        })),
        'reverted_30d',
      );
    expect(reverted(0)).toMatchObject({ interval: { low: 0, high: 0 }, verdict: 'no_difference_shown' });
    expect(reverted(1), '3 of 1200').toMatchObject({ verdict: 'no_difference_shown' });
    expect(reverted(2), '5 of 1200').toMatchObject({ verdict: 'no_relevant_difference' });
    expect(reverted(599), 'all').toMatchObject({ verdict: 'no_difference_shown' });
    expect(outcomeOf(pairs(120), 'merged_30d')).toMatchObject({ verdict: 'no_difference_shown' });
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
