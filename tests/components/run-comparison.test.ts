import { describe, expect, test } from 'vitest';
import type { JobStats, RunJob } from '../../app/routes/repo/workflow/operations.ts';
import { compareJobs } from '../../app/routes/repo/workflow/run-comparison.tsx';
import { findSlowMedians } from '../../app/routes/repo/workflow/slowest-runs.ts';

const start = Date.parse('2026-11-16T10:00:00Z');
const job = (name: string, seconds: number, conclusion = 'success') =>
  ({
    name,
    conclusion,
    started_at: new Date(start).toISOString(),
    completed_at: new Date(start + seconds * 1000).toISOString(),
  }) as RunJob;

test('a run is compared with the median by job, the largest difference first; what is only in one has none', () => {
  const jobs = [job('lint', 10), job('build', 300), job('new', 5), job('publish', 0, 'skipped')];
  const medians = { lint: 12_000, build: 60_000, test: 90_000, publish: null };
  const stats = {
    waterfall: [] as JobStats['waterfall'],
    jobs: Object.entries(medians).map(([name, p50_ms]) => ({ name, p50_ms })),
  } as JobStats;
  expect(compareJobs(jobs, stats).map(({ name, differenceMs }) => [name, differenceMs])).toEqual([
    ['build', 240_000],
    ['lint', -2_000],
    ['new', null],
    ['test', null],
  ]);
});

describe('the slowest runs together', () => {
  const sampled = (run_id: number, times: Record<string, number>) => ({
    run_id,
    jobs: Object.entries(times).map(([name, duration_ms]) => ({ name, start_offset_ms: 0, duration_ms })),
  });
  const usual = Array.from({ length: 5 }, (_, index) => sampled(index, { build: 60, lint: 10 }));
  const slow = [600, 200, 300, 400, 500].map((build, index) =>
    sampled(10 + index, index < 2 ? { build, scan: 20 + 2 * index } : { build }),
  );
  const stats = (waterfall: object[]) =>
    ({ waterfall, jobs: ['build', 'lint', 'scan'].map((name) => ({ name, p50_ms: 50 })) }) as unknown as JobStats;

  test('have the median of their times by job, none for a job that is in none of them', () => {
    const found = compareJobs([], stats([...usual, ...slow]));
    expect(new Map(found.map(({ name, slowMs }) => [name, slowMs]))).toEqual(
      new Map([
        ['build', 400],
        ['lint', null],
        ['scan', 21],
      ]),
    );
  });

  test('are not set apart where they are most of the sample', () => {
    expect(findSlowMedians(stats([...usual.slice(1), ...slow]).waterfall)).toBeNull();
  });
});
