import { expect, test } from 'vitest';
import { areSomeUnread, describeNoneOpen, incomplete, type OpenPullRequests } from '../../app/routes/repo/panels.ts';

const read = (total_open: number | null, fetched_prs: number) =>
  ({ total_open, fetched_prs, open_prs: [] }) as unknown as OpenPullRequests;

test('of open pull requests that nobody counted, those that were read are a minimum', () => {
  expect(incomplete(read(null, 3))).toBe(
    'Only the oldest 3 open pull requests are loaded, of an unknown number: counts are minimums.',
  );
  expect([read(null, 3), read(4, 3), read(3, 3)].map(areSomeUnread)).toEqual([true, true, false]);
});

test('that none is listed does not mean that none is open', () => {
  expect(describeNoneOpen(read(0, 0), ' by people')).toBe('No open pull requests by people.');
  for (const total of [null, 2])
    expect(describeNoneOpen(read(total, 0))).toBe('Open pull requests could not be loaded.');
});
