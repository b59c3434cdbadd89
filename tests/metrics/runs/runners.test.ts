import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jobCost } from '../../../server/metrics/cost/job-cost.ts';
import { getRunnerKind, getRunnerOs } from '../../../server/metrics/runs/runner-labels.ts';
import { groupByRunner } from '../../../server/metrics/runs/runners.ts';
import { rounds } from '../../support/rounds.ts';
import { jobWorlds } from '../job-worlds.ts';
import { naiveRunners, naiveTimes, naiveWaits } from '../naive-jobs.ts';
import { aJob, second } from '../worlds.ts';

const ten = Date.UTC(2026, 2, 6, 10);
const terms = { isPublic: false, largerRunnerLabels: {} };
const lasting = (seconds: number, rest = {}) => aJob({ completedAt: ten + seconds * second, ...rest });
const own = { labels: ['self-hosted', 'linux'], runnerGroup: 'Default' };
const skipped = { conclusion: 'skipped' as const, runnerName: null, runnerGroup: null, labels: [] };

describe('the kind of a runner', () => {
  const kind = (labels: string[], runnerGroup: string | null = null, larger = {}) =>
    getRunnerKind({ runnerName: 'one', runnerGroup, labels }, larger);

  test.each([
    ['hosted', ['ubuntu-latest'], 'GitHub Actions'],
    ['hosted', ['ubuntu-24.04-arm'], null],
    ['hosted', ['Windows-2022'], null],
    ['hosted', ['macos-14'], 'GitHub Actions'],
    ['hosted', [], 'GitHub Actions'],
    ['larger', ['macos-14-xlarge'], 'GitHub Actions'],
    ['larger', ['ubuntu-latest-8-cores'], 'Default Larger Runners'],
    ['larger', ['big-box'], 'Large ones'],
    ['larger', ['big-box'], null],
    ['self_hosted', ['self-hosted', 'ubuntu-latest'], 'GitHub Actions'],
    ['self_hosted', ['Self-Hosted'], null],
    ['self_hosted', ['arc-runner-set'], 'Default'],
  ])('is %s for %j of the group %s', (expected, labels, group) => {
    expect(kind(labels, group)).toBe(expected);
  });

  test('is larger for labels that the organization set up, whatever they look like', () => {
    expect(kind(['Build-Box'], 'Default', { 'build-box': 'linux_8_core' })).toBe('larger');
    expect(kind(['ubuntu-latest'], 'GitHub Actions', { 'Ubuntu-Latest': 'linux_4_core' })).toBe('larger');
  });

  test('is unassigned without a runner', () => {
    expect(getRunnerKind({ runnerName: null, runnerGroup: null, labels: ['ubuntu-latest'] })).toBe('unassigned');
  });
});

test.each([
  ['linux', ['ubuntu-24.04']],
  ['linux', ['self-hosted', 'Linux', 'X64']],
  ['macos', ['macOS']],
  ['windows', ['windows-2022']],
  [null, ['big-box']],
  [null, []],
  [null, ['linux', 'windows']],
])('the operating system is %s for %j', (expected, labels) => {
  expect(getRunnerOs(labels)).toBe(expected);
});

describe('runners', () => {
  test('are own machines by name, and hosted ones by their labels', () => {
    const jobs = [
      lasting(60, { runnerName: 'Hosted 1' }),
      lasting(90, { runnerName: 'Hosted 2', conclusion: 'failure' }),
      lasting(30, { runnerName: 'Hosted 3', conclusion: 'cancelled' }),
      lasting(60, { ...own, runnerName: 'shelf-1' }),
      lasting(60, { ...own, runnerName: 'shelf-2' }),
      lasting(60, { ...own, runnerName: 'shelf-1' }),
      lasting(0, skipped),
    ];
    const { runners, totalJobs, unassignedJobs } = groupByRunner(jobs, terms);
    expect([totalJobs, unassignedJobs]).toEqual([7, 1]);
    expect(
      runners.map(({ runnerName: name, kind, os, jobCount: count, machines }) => [name, kind, os, count, machines]),
    ).toEqual([
      ['ubuntu-24.04', 'hosted', 'linux', 3, 3],
      ['shelf-1', 'self_hosted', 'linux', 2, 1],
      ['shelf-2', 'self_hosted', 'linux', 1, 1],
    ]);
    expect(runners[0]).toMatchObject({
      runnerGroupName: 'GitHub Actions',
      labels: ['ubuntu-24.04'],
      success: 1,
      failure: 1,
      failureRate: 50,
      sample: 2,
      avgMs: 75_000,
      p95Ms: 88_500,
      lowSample: true,
      busyMinutes: 3,
    });
  });

  test('cost the sum of their jobs, nothing when they are own, and an unknown sum when one job has no price', () => {
    const costs = (jobs: ReturnType<typeof aJob>[], isPublic = false) =>
      groupByRunner(jobs, { ...terms, isPublic }).runners.map(({ estCost }) => estCost);
    // Two and three minutes begun, at 0.006.
    expect(costs([lasting(61), lasting(130)])).toEqual([0.03]);
    expect(costs([lasting(61), lasting(130)], true)).toEqual([0]);
    expect(costs([lasting(61, own)])).toEqual([0]);
    expect(costs([lasting(61, { labels: ['big-box'], runnerGroup: 'Large ones' })])).toEqual([null]);
    expect(costs([lasting(61), { ...lasting(1), completedAt: null }])).toEqual([null]);
  });

  test('that nothing passed or failed on have no rate and no times', () => {
    const { runners } = groupByRunner([lasting(60, { conclusion: 'cancelled' })], terms);
    expect(runners).toMatchObject([{ failureRate: null, avgMs: null, p95Ms: null, sample: 0, busyMinutes: 1 }]);
  });

  test('of several groups have none', () => {
    const jobs = [lasting(60, { ...own, runnerGroup: 'A' }), lasting(60, { ...own, runnerGroup: 'B' })];
    expect(groupByRunner(jobs, terms).runners).toMatchObject([
      { runnerName: 'runner 1', runnerGroupName: null, jobCount: 2 },
    ]);
  });

  test('without labels are named by their group', () => {
    const jobs = [lasting(60, { labels: [], runnerName: 'x1' }), lasting(60, { labels: [], runnerName: 'x2' })];
    expect(groupByRunner(jobs, terms).runners).toMatchObject([{ runnerName: 'GitHub Actions', machines: 2 }]);
  });

  test('are what a second reading of the words says', () => {
    const check = (jobs: ReturnType<typeof aJob>[]) => {
      const expected = naiveRunners(jobs);
      const { runners, totalJobs, unassignedJobs } = groupByRunner(jobs, terms);
      expect(runners.length).toBe(expected.size);
      expect(runners.reduce((sum, one) => sum + one.jobCount, 0) + unassignedJobs).toBe(totalJobs);
      const counts = runners.map((one) => one.jobCount);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      for (const one of runners) {
        const labels = one.kind === 'self_hosted' ? one.runnerName : one.labels.join(', ');
        const ownJobs = expected.get(`${one.kind} ${labels}`) ?? [];
        const { runs, failure, ...times } = naiveTimes(ownJobs);
        expect(one).toMatchObject({ ...times, ...naiveWaits(ownJobs), jobCount: ownJobs.length });
        expect(one.failureRate).toBe(runs === 0 ? null : Math.round((100 * failure) / runs));
        expect(one.machines).toBe(new Set(ownJobs.map(({ runnerName }) => runnerName)).size);
        const prices = ownJobs.map((job) => jobCost(job, { isPublic: false }).usd);
        const cents = prices.reduce((sum: number, usd) => sum + Math.round((usd ?? 0) * 1000), 0);
        expect(one.estCost).toBe(prices.includes(null) ? null : Math.round(cents / 10) / 100);
      }
    };
    fc.assert(
      fc.property(jobWorlds, (world) => check(world.flatMap(({ jobs }) => jobs))),
      { numRuns: rounds('PROPERTY_RUNS', 50, 1000) },
    );
  });
});
