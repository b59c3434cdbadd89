import { describe, expect, test } from 'vitest';
import type { WorkflowJob } from '../../../server/metrics/kernel/facts.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { bearer } from '../../api/moving-world.ts';
import { aJob, aStep, second } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';

const visit = freshService();
const minute = 60_000;
const hour = 60 * minute;
const of = (repo: string, workflow: number, rest = '') =>
  `/api/codehost/job-stats?owner=octo&repo=${repo}&workflow_id=${workflow}${rest}`;
const fork = of('fork', 10051);

/** An answer, and what it cost: operations requested, and quota. */
async function ask(path: string, service: Service = visit.service, as = 'token-ann') {
  const { double } = service;
  double.requests.length = 0;
  const answer = await service.ask('GET', path, bearer(as));
  expect(double.violations).toEqual([]);
  // Who sends the token is requested once in a while.
  const requestedOperations = double.requests.filter(({ operation }) => operation !== 'users/get-authenticated');
  const quota = requestedOperations.reduce((sum, { cost }) => sum + cost, 0);
  return { ...answer, operations: requestedOperations.map(({ operation }) => operation), quota };
}

/** Runs of octo/fork within the last day; ids from 1. */
const addRuns = ({ double, clock }: Service, count: number) =>
  double.addRuns('octo/fork', count, { from: clock.now() - 20 * hour, to: clock.now() - hour, firstId: 1 });

/** Gives a run of octo/fork jobs at seconds of its first attempt. */
function putJobs(
  { double, clock }: Service,
  id: number,
  jobs: [name: string, from: number, to: number, rest?: Partial<WorkflowJob>][],
) {
  const start = clock.now() - 2 * hour;
  const at = (seconds: number) => start + seconds * second;
  double.putRun('octo/fork', { id, createdAt: start, updatedAt: at(600) });
  double.putJobs(
    'octo/fork',
    id,
    1,
    jobs.map(([name, from, to, rest], index) => ({
      ...aJob({ id: id * 100 + index, runId: id, name, createdAt: start, startedAt: at(from), completedAt: at(to) }),
      steps: [aStep({ name: 'Work', startedAt: at(from), completedAt: at(to) })],
      ...rest,
    })),
  );
}

describe('job-stats', () => {
  test('counts what ended and takes times of what passed or failed', async () => {
    const steps = [] as WorkflowJob['steps'];
    putJobs(visit.service, 1, [
      ['build', 0, 60],
      ['build', 0, 70, { conclusion: 'failure' }],
      ['build', 80, 80, { conclusion: 'skipped', steps }],
      ['build', 0, 5, { conclusion: 'cancelled' }],
    ]);
    const { body, headers } = await ask(fork);
    expect(body.jobs).toEqual([
      {
        name: 'build',
        group: 'build',
        runs: 2,
        success: 1,
        failure: 1,
        cancelled: 1,
        skipped: 1,
        sample: 2,
        avg_ms: 65_000,
        p50_ms: 65_000,
        p90_ms: 69_000,
        p95_ms: 69_500,
        max_ms: 70_000,
        low_sample: true,
        queue_p50_ms: 0,
        queue_p95_ms: 0,
        queue_sample: 3,
      },
    ]);
    expect(body.steps).toEqual([
      {
        job: 'build',
        step: 'Work',
        number: 1,
        runs: 3,
        success: 3,
        failure: 0,
        sample: 3,
        avg_ms: 45_000,
        p50_ms: 60_000,
        p90_ms: 68_000,
        p95_ms: 69_000,
        max_ms: 70_000,
      },
    ]);
    expect(body).toMatchObject({
      runs_requested: 30,
      runs_sampled: 1,
      runs_under_way: 0,
      partial: false,
      data_source: 'live',
      coverage: { complete: true, expected: 1, read: 1, cap: null, reasons: [] },
      generated_at: '2026-11-16T10:00:00.000Z',
    });
    expect([headers.get('x-partial'), headers.get('x-stale')]).toEqual(['false', null]);
  });

  test('draws the newest 20 runs against time, and names what decided when they ended', async () => {
    addRuns(visit.service, 24);
    putJobs(visit.service, 30, [
      ['build', 0, 60],
      ['lint', 0, 20],
      ['test (20)', 62, 200],
      ['test (22)', 62, 180],
    ]);
    const { body } = await ask(fork);
    expect(body.waterfall).toHaveLength(20);
    const drawn = body.waterfall.find((one: { run_id: number }) => one.run_id === 30);
    expect(drawn).toMatchObject({ run_number: 30, run_attempt: 1 });
    expect(drawn.jobs[2]).toEqual({
      name: 'test (20)',
      conclusion: 'success',
      start_offset_ms: 62_000,
      duration_ms: 138_000,
      queue_wait_ms: null,
    });
    expect(body.critical_path).toMatchObject({
      runs: 25,
      definition: expect.stringContaining('derived from times'),
      jobs: [
        { name: 'build', runs_on_path: 25, share_pct: 100, median_ms: 120_000 },
        { name: 'test (20)', runs_on_path: 1, share_pct: 4, median_ms: 138_000 },
      ],
    });
  });

  test('samples the newest runs requested, without those under way', async () => {
    const { body, operations } = await ask(of('web', 7001, '&per_page=5'));
    expect(body).toMatchObject({ runs_requested: 5, runs_sampled: 3, runs_under_way: 2, partial: false });
    expect(operations).not.toContain('actions/get-workflow-run');
    const names = body.jobs.map(({ name }: { name: string }) => name).toSorted();
    expect(names).toEqual(['build', 'publish', 'test']);
  });

  test('is a table of its jobs', async () => {
    putJobs(visit.service, 1, [['build', 0, 60]]);
    const { text } = await ask(`${fork}&format=csv`);
    expect(text).toContain('name,group,runs');
    expect(text).toContain('build,build,1');
  });

  test.each([
    ['steps', 'job,step,number,runs', 'build,Work,1,1,1,0,1,60000'],
    ['critical_path', 'name,runs_on_path,share_pct,median_ms', 'build,1,100,60000'],
  ])('and of its %s, where that is requested', async (table, head, line) => {
    putJobs(visit.service, 1, [['build', 0, 60]]);
    const { text } = await ask(`${fork}&table=${table}&format=csv`);
    expect(text.startsWith(head)).toBe(true);
    expect(text).toContain(`\r\n${line}`);
    expect((await ask(of('web', 7003, `&table=${table}&format=csv`))).text).toContain(head);
  });

  test('opens the place of a job on the critical path into the runs', async () => {
    putJobs(visit.service, 1, [
      ['build', 0, 60],
      ['lint', 0, 20],
    ]);
    visit.service.clock.advance(minute);
    putJobs(visit.service, 2, [
      ['build', 0, 60],
      ['lint', 0, 90],
    ]);
    const explain = async (metric: string, job: string) =>
      (await ask(`/api/explain?metric=${metric}&owner=octo&repo=fork&workflow_id=10051&job=${job}`)).body;
    const share = await explain('critical_path_share', 'lint');
    expect(share).toMatchObject({ label: 'On the critical path: lint', value: 50, sample: 2, partial: false });
    expect(share.counted.map(({ label, note }: { label: string; note: string }) => `${label}: ${note}`)).toEqual([
      'Run 2, attempt 1: on the path, passed',
      'Run 1, attempt 1: not on the path, passed',
    ]);
    expect(await explain('critical_path_time', 'lint')).toMatchObject({
      value: 90_000,
      sample: 1,
      left_out: [{ reason: 'the job was not on its critical path', count: 1 }],
    });
    expect(await explain('critical_path_time', 'nothing-of-this-name')).toMatchObject({ value: null, sample: 0 });
  });

  test('a workflow without runs has nothing', async () => {
    const { body } = await ask(of('web', 7003));
    expect(body).toMatchObject({
      jobs: [],
      steps: [],
      waterfall: [],
      runs_sampled: 0,
      critical_path: { runs: 0, jobs: [] },
    });
  });

  test('what is not there, or not for everybody, is rejected', async () => {
    expectProblem(await ask(of('web', 7101)), 404, 'not_found');
    expectProblem(await ask(of('secret', 10061), visit.service, 'token-bo'), 404, 'not_found');
    expectProblem(await visit.service.ask('GET', fork), 401, 'unauthenticated');
  });

  test('says what a deleted run and a spent quota excluded', async () => {
    addRuns(visit.service, 3);
    const { double } = visit.service;
    double.rerun('octo/fork', 2, visit.service.clock.now() - 30 * minute);
    double.completeRun('octo/fork', 2, 'success', visit.service.clock.now() - 20 * minute);
    await visit.service.ask(
      'GET',
      '/api/codehost/runs?owner=octo&repo=fork&workflow_id=10051&per_page=30',
      bearer('token-ann'),
    );
    double.removeRun('octo/fork', 2);
    const { body, headers } = await ask(fork);
    expect(body).toMatchObject({
      runs_sampled: 2,
      partial: true,
      coverage: { complete: false, expected: 3, read: 2, reasons: ['sub_fetch_failed'] },
    });
    expect(headers.get('x-partial')).toBe('true');
  });
});

describe('jobs of check suites of which a part cannot be read', () => {
  test.each(['CheckRun.conclusion', 'CheckRun.completedAt', 'CheckStep.startedAt'])(
    '(%s) are not counted as read, and not stored',
    async (field) => {
      const { double } = visit.service;
      addRuns(visit.service, 8);
      double.fault({ path: '/graphql', times: 99 }, { kind: 'failing_field', field, type: 'FORBIDDEN' });
      const { body, operations } = await ask(fork);
      expect(body).toMatchObject({
        runs_sampled: 5,
        partial: true,
        coverage: { complete: false, expected: 8, read: 5, reasons: ['forbidden'] },
      });
      // The others were read one by one, as decision 8 of the reports allows.
      expect(operations.filter((name) => name === 'actions/list-jobs-for-workflow-run-attempt')).toHaveLength(5);
      expect(body.jobs[0].success + body.jobs[0].failure).toBe(5);
      double.reset();
      addRuns(visit.service, 8);
      const later = await ask(fork);
      expect(later.body).toMatchObject({ runs_sampled: 8, partial: false });
      expect(later.operations).toContain('JobsOfSuites');
    },
  );
});

describe('what job-stats cost', () => {
  test('thirty runs: five requests, then none, and two for the list and one new run', async () => {
    addRuns(visit.service, 30);
    const cold = await ask(fork);
    expect(cold.operations.toSorted()).toEqual([
      'JobsOfSuites',
      'JobsOfSuites',
      'JobsOfSuites',
      'actions/list-workflow-runs',
      'repos/get',
    ]);
    expect(cold.quota).toBe(3 * 5 + 2);
    expect((await ask(fork)).operations).toEqual([]);
    visit.service.clock.advance(2 * hour);
    expect(await ask(fork)).toMatchObject({ quota: 0, text: cold.text.replaceAll('10:00:00.000Z', '12:00:00.000Z') });
    visit.service.double.putRun('octo/fork', { id: 99, createdAt: visit.service.clock.now() - 5 * minute });
    visit.service.clock.advance(10 * minute);
    const later = await ask(fork);
    expect(later.operations.toSorted()).toEqual([
      'actions/list-jobs-for-workflow-run-attempt',
      'actions/list-workflow-runs',
      'repos/get',
    ]);
    expect(later.quota).toBe(2);
  });

  test('runner-stats and job-stats share what was read in full', async () => {
    addRuns(visit.service, 12);
    await ask('/api/codehost/runner-stats?owner=octo&repo=fork');
    const { body, operations } = await ask(fork);
    expect(operations).toEqual(['actions/list-workflow-runs']);
    expect(body.jobs[0]).toMatchObject({ queue_sample: 12, queue_p50_ms: 0 });
  });
});

aDatabase((database) => {
  test('what was read outlives the process, is shared by all who see the repository, and by nobody else', async () => {
    const url = await database.address();
    const env = { DATABASE_URL: url, RATE_LIMIT_SESSION_PER_MINUTE: '0' };
    const first = await startService(env);
    addRuns(first, 20);
    const secret = of('secret', 10061);
    first.double.putRun('octo/secret', { id: 70_001, createdAt: first.clock.now() - hour });
    const cold = await ask(fork, first);
    expect([cold.operations.length, cold.body.data_source]).toEqual([1 + 1 + 2, 'mixed']);
    expect((await ask(secret, first)).body.runs_sampled).toBe(1);
    await first.app.close();

    const second = await startService(env, first);
    const warm = await ask(fork, second, 'token-bo');
    expect(warm.operations.toSorted()).toEqual(['actions/list-workflow-runs', 'repos/get']);
    expect(warm.body).toEqual(cold.body);
    expectProblem(await ask(secret, second, 'token-bo'), 404, 'not_found');
    expect((await ask(secret, second)).body.runs_sampled).toBe(1);
    await second.close();
    await first.double.close();
  });
});
