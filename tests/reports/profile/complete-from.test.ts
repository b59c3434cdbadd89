import { expect, test } from 'vitest';
import { commitsCompleteFrom, type LoginRead } from '../../../server/reports/profile/coverage.ts';

const asOf = Date.UTC(2026, 10, 16);
const repository = { owner: 'octo', repo: 'web' };
const items = Array.from({ length: 100 }, (_, index) => ({ repository, committedAt: asOf - 1000 + index }));
const read = (commits: object) => [{ excluded: 0, commits: { items, asOf, ...commits } } as unknown as LoginRead];

test('commits are complete from the oldest of a capped list, and from no day on where some could not be read', () => {
  expect(commitsCompleteFrom(read({ partial: false }))).toBeNull();
  expect(commitsCompleteFrom(read({ partial: true }))).toBe(asOf - 1000);
  const partialReason = 'author.user of 2 commits of an author could not be read';
  expect(commitsCompleteFrom(read({ partial: true, partialReason }))).toBe(asOf);
});
