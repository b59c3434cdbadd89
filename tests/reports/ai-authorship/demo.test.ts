import { expect, test } from 'vitest';
import { measureShares } from '../../../server/metrics/ai-authorship/shares.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { sampleGroups } from '../../../server/reports/ai-authorship/demo.ts';
import { findMonths } from '../../../server/reports/ai-authorship/months.ts';
import { openedInSample } from './demo-world.ts';

test('the floors leave every class of the sample organization shown', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const months = findMonths({}, now, createCalendar('UTC'));
  const { classes } = measureShares(sampleGroups(openedInSample, months, now), []);
  expect(classes.filter(({ suppressed }) => suppressed)).toEqual([]);
});

test('each repository of the sample has the pull requests of its own history, and no more people than the sample', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const months = findMonths({}, now, createCalendar('UTC'));
  const groups = sampleGroups(openedInSample, months, now);
  for (const [repositoryId, of] of openedInSample)
    for (const month of months.all) {
      const own = groups.filter((one) => one.repositoryId === repositoryId && one.month === month);
      const { byPeople, byMachines } = of(month);
      expect(own.reduce((sum, { prs }) => sum + prs, 0)).toBe(byPeople + byMachines);
      if (byPeople < 40)
        expect(own.filter((one) => one.class !== 'unmarked' && one.class !== 'automation')).toEqual([]);
    }
  expect(new Set(groups.flatMap(({ author }) => author ?? [])).size).toBeLessThanOrEqual(6);
});
