import { expect, test } from 'vitest';
import { findChartPeriods, isTooLong, toComparedDays } from '../../app/routes/reports/choices.ts';

const noon = Date.parse('2026-11-16T12:00:00Z');
const listDays = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  }));
const chart = (first: string, before: string, count: number) => ({
  data: listDays(first, count),
  compared: listDays(before, count),
  coverage: { timezone: 'UTC' },
});

test('days that are still running are left out, with those that they would be compared with', () => {
  expect(findChartPeriods(chart('2026-11-10', '2025-11-10', 7), noon)).toEqual({
    a_from: '2025-11-10',
    a_to: '2025-11-15',
    b_from: '2026-11-10',
    b_to: '2026-11-15',
  });
});

test('days of the past are compared as they are', () => {
  expect(findChartPeriods(chart('2026-10-01', '2026-08-31', 31), noon)).toEqual({
    a_from: '2026-08-31',
    a_to: '2026-09-30',
    b_from: '2026-10-01',
    b_to: '2026-10-31',
  });
});

test('nothing is compared of a range that only began today, nor without a comparison', () => {
  expect(findChartPeriods(chart('2026-11-16', '2026-11-15', 1), noon)).toBeNull();
  expect(findChartPeriods({ ...chart('2026-11-10', '2026-11-03', 7), compared: null }, noon)).toBeNull();
});

test.each([
  ['', { days: '30' }],
  ['range=7', { days: '7' }],
  ['range=7&compare=year', null],
  ['range=7&compare=off', null],
  ['range=quarter', null],
  ['range=2026-05-01..2026-05-31', null],
])('of ?%s as many days before are %o', (search, days) => {
  expect(toComparedDays(new URLSearchParams(search))).toEqual(days);
});

test('more than 180 days are too long to compare, unless nothing is to be', () => {
  expect([180, 181].map((count) => isTooLong(chart('2026-01-01', '2025-01-01', count)))).toEqual([false, true]);
  expect(isTooLong({ data: listDays('2025-01-01', 200), compared: null })).toBe(false);
});
