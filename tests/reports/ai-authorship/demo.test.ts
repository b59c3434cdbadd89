import { expect, test } from 'vitest';
import { measureShares } from '../../../server/metrics/ai-authorship/shares.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { sampleGroups } from '../../../server/reports/ai-authorship/demo.ts';
import { findMonths } from '../../../server/reports/ai-authorship/months.ts';

test('the floors leave every class of the sample organization shown', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const months = findMonths({}, now, createCalendar('UTC'));
  const repositories = Array.from({ length: 12 }, (_, index) => index + 1);
  const { classes } = measureShares(sampleGroups(repositories, months, now), []);
  expect(classes.filter(({ suppressed }) => suppressed)).toEqual([]);
});
