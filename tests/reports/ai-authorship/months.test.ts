import { expect, test } from 'vitest';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { findMonths } from '../../../server/reports/ai-authorship/months.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const find = (from?: string, to?: string) => findMonths({ from, to }, now, createCalendar('UTC'));

test('the last six complete months are the usual ones', () => {
  expect(find()).toMatchObject({ from: '2026-05', to: '2026-10' });
  expect(find('2026-10')).toMatchObject({ from: '2026-10', to: '2026-10' });
});

test('a month that has not ended is refused: what a day adds to it would be of one person', () => {
  expect(find('2026-10', '2026-10').all).toEqual(['2026-10']);
  for (const to of ['2026-11', '2026-12']) expect(() => find('2026-10', to), to).toThrow();
});
