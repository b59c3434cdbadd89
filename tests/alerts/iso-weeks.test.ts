import { expect, test } from 'vitest';
import { weekAt } from '../../server/alerts/leadership-digest.ts';

test.each([
  ['2026-11-16T00:00:00Z', '2026-W47', 0],
  ['2026-11-22T23:59:59Z', '2026-W47', 6],
  ['2027-01-01T12:00:00Z', '2026-W53', 4],
  ['2024-12-30T12:00:00Z', '2025-W01', 0],
  ['2021-01-03T12:00:00Z', '2020-W53', 6],
  ['2018-01-01T00:00:00Z', '2018-W01', 0],
])('%s is in %s, day %i of it', (instant, week, weekday) => {
  expect(weekAt(Date.parse(instant))).toMatchObject({ week, day: weekday });
});
