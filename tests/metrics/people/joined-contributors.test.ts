import { describe, expect, test } from 'vitest';
import {
  type ContributorRow,
  contributorRows,
  joinedSample,
  mergeTotals,
  windowSample,
} from '../../../server/metrics/people/contributors.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { medianHoursToMerge } from '../../../server/metrics/pull-requests/pull-requests.ts';
import { reviewPairs } from '../../../server/metrics/pull-requests/review-pairs.ts';
import { anActor, aPullRequest, aReview } from '../delivery-builders.ts';
import { deliveryWorld } from '../delivery-worlds.ts';
import { naiveMedianToMerge } from '../naive-contributors.ts';
import { day, hour } from '../worlds.ts';

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
/** null where any of them is unknown. */
const sumKnown = (values: (number | null)[]) => (values.includes(null) ? null : sum(values.map(Number)));
const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

describe.each(Array.from({ length: 40 }, (_, n) => n * 3 + 1))('three repositories of seed %d on', (seed) => {
  const worlds = [seed, seed + 1, seed + 2].map(deliveryWorld);
  const people = createPeople(worlds[0]?.links, ['own-ci']);
  const samples = worlds.map(({ pullRequests }) => windowSample(pullRequests, all));
  const joined = joinedSample(samples);
  const rows = contributorRows(joined, people);

  test('counts add up', () => {
    const complete = mergeTotals(joined.merged, people);
    const parts = samples.map(({ merged }) => mergeTotals(merged, people));
    for (const key of [
      'prsMergedTotal',
      'prsHumanReviewed',
      'prsNoHumanReview',
      'prsSelfMerged',
      'botReviews',
    ] as const)
      expect([key, complete[key]]).toEqual([key, sumKnown(parts.map((one) => one[key]))]);
    expect(complete.botPrs.merged).toBe(sum(parts.map(({ botPrs }) => botPrs.merged)));
    const countOf = (pairs: { count: number }[]) => sum(pairs.map(({ count }) => count));
    expect(countOf(reviewPairs(joined, people))).toBe(sum(samples.map((one) => countOf(reviewPairs(one, people)))));
  });

  test('everybody has one row, the sum of their rows', () => {
    const keys = rows.map(({ login, isBot }) => people.toKey({ login, isBot, avatarUrl: '' }));
    expect(new Set(keys).size).toBe(keys.length);
    const parts = samples.flatMap((one) => contributorRows(one, people));
    const ofKey = (key: string) => parts.filter((row) => people.toKey({ ...row, avatarUrl: '' }) === key);
    for (const [index, key] of keys.entries())
      for (const figure of ['prsMerged', 'prsOpened', 'reviewsGiven', 'reviewEvents', 'selfMergeCount'] as const) {
        const value = rows[index]?.[figure];
        // Who neither merged nor reviewed in a repository has no row there, but may have opened something.
        if (figure === 'prsOpened') expect(value).toBeGreaterThanOrEqual(sumOf(ofKey(key), figure));
        else expect([key, figure, value]).toEqual([key, figure, sumOf(ofKey(key), figure)]);
      }
  });

  test('the median is that of all pull requests, not of medians', () => {
    const median = medianHoursToMerge({ window: all, people })(joined.merged).value;
    expect(median).toBe(naiveMedianToMerge(worlds.flatMap(({ pullRequests }) => pullRequests.filter(isMerged))));
  });

  test('the number of a pull request does not matter', () => {
    const numbered = (number: (index: number) => number) =>
      joinedSample(
        worlds.map((world) =>
          windowSample(
            world.pullRequests.map((one, index) => ({ ...one, number: number(index) })),
            all,
          ),
        ),
      );
    const [same, apart] = [numbered(() => 1), numbered((index) => index + 1)];
    expect(contributorRows(same, people)).toEqual(contributorRows(apart, people));
    expect(reviewPairs(same, people)).toEqual(reviewPairs(apart, people));
    expect(mergeTotals(same.merged, people)).toEqual(mergeTotals(apart.merged, people));
  });
});

const sumOf = (
  rows: ContributorRow[],
  figure: 'prsMerged' | 'prsOpened' | 'reviewsGiven' | 'reviewEvents' | 'selfMergeCount',
) => sum(rows.map((row) => Number(row[figure])));
const isMerged = ({ mergedAt }: { mergedAt: number | null }) => mergedAt !== null;

test('one person in two repositories, with a pull request of the same number in each', () => {
  const people = createPeople([{ alias: 'ana-old', primary: 'ana' }]);
  const createdAt = Date.UTC(2026, 2, 6, 10);
  const one = (author: string, hours: number) =>
    aPullRequest({
      number: 7,
      author: anActor(author),
      createdAt,
      mergedAt: createdAt + hours * hour,
      reviews: [aReview('bob', 'approved', createdAt + hour / 2)],
    });
  const window = { from: createdAt, to: createdAt + 30 * day };
  const joined = joinedSample(
    [[one('ana', 2), one('ana', 4)], [one('ana-old', 40)]].map((list) => windowSample(list, window)),
  );
  expect(contributorRows(joined, people)).toMatchObject([
    { login: 'ana', linkedLogins: ['ana-old'], prsMerged: 3, medianHoursToMerge: 4, reviewedPrs: 3 },
    { login: 'bob', reviewsGiven: 3, reviewEvents: 3 },
  ]);
  expect(reviewPairs(joined, people)).toEqual([{ author: 'ana', reviewer: 'bob', count: 3 }]);
});
