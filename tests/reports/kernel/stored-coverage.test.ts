import { expect, test } from 'vitest';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { readDays } from '../../../server/reports/kernel/stored-coverage.ts';

const calendar = createCalendar('UTC');
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
const window = { from: at('2026-05-01'), to: at('2026-05-10') };

test('a day is read where it was read of every repository that anything of the window was read of', () => {
  const stored = new Map([
    [1, { from: at('2026-05-02'), to: at('2026-05-10') }],
    [2, { from: at('2026-04-05'), to: at('2026-05-08') }],
    // Nothing of the window, and nothing at all.
    [3, { from: at('2026-03-01'), to: at('2026-04-20') }],
    [4, { from: at('2026-05-09'), to: at('2026-05-09') }],
  ]);
  const days = ['2026-05-01', '2026-05-02', '2026-05-08', '2026-05-09', '2026-05-10'];
  expect(days.filter(readDays(stored, window, calendar))).toEqual(['2026-05-02', '2026-05-08']);
});

test('of nothing that was synchronized no day was read', () => {
  expect(readDays(new Map(), window, calendar)('2026-05-05')).toBe(false);
});
