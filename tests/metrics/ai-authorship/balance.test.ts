import { expect, test } from 'vitest';
import { balanceOf } from '../../../server/metrics/ai-authorship/comparison/balance.ts';
import {
  type ComparedPullRequest,
  clusterOf,
} from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';

const aPullRequest = (isMarked: boolean, weekday: number): ComparedPullRequest => ({
  repository: 'a',
  number: 1,
  isMarked,
  author: 'ana',
  createdAt: 0,
  month: '2026-01',
  stratum: 'a',
  cluster: clusterOf('a', '2026-01-05'),
  weekday,
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
  cost: null,
});

test('of sides that are constant is unknown where they differ, and none where they are the same', () => {
  const [marked, comparable] = [aPullRequest(true, 0), aPullRequest(false, 4)];
  const found = balanceOf([marked, comparable], [{ marked, comparable: [comparable] }]);
  expect(found.find(({ covariate }) => covariate === 'Weekday')).toEqual({
    covariate: 'Weekday',
    before: null,
    after: null,
    ok: false,
  });
  expect(found.find(({ covariate }) => covariate === 'Open pull requests')).toMatchObject({ after: 0, ok: true });
});
