import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { costlyRepository } from './costly-repository.ts';

const minute = 60_000;
const hour = 60 * minute;
const path = (more = '') => `/api/codehost/workflow-cost?owner=octo&repo=costly&workflow_id=9001${more}`;

interface Row {
  class: string;
  run_id: number;
  number: number | null;
}

describe('workflow-cost', () => {
  const visit = freshService({ RUNNER_LABELS: 'big=linux_8_core' });
  const ask = (more?: string, as = 'token-ann') => visit.service.ask('GET', path(more), { as });
  const wasteOf = (body: { waste: Row[] }, name: string) => body.waste.find((one) => one.class === name);
  const inPullRequest = (number: number) => ({
    event: 'pull_request',
    headBranch: `topic-${number}`,
    pullRequests: [{ number, url: '', headSha: 'a'.repeat(40) }],
  });

  test('sums the jobs of every attempt by the price of their runners', async () => {
    const run = costlyRepository(visit.service);
    run(1, { conclusion: 'failure' }, { minutes: 2.5 }, { minutes: 1, label: 'macos-15' });
    run(
      1,
      { attempt: 2, startedAt: visit.service.clock.now() - 4 * hour },
      { minutes: 2 },
      { minutes: 3, label: 'big' },
    );
    run(2, {}, { minutes: 10 }, { minutes: 30, label: 'self-hosted' });
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      repo: 'octo/costly',
      visibility: 'private',
      runs_costed: 2,
      runs_under_way: 0,
      attempts_judged: 3,
      // 0.018 + 0.062, 0.012 + 0.066, 0.06 and nothing.
      total: { est_cost: 0.22, minutes: 49, jobs: 6, unknown_jobs: 0 },
      est_cost_sample: 2,
      median_run_cost: 0.109,
      median_run_cost_sample: 2,
    });
    expect(body.runs.find(({ run_id }: Row) => run_id === 1)).toMatchObject({
      est_cost: 0.158,
      attempts: 2,
      minutes: 9,
    });
    // All of its jobs, whichever were run again: the most that was wasted.
    expect(wasteOf(body, 'rerun_after_flake')).toMatchObject({
      attempts: 1,
      est_cost: 0.08,
      minutes: 4,
      definition: expect.stringContaining('at most'),
    });
    expect(body).toMatchObject({ wasted_minutes: 4, wasted_cost: 0.08, wasted_cost_sample: 1, partial: false });
  });

  test('a job that a re-run only lists is not charged again', async () => {
    const run = costlyRepository(visit.service);
    const { clock } = visit.service;
    const createdAt = clock.now() - 5 * hour;
    const old = { startedAt: createdAt, completedAt: createdAt + 5 * minute };
    run(1, { createdAt, conclusion: 'failure' }, { minutes: 5 }, { minutes: 10 });
    run(1, { createdAt, attempt: 2, startedAt: clock.now() - hour }, { minutes: 5, parts: old }, { minutes: 10 });
    const { body } = await ask();
    // 5 + 10, and 10 again.
    expect(body.total).toEqual({ est_cost: 0.15, minutes: 25, jobs: 3, unknown_jobs: 0 });
  });

  test('an unknown runner is counted apart, and spoils no median', async () => {
    const run = costlyRepository(visit.service);
    run(1, {}, { minutes: 2 }, { minutes: 5, label: 'who-knows' });
    run(2, {}, { minutes: 1, label: 'who-knows' });
    run(3, {}, { minutes: 10 });
    const { body } = await ask();
    expect(body.total).toEqual({ est_cost: 0.07, minutes: 18, jobs: 4, unknown_jobs: 2 });
    expect(body).toMatchObject({ est_cost_sample: 2, median_run_cost: 0.06, median_run_cost_sample: 1 });
    expect(body.runs.find(({ run_id }: Row) => run_id === 2)).toMatchObject({ est_cost: null, unknown_jobs: 1 });
  });

  test('a skipped job and a free one do not make unknown runners cost $0', async () => {
    const run = costlyRepository(visit.service);
    const skipped = { conclusion: 'skipped', runnerName: null, runnerGroup: null };
    run(1, {}, { minutes: 0, parts: skipped }, { minutes: 5, label: 'who-knows' });
    run(2, {}, { minutes: 0, parts: skipped });
    const { body } = await ask();
    expect(body.total).toEqual({ est_cost: null, minutes: 5, jobs: 3, unknown_jobs: 1 });
    expect(body.est_cost_sample).toBe(0);
    expect(body.runs.map(({ run_id, est_cost }: Row & { est_cost: number | null }) => [run_id, est_cost])).toEqual(
      expect.arrayContaining([
        [1, null],
        [2, 0],
      ]),
    );
  });

  test('standard runners are free in a public repository, larger ones never', async () => {
    const run = costlyRepository(visit.service, { private: false, visibility: 'public' });
    run(1, {}, { minutes: 100 }, { minutes: 2, label: 'big' });
    expect((await ask()).body).toMatchObject({ visibility: 'public', total: { est_cost: 0.04, minutes: 102 } });
  });

  test('reports what each pull request cost, and the branch of one from elsewhere', async () => {
    const run = costlyRepository(visit.service);
    run(1, inPullRequest(7), { minutes: 10 });
    run(2, inPullRequest(7), { minutes: 20 });
    run(3, { event: 'pull_request', headBranch: 'patch-1' }, { minutes: 5 });
    run(4, { headBranch: 'main' }, { minutes: 60 });
    const { body } = await ask();
    expect(body.pull_requests).toMatchObject([
      { number: 7, head_branch: 'topic-7', runs: 2, est_cost: 0.18 },
      { number: null, head_branch: 'patch-1', runs: 1, est_cost: 0.03 },
    ]);
    expect(body).toMatchObject({ cost_per_pull_request: 0.105, cost_per_pull_request_sample: 2 });
  });

  test('distinguishes a superseded run from one that somebody stopped, and from one that never began', async () => {
    const { clock } = visit.service;
    const run = costlyRepository(visit.service);
    const cancelled = { conclusion: 'cancelled', headBranch: 'topic' };
    const taken = { parts: { conclusion: 'cancelled' } };
    run(1, { ...cancelled, createdAt: clock.now() - 5 * hour }, { minutes: 8, ...taken });
    // The newer one is under way still.
    run(2, { headBranch: 'topic', status: 'in_progress', createdAt: clock.now() - 5 * hour + 5 * minute });
    run(3, { ...cancelled, headBranch: 'other', createdAt: clock.now() - 4 * hour }, { minutes: 4, ...taken });
    const untaken = { conclusion: 'cancelled', runnerName: null, runnerGroup: null, labels: ['ubuntu-24.04'] };
    run(4, { ...cancelled, headBranch: 'third' }, { minutes: 3, parts: untaken });
    const { body } = await ask();
    expect(body.runs_under_way).toBe(1);
    expect(wasteOf(body, 'superseded')).toMatchObject({ attempts: 1, minutes: 8, est_cost: 0.048 });
    expect(wasteOf(body, 'cancelled_in_queue')).toMatchObject({ attempts: 1, minutes: 0, est_cost: 0 });
    expect(wasteOf(body, 'rerun_after_flake')).toMatchObject({ attempts: 0, minutes: 0, est_cost: 0 });
    expect(body).toMatchObject({ wasted_minutes: 8, wasted_cost: 0.05, wasted_cost_sample: 2, attempts_judged: 3 });
  });

  test.each([
    ['waste', 'class,definition,attempts', 'rerun_after_flake'],
    ['pull_requests', 'number,head_branch,runs', '7,topic-7,1,0.012,2,1,0'],
    ['runs', 'run_id,run_number', '1,1,'],
  ])('is a table of %s', async (table, head, line) => {
    costlyRepository(visit.service)(1, inPullRequest(7), { minutes: 2 });
    const { text } = await visit.service.ask('GET', path(`&table=${table}&format=csv`), { as: 'token-ann' });
    expect(text.startsWith(head)).toBe(true);
    expect(text).toContain(line);
  });

  test('without a run there is nothing to say', async () => {
    costlyRepository(visit.service);
    const { body } = await ask();
    expect(body).toMatchObject({ runs: [], pull_requests: [], median_run_cost: null, wasted_cost: null });
    expect(body).toMatchObject({ total: { est_cost: null, jobs: 0 }, wasted_minutes: 0, partial: false });
  });

  test('an attempt that cannot be read is a gap, one that is gone is not', async () => {
    const { double, clock } = visit.service;
    const run = costlyRepository(visit.service);
    run(1, { conclusion: 'failure' }, { minutes: 1 });
    run(1, { attempt: 2, startedAt: clock.now() - hour }, { minutes: 1 });
    const attempt = '/repos/octo/costly/actions/runs/1/attempts/1';
    double.fault({ path: attempt, times: 3 }, { kind: 'status', status: 403 });
    const gap = await ask();
    expect(gap.body).toMatchObject({ partial: true, coverage: { read: 1, expected: 2, reasons: ['forbidden'] } });
    expect(gap.headers.get('x-partial')).toBe('true');
    expect((await ask()).status).toBe(200);
  });

  test('of runs that were started again very often, the newest fifty earlier attempts are read', async () => {
    const { double, clock } = visit.service;
    const run = costlyRepository(visit.service);
    for (const attempt of Array.from({ length: 53 }, (_, index) => index + 1))
      run(1, { attempt, startedAt: clock.now() - hour }, { minutes: 1 });
    const { body } = await ask();
    const read = double.requests.filter(({ path: requested }) => /runs\/1\/attempts\/\d+$/.test(requested));
    expect(read).toHaveLength(50);
    expect(body).toMatchObject({ partial: true, coverage: { read: 51, expected: 53, reasons: ['page_cap'] } });
  });

  test('is not reported to who cannot see the repository', async () => {
    costlyRepository(visit.service)(1, {}, { minutes: 1 });
    await ask();
    expectProblem(await ask('', 'token-bo'), 404, 'not_found');
  });

  test('a run is requested once, however often it is looked at', async () => {
    const { double, clock } = visit.service;
    const run = costlyRepository(visit.service);
    for (const id of [1, 2, 3]) run(id, {}, { minutes: 1 });
    await ask();
    run(4, {}, { minutes: 1 });
    clock.advance(hour);
    double.requests.length = 0;
    expect((await ask()).body.runs_costed).toBe(4);
    const cost = double.requests.reduce((sum, one) => sum + one.cost, 0);
    // The list changed, and the new run's jobs; what did not change is answered by 304.
    expect(cost).toBe(2);
  });
});

aDatabase((database) => {
  const stored = storedService(database);

  test('stored jobs are priced without asking for them again', async () => {
    const { service } = stored;
    costlyRepository(service)(1, {}, { minutes: 3 });
    const ask = async () => (await service.ask('GET', path(), { as: 'token-ann' })).body;
    const first = await ask();
    service.clock.advance(48 * hour);
    service.double.requests.length = 0;
    const later = await ask();
    expect(later.total).toMatchObject({ est_cost: 0.02, minutes: 3 });
    expect([first.total, first.data_source]).toEqual([later.total, 'mixed']);
    expect(service.double.requests.filter(({ operation }) => /jobs/.test(operation ?? ''))).toEqual([]);
  });

  test('attempts that a synchronization stored are not requested again, and belong to their pull request', async () => {
    await stored.anew();
    const { service } = stored;
    const run = costlyRepository(service, { private: false, visibility: 'public' });
    const parts = { event: 'pull_request', headBranch: 'topic', pullRequests: [{ number: 7, url: '', headSha: 'a' }] };
    run(1, { ...parts, conclusion: 'failure' }, { minutes: 1 });
    const startedAt = service.clock.now() - hour;
    run(1, { ...parts, attempt: 2, startedAt, conclusion: 'failure' }, { minutes: 2 });
    run(1, { ...parts, attempt: 3, startedAt, status: 'in_progress' });
    await stored.sync('owner=octo&repo=costly');
    service.double.requests.length = 0;
    // What the synchronization read itself is remembered for its own caller alone.
    const ask = async () => (await service.ask('GET', path(), { as: 'token-bo' })).body;
    await service.signIn('token-bo');
    expect(await ask()).toMatchObject({
      runs_under_way: 1,
      attempts_judged: 2,
      pull_requests: [{ number: 7, minutes: 3 }],
    });
    const operations = service.double.requests.map(({ operation }) => operation ?? '');
    expect(operations.filter((one) => /attempt/.test(one) && !/jobs/.test(one))).toEqual([]);
    expect(operations.filter((one) => /jobs/.test(one))).toHaveLength(2);
    service.clock.advance(hour);
    service.double.requests.length = 0;
    await ask();
    // What is left is the list, and the proof that the repository may be seen.
    expect(service.double.requests).toHaveLength(2);
    expect(service.double.requests.reduce((sum, { cost }) => sum + cost, 0)).toBe(0);
  });
});
