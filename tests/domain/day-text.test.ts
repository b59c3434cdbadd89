import { expect, test } from 'vitest';
import { dayOfMonthText, dayText, utcDayText } from '../../server/domain/day-text.ts';

test('a calendar day keeps its date whatever the zone', () => {
  expect(dayText('2026-09-01')).toBe('1 Sep 2026');
  expect(dayOfMonthText('2026-12-31')).toBe('31 Dec');
});

test('an instant is written as its day in UTC', () => {
  expect(utcDayText(Date.UTC(2026, 4, 3, 23, 59, 59))).toBe('3 May 2026');
  expect(utcDayText(Date.UTC(2026, 4, 4))).toBe('4 May 2026');
});
