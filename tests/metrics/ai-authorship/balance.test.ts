import { expect, test } from 'vitest';
import { balanceOf } from '../../../server/metrics/ai-authorship/comparison/balance.ts';
import { aPullRequest } from './compared-pull-request.ts';

test('of sides that are constant is unknown where they differ, and none where they are the same', () => {
  const [marked, comparable] = [aPullRequest({ isMarked: true, weekday: 0 }), aPullRequest({ weekday: 4 })];
  const found = balanceOf([marked, comparable], [{ marked, comparable: [comparable] }]);
  expect(found.find(({ covariate }) => covariate === 'Weekday')).toEqual({
    covariate: 'Weekday',
    before: null,
    after: null,
    ok: false,
  });
  expect(found.find(({ covariate }) => covariate === 'Open pull requests')).toMatchObject({ after: 0, ok: true });
});
