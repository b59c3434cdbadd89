import { expect, test } from 'vitest';
import type { JobStats, RunJob } from '../../app/routes/repo/workflow/operations.ts';
import { compareJobs } from '../../app/routes/repo/workflow/run-comparison.tsx';

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
  const stats = { jobs: Object.entries(medians).map(([name, p50_ms]) => ({ name, p50_ms })) } as JobStats;
  expect(compareJobs(jobs, stats).map(({ name, differenceMs }) => [name, differenceMs])).toEqual([
    ['build', 240_000],
    ['lint', -2_000],
    ['new', null],
    ['test', null],
  ]);
});
