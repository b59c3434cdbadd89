import { expect, test } from 'vitest';
import { countRuns } from '../../../server/metrics/runs/run-totals.ts';
import { aRun } from '../worlds.ts';

const start = Date.UTC(2026, 10, 7, 12);
const lasting = (seconds: number, differences: Parameters<typeof aRun>[0] = {}) =>
  aRun({ createdAt: start - 4000, startedAt: start, updatedAt: start + seconds * 1000, ...differences });

test('runs are counted by how they ended, each in one part', () => {
  const runs = [
    lasting(10),
    lasting(20, { conclusion: 'failure' }),
    lasting(30, { conclusion: 'cancelled' }),
    lasting(40, { conclusion: 'skipped' }),
    lasting(50, { status: 'in_progress', conclusion: null }),
  ];
  expect(countRuns(runs)).toMatchObject({ total: 5, success: 1, failure: 1, cancelled: 1, other: 2 });
});

test('times are of runs that took any, waits of first attempts', () => {
  const runs = [lasting(0), lasting(10), lasting(20), lasting(60, { attempt: 2 })];
  expect(countRuns(runs)).toMatchObject({
    avgDurationMs: 30_000,
    medianDurationMs: 20_000,
    p90DurationMs: 52_000,
    p95DurationMs: 56_000,
    avgQueueMs: 4000,
  });
});

test('of no runs no time is known', () => {
  expect(countRuns([])).toEqual({
    total: 0,
    success: 0,
    failure: 0,
    cancelled: 0,
    other: 0,
    avgDurationMs: null,
    avgQueueMs: null,
    medianDurationMs: null,
    p90DurationMs: null,
    p95DurationMs: null,
  });
});
