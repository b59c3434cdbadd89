import { expect, test } from 'vitest';
import { describeUnoffered } from '../../app/components/period-filters.ts';

test.each([
  ['', ['Not compared']],
  ['range=90', ['Not compared']],
  ['range=last-60&compare=previous', ['Not compared']],
  ['compare=off', []],
  ['range=7&compare=off', ['Last 7 days: not available, counted by month; 30 days shown']],
  ['range=quarter&compare=year', ['This quarter: not available, counted by month; 30 days shown', 'Not compared']],
  [
    'range=2026-05-01..2026-05-31&compare=off',
    ['1 May 2026 to 31 May 2026: not available, counted by month; 30 days shown'],
  ],
])('what is shown in place of %s', (query, said) => {
  expect(describeUnoffered(new URLSearchParams(query), ['30', '90'], { because: 'counted by month' })).toEqual(said);
});

test('a page says in its own words what it shows', () => {
  const words = { shown: 'latest 50 runs', compared: 'Compared with the previous period' };
  expect(describeUnoffered(new URLSearchParams('range=7&compare=year'), [], words)).toEqual([
    'Last 7 days: not available here, latest 50 runs shown',
    'Compared with the previous period',
  ]);
});
