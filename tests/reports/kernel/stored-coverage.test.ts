import { expect, test } from 'vitest';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { readDays } from '../../../server/reports/kernel/stored-coverage.ts';

const calendar = createCalendar('UTC');
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

test('a day that was read of some repositories is not one of all', () => {
  const stored = new Map([
    [1, { from: at('2026-05-02'), to: at('2026-05-09') }],
    [2, { from: at('2026-05-05'), to: at('2026-05-09') }],
    // Nothing was ever read of it.
    [3, { from: at('2026-05-09'), to: at('2026-05-09') }],
  ]);
  const ofDay = readDays(stored, at('2026-05-08'), calendar);
  const days = ['2026-05-01', '2026-05-02', '2026-05-04', '2026-05-05', '2026-05-08', '2026-05-09'];
  expect(days.map(ofDay)).toEqual(['none', 'some', 'some', 'all', 'all', 'none']);
});

test('of nothing that was synchronized no day was read', () => {
  expect(readDays(new Map(), null, calendar)('2026-05-05')).toBe('none');
});
