import { expect, test } from 'vitest';
import { compareByRepository } from '../../../server/metrics/ai-authorship/comparison/by-repository.ts';
import {
  type ComparedPullRequest,
  clusterOf,
} from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';
import { matchSets } from '../../../server/metrics/ai-authorship/comparison/matching.ts';
import { setDifferences } from '../../../server/metrics/ai-authorship/comparison/set-differences.ts';

let last = 0;

function one(repository: string, isMarked: boolean, isMerged: boolean): ComparedPullRequest {
  last += 1;
  return {
    repository,
    number: last,
    isMarked,
    author: null,
    createdAt: last,
    month: '2026-05',
    stratum: `${repository} ${last}`,
    cluster: clusterOf(repository, `2026-05-${String(1 + (last % 28)).padStart(2, '0')}`),
    weekday: 0,
    lines: 100,
    changedFiles: 3,
    openPullRequests: 5,
    outcomes: {
      merged_30d: Number(isMerged),
      first_review_hours: null,
      review_rounds: null,
      time_to_merge_hours: null,
      reverted_30d: null,
      rework_30d: null,
      ci_minutes: null,
      ci_failed_share: null,
    },
    cost: null,
  };
}

/** A marked one and one that it is compared with. */
function pair(repository: string, isMarkedMerged: boolean, isOtherMerged: boolean): ComparedPullRequest[] {
  const marked = one(repository, true, isMarkedMerged);
  return [marked, { ...one(repository, false, isOtherMerged), stratum: marked.stratum }];
}

const compare = (pullRequests: readonly ComparedPullRequest[]) =>
  compareByRepository(
    'merged_30d',
    setDifferences(matchSets(pullRequests), ({ outcomes }) => outcomes.merged_30d),
    ['seed'],
  );

test('each repository with ten sets has the mean of its own differences, the highest first', () => {
  const pairs = (repository: string, count: number, higher: number) =>
    Array.from({ length: count }, (_unused, index) => pair(repository, index < higher, false)).flat();
  const all = [...pairs('octo/low', 10, 2), ...pairs('octo/high', 20, 15), ...pairs('octo/small', 9, 9)];
  const found = compare(all);
  expect(found.map(({ repository, sets, effect }) => [repository, sets, effect])).toEqual([
    ['octo/high', 20, 75],
    ['octo/low', 10, 20],
  ]);
  for (const { effect, interval } of found) {
    expect(interval?.low).toBeLessThan(effect);
    expect(interval?.high).toBeGreaterThan(effect);
  }
  expect(compare(all.toReversed()), 'whatever their order').toEqual(found);
});

test('of fewer than ten weeks there is no interval: of a single one it would have no width', () => {
  const inWeeks = (weeks: number) =>
    Array.from({ length: 20 }, (_unused, index) =>
      pair('octo/api', index < 15, false).map((own) => ({
        ...own,
        cluster: clusterOf('octo/api', `2026-05-${String(1 + (index % weeks)).padStart(2, '0')}`),
      })),
    ).flat();
  for (const weeks of [1, 9])
    expect(compare(inWeeks(weeks)), `${weeks}`).toMatchObject([{ sets: 20, effect: 75, interval: null }]);
  expect(compare(inWeeks(10))[0]?.interval).not.toBeNull();
});

test('where no set differs, nothing says how far off that may be', () => {
  const all = Array.from({ length: 20 }, () => pair('octo/equal', true, true)).flat();
  expect(compare(all)).toMatchObject([{ sets: 20, effect: 0, interval: null }]);
});
