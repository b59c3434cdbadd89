import { describe, expect, test } from 'vitest';
import { toWire } from '../../../server/api/wire.ts';
import type { WorkflowJob } from '../../../server/metrics/kernel/facts.ts';
import { getJobStats } from '../../../server/reports/jobs/operations.ts';
import { getRunnerStats } from '../../../server/reports/runners/operations.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { bearer } from '../../api/moving-world.ts';
import { aJob, minute, second } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

const visit = freshService();
const hour = 60 * minute;
const of = (repo: string, rest = '') => `/api/codehost/runner-stats?owner=octo&repo=${repo}${rest}`;
const details = (id: number, attempt: number, repo = 'fork') =>
  `/api/codehost/run-details?owner=octo&repo=${repo}&run_id=${id}&attempt=${attempt}`;

async function ask(path: string, service: Service = visit.service, as = 'token-ann') {
  service.double.requests.length = 0;
  const answer = await service.ask('GET', path, bearer(as));
  expect(service.double.violations).toEqual([]);
  const operations = service.double.requests.map(({ operation }) => operation);
  // Who sends the token is requested once in a while.
  return { ...answer, operations: operations.filter((one) => one !== 'users/get-authenticated') };
}

const addRuns = ({ double, clock }: Service, count: number) =>
  double.addRuns('octo/fork', count, { from: clock.now() - 20 * hour, to: clock.now() - hour, firstId: 1 });

/** Gives run 1 of a repository jobs of these lengths in seconds, created a second before they start. */
function putJobs({ double, clock }: Service, repo: string, jobs: [seconds: number, rest: Partial<WorkflowJob>][]) {
  const start = clock.now() - 2 * hour;
  const run = double.putRun(`octo/${repo}`, { id: 1, createdAt: start, updatedAt: start + 10 * minute });
  const times = (seconds: number) => ({ startedAt: start + second, completedAt: start + (seconds + 1) * second });
  double.putJobs(
    `octo/${repo}`,
    1,
    1,
    jobs.map(([seconds, rest], index) => ({
      ...aJob({ id: 100 + index, runId: run.id, createdAt: start, ...times(seconds) }),
      ...rest,
    })),
  );
}

const mixed: [number, Partial<WorkflowJob>][] = [
  [61, { runnerName: 'GitHub Actions 1' }],
  [130, { runnerName: 'GitHub Actions 2', conclusion: 'failure' }],
  [60, { runnerName: 'shelf-1', runnerGroup: 'Default', labels: ['self-hosted', 'Linux'] }],
  [60, { runnerName: 'big 1', runnerGroup: 'Large ones', labels: ['big-box'] }],
  [0, { conclusion: 'skipped', runnerName: null, runnerGroup: null, labels: [] }],
];

describe('runner-stats', () => {
  test('reports hosted runners by their labels and own machines by their names', async () => {
    putJobs(visit.service, 'secret', mixed);
    const { body } = await ask(of('secret'));
    expect(body).toMatchObject({
      total_runs: 1,
      fetched_runs: 1,
      total_jobs: 5,
      unassigned_jobs: 1,
      unique_runners: 3,
      partial: false,
      data_source: 'live',
      generated_at: '2026-11-16T10:00:00.000Z',
      coverage: { complete: true, read: 1, expected: 1, reasons: [] },
    });
    expect(body.runners[0]).toEqual({
      runner_name: 'ubuntu-24.04',
      runner_group_name: 'GitHub Actions',
      kind: 'hosted',
      os: 'linux',
      labels: ['ubuntu-24.04'],
      machines: 2,
      job_count: 2,
      success: 1,
      failure: 1,
      failure_rate: 50,
      sample: 2,
      avg_duration_ms: 95_500,
      p95_duration_ms: 126_550,
      low_sample: true,
      busy_minutes: 3.2,
      queue_p50_ms: 1000,
      queue_p95_ms: 1000,
      queue_sample: 2,
      // Two and three minutes begun, at 0.006.
      est_cost: 0.03,
    });
    expect(body.runners[1]).toMatchObject({ runner_name: 'big-box', kind: 'larger', os: null, est_cost: null });
    expect(body.runners[2]).toMatchObject({ runner_name: 'shelf-1', kind: 'self_hosted', os: 'linux', est_cost: 0 });
  });

  test('standard runners cost nothing in a public repository', async () => {
    putJobs(visit.service, 'fork', mixed);
    expect((await ask(of('fork'))).body.runners[0]).toMatchObject({ kind: 'hosted', est_cost: 0 });
  });

  test('samples the newest completed runs of all workflows', async () => {
    const { body } = await ask(of('web', '&per_page=4'));
    expect(body).toMatchObject({ total_runs: 4, fetched_runs: 4, total_jobs: 6, partial: false });
    expect((await ask(of('web', '&per_page=80'))).headers.get('x-effective-limit')).toBe('50');
  });

  test('of a repository that never ran anything are none', async () => {
    expect((await ask(of('no-actions'))).body).toMatchObject({
      runners: [],
      total_runs: 0,
      total_jobs: 0,
      partial: false,
    });
    expectProblem(await ask(of('secret'), visit.service, 'token-bo'), 404, 'not_found');
  });

  test('costs the proof, the list and a request for each run at first, then nothing but what is new', async () => {
    addRuns(visit.service, 40);
    expect((await ask(of('fork'))).operations).toHaveLength(1 + 1 + 30);
    expect((await ask(of('fork'))).operations).toEqual([]);
    visit.service.double.putRun('octo/fork', { id: 99, createdAt: visit.service.clock.now() - minute });
    visit.service.clock.advance(10 * minute);
    expect((await ask(of('fork'))).operations.toSorted()).toEqual([
      'actions/list-jobs-for-workflow-run-attempt',
      'actions/list-workflow-runs-for-repo',
      'repos/get',
    ]);
    expect((await ask(of('fork', '&per_page=32'))).operations).toHaveLength(1);
  });

  test('is given from what is stored when the quota is spent on the way', async () => {
    addRuns(visit.service, 30);
    await ask(of('fork', '&per_page=10'));
    visit.service.double.budgets.setRemaining('ann', 'core', 55);
    const { body, headers } = await ask(of('fork', '&per_page=30'));
    expect(body.fetched_runs).toBeGreaterThanOrEqual(10);
    expect(body).toMatchObject({
      total_runs: 30,
      partial: true,
      coverage: { expected: 30, reasons: ['rate_limited'] },
    });
    expect(headers.get('x-partial')).toBe('true');
  });
});

describe('where the organization named its larger runners', () => {
  const large = freshService({ RUNNER_LABELS: 'big-box=linux_8_core' });

  test('they have a price, in a public repository too', async () => {
    putJobs(large.service, 'fork', mixed);
    const { body } = await ask(of('fork'), large.service);
    const row = body.runners.find((one: { runner_name: string }) => one.runner_name === 'big-box');
    // One minute at 0.022.
    expect(row).toMatchObject({ kind: 'larger', est_cost: 0.02 });
  });
});

describe('run-details of an attempt', () => {
  const attempts = (service: Service) => {
    addRuns(service, 1);
    service.double.rerun('octo/fork', 1, service.clock.now() - 30 * minute);
    service.double.completeRun('octo/fork', 1, 'failure', service.clock.now() - 20 * minute);
  };

  test('is distinguished from what is stored, as it was before', async () => {
    attempts(visit.service);
    const latest = await ask('/api/codehost/run-details?owner=octo&repo=fork&run_id=1');
    const first = await ask(details(1, 2));
    expect(first.body).toEqual(latest.body);
    expect(first.operations).toHaveLength(3);
    visit.service.clock.advance(24 * hour);
    const again = await ask(details(1, 2));
    expect([again.operations, again.text]).toEqual([[], first.text]);
    expect(again.headers.get('x-total-count')).toBe('1');
    // The other person proves that the repository is there for them, and asks for no jobs.
    const other = await ask(details(1, 2), visit.service, 'token-bo');
    expect([other.operations, other.text]).toEqual([['repos/get'], first.text]);
  });

  test('has runner and labels also where the table of jobs was made without them', async () => {
    addRuns(visit.service, 4);
    await ask('/api/codehost/job-stats?owner=octo&repo=fork&workflow_id=10051');
    expect((await ask(details(2, 1))).body[0]).toMatchObject({
      runner_name: 'GitHub Actions 7',
      labels: ['ubuntu-latest'],
    });
  });

  test('under way is requested again, and never stored', async () => {
    const { double, clock } = visit.service;
    double.putRun('octo/fork', { id: 7, status: 'in_progress', createdAt: clock.now() - minute });
    expect((await ask(details(7, 1))).body[0]).toMatchObject({ status: 'in_progress', completed_at: null });
    double.completeRun('octo/fork', 7, 'success', clock.now());
    clock.advance(minute);
    expect((await ask(details(7, 1))).body[0]).toMatchObject({ status: 'completed', conclusion: 'success' });
  });

  test('of another repository is not there', async () => {
    attempts(visit.service);
    await ask(details(1, 1));
    expectProblem(await ask(details(1, 1, 'web')), 404, 'not_found');
    expectProblem(await ask(details(1, 3)), 404, 'not_found');
  });
});

aDatabase((database) => {
  test('runners and run-details are distinguished from the database after a restart, to those who see the repository', async () => {
    const env = { DATABASE_URL: await database.address(), RATE_LIMIT_SESSION_PER_MINUTE: '0' };
    const first = await startService(env);
    putJobs(first, 'secret', mixed);
    const cold = await ask(of('secret'), first);
    const run = await ask(details(1, 1, 'secret'), first);
    expect(run.operations).toEqual([]);
    await first.app.close();

    const second = await startService(env, first);
    const warm = await ask(of('secret'), second);
    expect(warm.operations.toSorted()).toEqual(['actions/list-workflow-runs-for-repo', 'repos/get']);
    expect([warm.text, warm.body.data_source]).toEqual([cold.text, 'mixed']);
    const again = await ask(details(1, 1, 'secret'), second);
    expect([again.operations, again.text]).toEqual([[], run.text]);
    for (const path of [of('secret'), details(1, 1, 'secret')])
      expectProblem(await ask(path, second, 'token-bo'), 404, 'not_found');
    await second.close();
    await first.double.close();
  });
});

test('the demo has jobs and runners', async () => {
  const context = openDemo(visit.service);
  const codehost = await context.codehost();
  const [repository] = (await codehost.repositories.mine()).items;
  const name = { owner: repository?.owner ?? '', repo: repository?.repo ?? '' };
  const [workflow] = (await codehost.workflows.list(name)).items;
  const reply = { status: 200, headers: new Headers() };
  const input = { ...name, workflow_id: workflow?.id ?? 0, per_page: 30, table: 'jobs' as const };
  const { output } = getJobStats;
  const jobs = output.parse(toWire(output, await getJobStats.run(input, context, reply)));
  expect(jobs.runs_sampled).toBeGreaterThan(20);
  expect(jobs.jobs[0]?.queue_sample).toBeGreaterThan(20);
  expect(jobs.waterfall).toHaveLength(20);
  expect(jobs.critical_path.jobs.length).toBeGreaterThan(1);
  const stats = await getRunnerStats.run({ ...name, per_page: 30 }, context, reply);
  const runners = getRunnerStats.output.parse(toWire(getRunnerStats.output, stats));
  expect(runners.runners.map(({ kind }) => kind)).toContain('hosted');
  expect(runners.partial).toBe(false);
});
