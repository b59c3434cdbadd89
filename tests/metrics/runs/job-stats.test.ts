import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { criticalPath } from '../../../server/metrics/runs/critical-path.ts';
import { jobsByName, matrixGroup, stepsByName, toWaterfall } from '../../../server/metrics/runs/job-stats.ts';
import { rounds } from '../../support/rounds.ts';
import { jobWorlds, type RunWithJobs } from '../job-worlds.ts';
import { naiveCriticalPath, naiveTimes, naiveWaits } from '../naive-jobs.ts';
import { aJob, aRun, aStep, second } from '../worlds.ts';

const ten = Date.UTC(2026, 2, 6, 10);
const lasting = (seconds: number, rest = {}) => aJob({ completedAt: ten + seconds * second, ...rest });
/** A job from one second of the run to another. */
const from = (name: string, begin: number, end: number, rest = {}) =>
  aJob({ name, startedAt: ten + begin * second, completedAt: ten + end * second, ...rest });

const inEveryWorld = (check: (world: RunWithJobs[]) => void) =>
  fc.assert(fc.property(jobWorlds, check), { numRuns: rounds('PROPERTY_RUNS', 50, 1000) });

describe('jobs by name', () => {
  test('count what ended and take times of what passed or failed', () => {
    const [build] = jobsByName([
      lasting(60),
      lasting(70, { conclusion: 'failure' }),
      lasting(0, { conclusion: 'skipped' }),
      lasting(5, { conclusion: 'cancelled' }),
    ]);
    expect(build).toMatchObject({
      name: 'build',
      runs: 2,
      success: 1,
      failure: 1,
      skipped: 1,
      cancelled: 1,
      sample: 2,
      avgMs: 65_000,
      p50Ms: 65_000,
      p95Ms: 69_500,
      maxMs: 70_000,
      lowSample: true,
    });
  });

  test('a timeout is a failure', () => {
    expect(jobsByName([lasting(60, { conclusion: 'timed_out' })])[0]).toMatchObject({ runs: 1, failure: 1, sample: 1 });
  });

  test('the longest comes first, what has no time last', () => {
    const jobs = [
      lasting(5, { name: 'short' }),
      lasting(0, { name: 'never', conclusion: 'skipped' }),
      lasting(90, { name: 'long' }),
      lasting(5, { name: 'alike' }),
    ];
    expect(jobsByName(jobs).map(({ name }) => name)).toEqual(['long', 'alike', 'short', 'never']);
  });

  test('jobs of a matrix stand apart, and share what their names have in common', () => {
    const jobs = [
      lasting(9, { name: 'test (22)' }),
      lasting(8, { name: 'test (20)' }),
      lasting(7, { name: 'a / b (c)' }),
    ];
    expect(jobsByName(jobs).map(({ name, group }) => [name, group])).toEqual([
      ['test (22)', 'test'],
      ['test (20)', 'test'],
      ['a / b (c)', 'a / b'],
    ]);
    expect(matrixGroup(' (odd)')).toBe(' (odd)');
  });

  test('waits that nobody reported are unknown', () => {
    const [build] = jobsByName([{ ...lasting(60), createdAt: null }]);
    expect(build).toMatchObject({ queueSample: 0, queueP50Ms: null, queueP95Ms: null });
  });

  test('are what a second reading of the words says', () => {
    inEveryWorld((world) => {
      const jobs = world.flatMap((one) => one.jobs);
      const figures = jobsByName(jobs);
      expect(figures.map(({ name }) => name).toSorted()).toEqual([...new Set(jobs.map(({ name }) => name))].toSorted());
      for (const one of figures) {
        const own = jobs.filter(({ name }) => name === one.name);
        expect(one).toMatchObject({ ...naiveTimes(own), ...naiveWaits(own) });
        expect(one.cancelled).toBe(own.filter(({ conclusion }) => conclusion === 'cancelled').length);
        expect(one.skipped).toBe(own.filter(({ conclusion }) => conclusion === 'skipped').length);
      }
      const times = figures.map(({ avgMs }) => avgMs ?? -1);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    });
  });
});

describe('steps', () => {
  test('are distinguished by job, name and number', () => {
    const steps = [aStep({ number: 1 }), aStep({ number: 2 }), aStep({ number: 1, name: 'Other' })];
    const jobs = [
      lasting(1, { steps }),
      lasting(1, { name: 'test', steps: [aStep()] }),
      lasting(1, { steps: [aStep()] }),
    ];
    const found = stepsByName(jobs).map(({ job, step, number, runs }) => [job, step, number, runs]);
    expect(found).toEqual([
      ['build', 'Other', 1, 1],
      ['build', 'Set up job', 1, 2],
      ['build', 'Set up job', 2, 1],
      ['test', 'Set up job', 1, 1],
    ]);
  });

  test('are what a second reading of the words says', () => {
    inEveryWorld((world) => {
      const all = world.flatMap(({ jobs }) => jobs.flatMap(({ name, steps }) => steps.map((step) => ({ name, step }))));
      const figures = stepsByName(world.flatMap((one) => one.jobs));
      expect(figures.reduce((sum, { runs }) => sum + runs, 0)).toBe(naiveTimes(all.map(({ step }) => step)).runs);
      for (const one of figures) {
        const own = all.filter(
          ({ name, step }) => name === one.job && step.name === one.step && step.number === one.number,
        );
        expect(one).toMatchObject(naiveTimes(own.map(({ step }) => step)));
      }
    });
  });
});

describe('the waterfall', () => {
  test('reports offset, length and wait of each job, by start', () => {
    const jobs = [
      from('test', 45, 90, { createdAt: ten + 40 * second }),
      from('build', 2, 40, { createdAt: ten, conclusion: 'failure' }),
      from('skipped', 91, 91, { conclusion: 'skipped', createdAt: ten + 91 * second }),
    ];
    expect(toWaterfall(aRun({ createdAt: ten }), jobs)).toEqual([
      { name: 'build', conclusion: 'failure', startOffsetMs: 2000, durationMs: 38_000, queueWaitMs: 2000 },
      { name: 'test', conclusion: 'success', startOffsetMs: 45_000, durationMs: 45_000, queueWaitMs: 5000 },
      { name: 'skipped', conclusion: 'skipped', startOffsetMs: 91_000, durationMs: 0, queueWaitMs: null },
    ]);
  });

  test('leaves out what has no times and what an earlier attempt did', () => {
    const run = aRun({ attempt: 2, createdAt: ten, startedAt: ten + 3600 * second });
    const jobs = [
      from('taken over', 0, 60),
      from('own', 3605, 3660),
      aJob({ name: 'never ended', startedAt: ten + 3605 * second, completedAt: null }),
      from('backwards', 3700, 3690),
    ];
    expect(toWaterfall(run, jobs)).toMatchObject([{ name: 'own', startOffsetMs: 5000 }]);
  });

  test('without the start of the attempt begins with its first job', () => {
    const run = { ...aRun({ createdAt: ten }), startedAt: null };
    expect(toWaterfall(run, [from('b', 20, 30), from('a', 10, 30)]).map(({ startOffsetMs }) => startOffsetMs)).toEqual([
      0, 10_000,
    ]);
  });
});

describe('the critical path', () => {
  const run = aRun({ createdAt: ten });

  test('leads from the last job to end back to what ended last by its start', () => {
    const jobs = [
      from('build', 2, 40, { id: 1 }),
      from('lint', 2, 20, { id: 2 }),
      from('test', 42, 100, { id: 3 }),
      from('docs', 42, 60, { id: 4 }),
      from('ship', 101, 110, { id: 5 }),
    ];
    expect(criticalPath([{ run, jobs }])).toEqual({
      runs: 1,
      jobs: [
        { name: 'test', runsOnPath: 1, sharePct: 100, medianMs: 58_000 },
        { name: 'build', runsOnPath: 1, sharePct: 100, medianMs: 38_000 },
        { name: 'ship', runsOnPath: 1, sharePct: 100, medianMs: 9000 },
      ],
    });
  });

  test('reports in what share of the runs a job was on it', () => {
    const slowLint = [from('build', 0, 40), from('lint', 0, 90, { id: 2 })];
    const slowBuild = [from('build', 0, 60), from('lint', 0, 50, { id: 2 })];
    const found = criticalPath([slowLint, slowBuild, slowBuild].map((jobs) => ({ run, jobs })));
    expect(found.jobs).toEqual([
      { name: 'build', runsOnPath: 2, sharePct: 67, medianMs: 60_000 },
      { name: 'lint', runsOnPath: 1, sharePct: 33, medianMs: 90_000 },
    ]);
  });

  test('leaves out skipped jobs, and what a re-run took over', () => {
    const again = aRun({ attempt: 2, createdAt: ten, startedAt: ten + 100 * second });
    const jobs = [from('build', 0, 60), from('test', 105, 130), from('ship', 131, 131, { conclusion: 'skipped' })];
    expect(criticalPath([{ run: again, jobs }]).jobs.map(({ name }) => name)).toEqual(['test']);
  });

  test('of runs whose jobs took no time is empty', () => {
    expect(criticalPath([])).toEqual({ runs: 0, jobs: [] });
    expect(criticalPath([{ run, jobs: [from('a', 5, 5)] }])).toEqual({ runs: 0, jobs: [] });
  });

  test('is what a second reading of the words says, in any order of the jobs', () => {
    inEveryWorld((world) => {
      const found = criticalPath(world);
      const expected = naiveCriticalPath(world);
      expect(found.runs).toBe(expected.runs);
      expect(new Map(found.jobs.map(({ name, ...rest }) => [name, rest]))).toEqual(expected.jobs);
      const back = world.map(({ run: one, jobs }) => ({ run: one, jobs: jobs.toReversed() })).toReversed();
      expect(criticalPath(back)).toEqual(found);
    });
  });
});
