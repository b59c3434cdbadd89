import { describe, expect, test } from 'vitest';
import { anomalySnapshot } from '../../server/ai/snapshot-anomaly.ts';
import { ciSection, repositorySnapshot } from '../../server/ai/snapshot-repository.ts';
import { rootCauseSnapshot } from '../../server/ai/snapshot-root-cause.ts';
import { aJob, aStep, day, hour, minute, second } from '../metrics/worlds.ts';
import * as worlds from './snapshot-worlds.ts';

const at = (index: number) => worlds.now - (40 - index) * hour;

/** Twenty runs of about ten minutes; what is said of single ones. */
const history = (differing: Record<number, Parameters<typeof worlds.aLiveRun>[0] | object>) =>
  Array.from({ length: 20 }, (_, index) => {
    const createdAt = at(index);
    const took = (index % 2 === 0 ? 9 : 11) * minute;
    const run = { id: index + 1, createdAt, startedAt: createdAt, updatedAt: createdAt + took };
    return worlds.aLiveRun({ ...run, ...differing[index] });
  }).reverse();

const reading = (runs: ReturnType<typeof history>, more: object = {}) => ({
  runs,
  repository: worlds.aRepository,
  isComplete: false,
  granted: ['auditTrail', 'performanceTab', 'reliabilityTab'] as const,
  ...more,
});

describe('unusual runs', () => {
  const slow = { updatedAt: at(18) + 60 * minute, actor: { login: 'ann', avatarUrl: '', isBot: false } };

  test('are held against the others of their kind', () => {
    const snapshot = anomalySnapshot(reading(history({ 18: slow }), { fileChanges: null }), 'duration');
    // Ten runs of eleven minutes, nine of nine: the mean is 603 158 ms, the deviation 61 559 ms.
    expect(snapshot).toEqual({
      workflow_name: 'CI',
      repo: 'octo/web',
      metric: 'duration',
      total_runs_analysed: 20,
      baseline: { mean_ms: 603_158, stddev_ms: 61_559, sample_size: 19 },
      outliers: [
        {
          run_number: 19,
          date: new Date(at(18)).toISOString(),
          value_ms: 60 * minute,
          z_score: 48.7,
          trigger: 'push',
        },
      ],
      concurrent_signals: { workflow_file_changes: null, trigger_mix: [{ trigger: 'push', runs: 20 }] },
    });
  });

  test('are none where none stands out', () => {
    expect(anomalySnapshot(reading(history({ 18: slow })), 'queue_wait')).toMatchObject({
      baseline: null,
      outliers: [],
    });
  });
});

describe('failed runs', () => {
  const failure = (index: number, more: object = {}) => ({
    conclusion: 'failure',
    updatedAt: at(index) + 3 * minute,
    ...more,
  });
  const runs = history({
    5: failure(5, { event: 'pull_request', headBranch: worlds.branches[0] }),
    6: failure(6, { headBranch: worlds.branches[1] }),
    18: failure(18),
    19: { conclusion: 'cancelled' },
  });
  const numbered = (number: number) => runs.filter(({ runNumber }) => runNumber === number);
  const job = aJob({
    name: `deploy ${worlds.branches[1]}`,
    conclusion: 'failure',
    completedAt: Date.UTC(2026, 2, 6, 10) + 90 * second,
    steps: [aStep({ name: 'Set up' }), aStep({ name: 'Push', conclusion: 'failure' })],
  });
  const known = new Map([...numbered(19), ...numbered(7)].map((run) => [run, [job, aJob()]]));

  test('are reported with what they have in common', () => {
    const snapshot = rootCauseSnapshot(reading(runs, { fileChanges: [] }), known);
    const jobs = [{ job_name: 'deploy [branch]', failed_step_names: ['Push'], duration_ms: 90 * second }];
    const date = (index: number) => new Date(at(index)).toISOString();
    expect(snapshot).toEqual({
      workflow_name: 'CI',
      repo: 'octo/web',
      window_runs: 20,
      failure_count: 3,
      failure_rate_pct: 15.8,
      first_failure_at: date(5),
      prior_success_streak: 5,
      workflow_file_changes: [],
      partial: true,
      failures: [
        { run_number: 19, date: date(18), trigger: 'push', branch_type: 'main', failed_jobs: jobs },
        { run_number: 7, date: date(6), trigger: 'push', branch_type: 'other', failed_jobs: jobs },
        { run_number: 6, date: date(5), trigger: 'pull_request', branch_type: 'pr', failed_jobs: null },
      ],
      step_failure_frequency: [{ step_name: 'Push', failures: 2 }],
      failure_clustering: { streaks: 2, longest_streak: 2, current_streak: 1 },
      duration_shift: { before_failures_p50_ms: 9 * minute, during_failures_p50_ms: 3 * minute },
    });
  });

  test.each([
    ['release/hush-7', '[branch]'],
    ['main', 'main'],
  ])('on the default branch %s name it %s, wherever they ran', (defaultBranch, reported) => {
    const repository = { ...worlds.aRepository, defaultBranch };
    const named = aJob({
      name: `deploy ${defaultBranch}`,
      conclusion: 'failure',
      steps: [aStep({ name: `Merge into ${defaultBranch}`, conclusion: 'failure' })],
    });
    for (const headBranch of [defaultBranch, 'trunk']) {
      const all = history({ 18: failure(18) });
      const ran = all.map((run) => ({ ...run, headBranch, workflowName: `Ship ${defaultBranch}` }));
      const request = reading(ran, { repository });
      const snapshot = rootCauseSnapshot(request, new Map(request.runs.map((run) => [run, [named]])));
      expect(snapshot).toMatchObject({
        workflow_name: `Ship ${reported}`,
        failures: [
          { failed_jobs: [{ job_name: `deploy ${reported}`, failed_step_names: [`Merge into ${reported}`] }] },
        ],
        step_failure_frequency: [{ step_name: `Merge into ${reported}` }],
      });
      expect(anomalySnapshot(request, 'duration').workflow_name).toBe(`Ship ${reported}`);
    }
  });

  test('passes before a first failure that older runs precede are not known', () => {
    const cut = runs.slice(0, 15);
    expect(rootCauseSnapshot(reading(cut), new Map())).toMatchObject({
      prior_success_streak: null,
      duration_shift: null,
    });
    expect(rootCauseSnapshot(reading(cut, { isComplete: true }), new Map()).prior_success_streak).toBe(0);
  });

  test('none is nothing unknown', () => {
    expect(rootCauseSnapshot(reading(history({})), new Map())).toMatchObject({
      failure_count: 0,
      failure_rate_pct: 0,
      first_failure_at: null,
      prior_success_streak: null,
      failures: [],
      failure_clustering: { streaks: 0, longest_streak: 0, current_streak: 0 },
      partial: false,
    });
  });
});

describe('a repository', () => {
  const read = worlds.repositoryReading(1, 'web', false);

  test('a section that is not granted is absent, one that was rejected is null, and then not all is known', () => {
    const { delivery: _delivery, busFactor: _busFactor, changes: _changes, ...granted } = read;
    expect(Object.keys(repositorySnapshot(granted))).toEqual(['surface', 'scope', 'period_days', 'ci', 'partial']);
    expect(repositorySnapshot(granted).partial).toBe(false);
    const problem = { ...granted, ci: null, delivery: null, busFactor: null, changes: null };
    expect(repositorySnapshot(problem)).toEqual({
      surface: 'repository',
      scope: 'octo/web',
      period_days: 30,
      partial: true,
      ci: null,
      dora: null,
      bus_factor: null,
      recent_workflow_changes: null,
    });
  });

  test('measured deployments are reported to whom they are granted, to others the estimate', () => {
    const both = Array.from({ length: 200 }, (_, seed) => {
      const reading = worlds.repositoryReading(seed, 'web', false);
      const request = [true, false].map((hasDeployments) => repositorySnapshot({ ...reading, hasDeployments }).dora);
      return { measured: request[0], estimated: request[1], reading };
    });
    expect(both.map(({ estimated }) => estimated?.source)).toEqual(Array(200).fill('repo_dora'));
    const differing = both.filter(({ measured }) => measured?.source === 'deployments');
    expect(differing.length).toBeGreaterThan(5);
    for (const { measured, estimated, reading } of differing) {
      const { production } = reading.delivery?.deployments?.figures ?? {};
      expect(measured?.change_failure_rate_pct).toBeCloseTo(production?.failureRatePct ?? -1, 1);
      expect(measured?.lead_time_p50_hours).toBe(estimated?.lead_time_p50_hours);
    }
  });

  test('what is not known of its delivery is null', () => {
    const { delivery } = read;
    if (!delivery) throw new Error('it was read');
    const unknown = { medianMs: null, p95Ms: null, sampleSize: 0, lowSample: true, level: null };
    const estimate = {
      ...delivery.estimate,
      leadTime: unknown,
      overallLevel: null,
      changeFailureRate: { failures: 0, total: 0, rate: null, level: null },
      mttr: { meanMs: null, medianMs: null, recoveries: 0, fewSamples: true, level: null },
    };
    const quiet = { ...delivery, estimate, deployments: null };
    expect(repositorySnapshot({ ...read, delivery: quiet }).dora).toMatchObject({
      lead_time_p50_hours: null,
      change_failure_rate_pct: null,
      mttr_mean_hours: null,
      benchmark: null,
    });
  });

  test('its runs are reported by the period they were created in, the one before where all of it is known', () => {
    const ago = (days: number, conclusion: 'success' | 'failure' | 'cancelled', id: number) =>
      worlds.aLiveRun({ id, conclusion, createdAt: worlds.now - days * day, startedAt: worlds.now - days * day });
    const runs = [ago(1, 'failure', 5), ago(2, 'success', 4), ago(3, 'cancelled', 3), ago(40, 'success', 2)];
    const reported = { success_rate_pct: 50, runs_last_30d: 3, failures_last_30d: 1 };
    expect(ciSection([...runs, ago(61, 'failure', 1)], worlds.now, 0)).toEqual({
      ...reported,
      total_runs: 4,
      success_rate_prev_period_pct: 100,
    });
    expect(ciSection(runs, worlds.now, worlds.now - 41 * day)).toEqual({
      ...reported,
      total_runs: null,
      success_rate_prev_period_pct: null,
    });
  });
});
