import { expect, test } from 'vitest';
import { describeUnoffered } from '../../app/components/period-filters.ts';

test.each([
  ['', []],
  ['range=90', []],
  ['range=last-60', []],
  ['compare=off', []],
  ['range=7', ['Last 7 days: not available here, 30 days shown']],
  ['range=quarter&compare=year', ['This quarter: not available here, 30 days shown', 'Not compared']],
  ['range=2026-05-01..2026-05-31', ['1 May 2026 to 31 May 2026: not available here, 30 days shown']],
])('what is shown in place of %s', (query, said) => {
  expect(describeUnoffered(new URLSearchParams(query), ['30', '90'])).toEqual(said);
});

test('a page says in its own words what it shows', () => {
  const words = { shown: 'latest 50 runs', compared: 'Compared with the previous period' };
  expect(describeUnoffered(new URLSearchParams('range=7&compare=year'), [], words)).toEqual([
    'Last 7 days: not available here, latest 50 runs shown',
    'Compared with the previous period',
  ]);
});
