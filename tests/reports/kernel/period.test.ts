import { expect, test } from 'vitest';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { countElapsedDays, findComparedDays, findPeriod } from '../../../server/reports/kernel/period.ts';

test.each([
  ['previous', ['2026-03-01', '2026-03-02'], ['2026-02-27', '2026-02-28']],
  ['year', ['2026-03-01', '2026-03-02'], ['2025-03-01', '2025-03-02']],
  ['year', ['2028-02-29', '2028-03-01'], ['2027-02-28', '2027-03-01']],
  ['off', ['2026-03-01'], null],
  ['previous', [], null],
] as const)('%s of %j is %j', (comparison, days, compared) => {
  expect(findComparedDays(comparison, days)).toEqual(compared);
});

test.each([
  // On the ninth of May a quarter of the day has gone by.
  ['UTC', 'quarter', '2026-05-09T06:00:00Z', 38.25],
  ['UTC', '2026-05-01..2026-05-09', '2026-05-09T06:00:00Z', 8.25],
  ['UTC', '2026-05-01..2026-05-08', '2026-05-09T06:00:00Z', 8],
  ['UTC', '30', '2026-05-09T06:00:00Z', 30],
  // A day of 25 hours is one day, and half of it after twelve and a half.
  ['Europe/Berlin', '2026-10-25..2026-10-25', '2026-10-27T00:00:00Z', 1],
  ['Europe/Berlin', '2026-10-24..2026-10-25', '2026-10-25T10:30:00Z', 1.5],
] as const)('in %s the range %s at %s has %d days so far', (zone, range, now, days) => {
  const calendar = createCalendar(zone);
  expect(countElapsedDays(range, findPeriod(range, calendar, Date.parse(now)), calendar)).toBeCloseTo(days, 6);
});
