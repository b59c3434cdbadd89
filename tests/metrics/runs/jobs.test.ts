import { describe, expect, test } from 'vitest';
import { jobDuration, jobFigures, jobQueueWait, jobsInOrder, stepsInOrder } from '../../../server/metrics/runs/jobs.ts';
import { getQueueWait } from '../../../server/metrics/runs/queue-wait.ts';
import { aJob, aRun, aStep, day, minute, second } from '../worlds.ts';

const ten = Date.UTC(2026, 2, 6, 10);

describe('the queue wait of a job', () => {
  test('runs until the first step when the platform reports the enqueue time as the start', () => {
    const job = aJob({ createdAt: ten, startedAt: ten, steps: [aStep({ startedAt: ten + 45 * second })] });
    expect(jobQueueWait(job)).toBe(45_000);
    expect(getQueueWait(aRun({ createdAt: ten }), [job])).toEqual({ ms: 45_000, source: 'jobs' });
  });

  test('runs until the start when that is later than the first step', () => {
    const steps = [aStep({ number: 2, startedAt: ten + minute }), aStep({ number: 1, startedAt: ten + second })];
    expect(jobQueueWait(aJob({ createdAt: ten, startedAt: ten + 2 * second, steps }))).toBe(2000);
  });

  test.each([
    ['has not been picked up', { status: 'queued', conclusion: null, startedAt: ten }],
    ['was skipped', { conclusion: 'skipped' as const }],
    ['was cancelled before a runner took it', { conclusion: 'cancelled' as const }],
    ['has no creation time', { createdAt: null }],
    ['has no start', { startedAt: null }],
    ['was started before it was created', { startedAt: ten - 1 }],
  ])('is unknown when it %s', (_, differences) => {
    expect(jobQueueWait({ ...aJob({ createdAt: ten, startedAt: ten + minute }), ...differences })).toBeNull();
  });
});

describe('the queue wait of a run', () => {
  test('is unknown for a re-run without job data', () => {
    const rerun = aRun({ attempt: 2, createdAt: ten - 2 * day, startedAt: ten });
    expect(getQueueWait(rerun)).toEqual({ ms: null, source: null });
  });

  test('of a re-run comes from the jobs of that attempt', () => {
    const rerun = aRun({ attempt: 2, createdAt: ten - 2 * day, startedAt: ten });
    const jobs = [
      aJob({ id: 1, attempt: 1, createdAt: ten - 2 * day, startedAt: ten - 2 * day }),
      aJob({ id: 2, attempt: 2, createdAt: ten + 2 * second, startedAt: ten + 32 * second }),
    ];
    expect(getQueueWait(rerun, jobs)).toEqual({ ms: 30_000, source: 'jobs' });
  });

  test('is the shortest wait of the first jobs, not of jobs that waited for others', () => {
    const run = aRun({ createdAt: ten });
    const jobs = [
      aJob({ id: 1, createdAt: ten, startedAt: ten + 40 * second }),
      aJob({ id: 2, createdAt: ten + 5 * second, startedAt: ten + 25 * second }),
      aJob({ id: 3, createdAt: ten + 6 * second, startedAt: ten + 7 * second }),
    ];
    expect(getQueueWait(run, jobs)).toEqual({ ms: 20_000, source: 'jobs' });
  });

  test.each([
    ['the first attempt waits from creation to start', { startedAt: ten + 9 * second }, { ms: 9000, source: 'run' }],
    ['no wait is zero, not unknown', { startedAt: ten }, { ms: 0, source: 'run' }],
    ['a start before creation is unknown', { startedAt: ten - 1 }, { ms: null, source: null }],
    ['no start is unknown', { startedAt: null }, { ms: null, source: null }],
    [
      'a run that still queues is unknown',
      { status: 'queued' as const, conclusion: null, startedAt: ten },
      { ms: null, source: null },
    ],
  ])('without job data, %s', (_, differences, expected) => {
    expect(getQueueWait(aRun({ createdAt: ten, ...differences }))).toEqual(expected);
  });
});

describe('jobs', () => {
  const lasting = (seconds: number, differences: Parameters<typeof aJob>[0] = {}) =>
    aJob({ createdAt: ten, completedAt: ten + seconds * second, ...differences });

  test('that were skipped or cancelled add no duration', () => {
    const jobs = [
      lasting(60),
      lasting(70, { conclusion: 'failure' }),
      lasting(0, { conclusion: 'skipped' }),
      lasting(5, { conclusion: 'cancelled' }),
    ];
    expect(jobFigures(jobs)).toMatchObject({
      runs: 2,
      success: 1,
      failure: 1,
      skipped: 1,
      cancelled: 1,
      sample: 2,
      lowSample: true,
      avgMs: 65_000,
      p50Ms: 65_000,
      p95Ms: 69_500,
      maxMs: 70_000,
    });
  });

  test('that do not exist have unknown figures', () => {
    const { avgMs, p50Ms, p95Ms, maxMs, queueP50Ms, queueP95Ms, runs } = jobFigures([]);
    expect([avgMs, p50Ms, p95Ms, maxMs, queueP50Ms, queueP95Ms]).toEqual(Array(6).fill(null));
    expect(runs).toBe(0);
  });

  test.each([
    ['still runs', { status: 'in_progress', conclusion: null }],
    ['has no start', { startedAt: null }],
    ['has no end', { completedAt: null }],
    ['ends before it starts', { completedAt: ten - 1 }],
  ])('have no duration when one %s', (_, differences) => {
    expect(jobDuration({ ...lasting(60), ...differences })).toBeNull();
  });

  test('are listed by start with the waiting ones last, steps by number', () => {
    const jobs = [
      aJob({ id: 4, startedAt: null }),
      aJob({ id: 3, startedAt: ten + 1 }),
      aJob({ id: 2, startedAt: ten }),
      aJob({ id: 1, startedAt: null }),
    ];
    expect(jobsInOrder(jobs).map(({ id }) => id)).toEqual([2, 3, 1, 4]);
    const job = aJob({ steps: [aStep({ number: 10 }), aStep({ number: 2 }), aStep({ number: 1 })] });
    expect(stepsInOrder(job).map(({ number }) => number)).toEqual([1, 2, 10]);
  });
});
