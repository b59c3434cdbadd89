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
