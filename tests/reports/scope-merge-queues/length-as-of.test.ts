import { expect, test } from 'vitest';
import { findLengthAsOf } from '../../../server/reports/scope-merge-queues/known-queue.ts';

const [openAsOf, now] = [1000, 9000];
const told = (baseBranch: string, at: number) => ({ baseBranch, at });
const polled = (agrees: boolean, branch = 'main') => ({
  at: 4000,
  branch,
  hasQueue: true,
  configuration: null,
  changedAt: null,
  missing: [],
  agrees,
});
const of = (notices: ReturnType<typeof told>[], looked?: ReturnType<typeof polled>) =>
  findLengthAsOf('main', { openAsOf, notices, polled: looked, now });

test('a length is of now where a webhook told of the same branch since open pull requests were read', () => {
  expect(of([told('main', 500), told('main', 2000)])).toBe(now);
  expect(of([told('main', 2000)], polled(true))).toBe(now);
  expect(of([])).toBe(openAsOf);
  expect(of([told('main', 500)])).toBe(openAsOf);
  expect(of([told('release', 2000)])).toBe(openAsOf);
});

test('a length is of the last look where webhooks told nothing, and not of now where that look differed', () => {
  expect(of([], polled(true))).toBe(4000);
  expect(of([], polled(true, 'release'))).toBe(openAsOf);
  expect(of([], polled(false))).toBe(openAsOf);
  expect(of([told('main', 2000)], polled(false))).toBe(2000);
  expect(of([told('main', 2000)], polled(false, 'release'))).toBe(now);
});
