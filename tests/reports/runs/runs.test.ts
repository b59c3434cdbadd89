import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';

const visit = freshService();
const minute = 60_000;
const get = (path: string, as = 'token-ann') => visit.service.ask('GET', `/api/codehost/${path}`, { as });
const ci = (rest = '') => get(`runs?owner=octo&repo=web&workflow_id=7001${rest}`);

interface Run {
  [field: string]: unknown;
  id: number;
  outcome: string;
}

describe('runs', () => {
  test('lists the newest runs of one workflow with their outcome', async () => {
    const { body, headers } = await ci();
    expect(body.map(({ id, outcome }: Run) => [id, outcome])).toEqual([
      [5013, 'running'],
      [5012, 'running'],
      [5011, 'pass'],
      [5010, 'fail'],
      [5009, 'pass'],
      [5008, 'void'],
      [5007, 'pass'],
      [5006, 'pass'],
      [5005, 'pass'],
      [5004, 'void'],
      [5003, 'fail'],
      [5002, 'pass'],
      [5001, 'pass'],
    ]);
    expect([headers.get('x-total-count'), headers.get('x-partial')]).toEqual(['13', 'false']);
  });

  test('reports everything of a run, and no email address', async () => {
    const { body, text } = await ci();
    const { double } = visit.service;
    expect(body[2]).toEqual({
      id: 5011,
      name: 'CI',
      display_title: 'Change 5011',
      event: 'push',
      head_branch: 'main',
      head_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      html_url: 'https://codehost.example/octo/web/actions/runs/5011',
      jobs_url: `${double.url}/repos/octo/web/actions/runs/5011/jobs`,
      run_attempt: 1,
      run_number: 5011,
      status: 'completed',
      conclusion: 'success',
      outcome: 'pass',
      created_at: '2026-11-16T09:00:00.000Z',
      run_started_at: '2026-11-16T09:00:00.000Z',
      updated_at: '2026-11-16T09:02:00.000Z',
      actor: { login: 'ann', avatar_url: 'https://avatars.codehost.example/ann' },
      triggering_actor: { login: 'ann', avatar_url: 'https://avatars.codehost.example/ann' },
      duration_ms: 120_000,
      queue_wait_ms: 0,
      queue_wait_source: 'run',
      is_default_branch: true,
      head_commit: { message: 'Change 5011', author: { name: 'ann' } },
      pull_requests: [],
      anomalies: [],
    });
    expect(text).not.toMatch(/[\w.]+@[\w.]+/);
  });

  test('is one row per run: of a re-run its latest attempt, whose wait is unknown', async () => {
    const runs = (await ci()).body as Run[];
    expect(runs.filter(({ id }) => id === 5009)).toHaveLength(1);
    expect(runs.find(({ id }) => id === 5009)).toMatchObject({
      run_attempt: 2,
      conclusion: 'success',
      duration_ms: 120_000,
      queue_wait_ms: null,
      queue_wait_source: null,
      created_at: '2026-11-16T06:00:00.000Z',
      run_started_at: '2026-11-16T07:00:00.000Z',
      actor: { login: 'ann' },
      triggering_actor: { login: 'bo' },
    });
  });

  test('what has not ended has no duration, what has not started no wait', async () => {
    const [queued, started] = (await ci()).body;
    expect(queued).toMatchObject({ status: 'queued', conclusion: null, duration_ms: null, queue_wait_ms: null });
    expect(started).toMatchObject({
      status: 'in_progress',
      duration_ms: null,
      queue_wait_ms: 60_000,
      queue_wait_source: 'run',
    });
  });

  test('knows the default branch, pull requests, bots and deleted accounts', async () => {
    const run = Object.fromEntries(((await ci()).body as Run[]).map((one) => [one.id, one]));
    expect(run[5007]).toMatchObject({ is_default_branch: false, display_title: '<script>alert(1)</script>' });
    expect(run[5006]).toMatchObject({
      actor: { login: 'dependabot[bot]' },
      pull_requests: [{ number: 12, head_sha: 'a'.repeat(40), url: expect.any(String) }],
    });
    expect(run[5005]).toMatchObject({ actor: null, head_commit: null });
  });

  test('marks a run that took unusually long', async () => {
    const { double, clock, ask } = visit.service;
    double.addRuns('octo/fork', 30, { from: clock.now() - 20 * 86_400_000, to: clock.now() - 60 * minute, firstId: 1 });
    double.putRun('octo/fork', { id: 99, createdAt: clock.now() - 50 * minute, updatedAt: clock.now() - minute });
    const { body } = await ask('GET', '/api/codehost/runs?owner=octo&repo=fork&workflow_id=10051', { as: 'token-ann' });
    expect(body[0].anomalies).toEqual([
      { metric: 'duration', direction: 'high', score: expect.any(Number), severity: 'extreme' },
    ]);
    expect(body.slice(1).every(({ anomalies }: { anomalies: unknown[] }) => anomalies.length === 0)).toBe(true);
  });

  test('per_page decides how many', async () => {
    expect((await ci('&per_page=2')).body.map(({ id }: Run) => id)).toEqual([5013, 5012]);
    const clamped = await ci('&per_page=500');
    expect(clamped.headers.get('x-effective-limit')).toBe('100');
    const upstream = visit.service.double.requests.find(({ operation }) => operation === 'actions/list-workflow-runs');
    expect(upstream?.query.per_page).toBe('2');
  });

  test('are of one branch where it is named, the default one without pull requests, for as many requests', async () => {
    const { double } = visit.service;
    // A fork may call its branch as it likes.
    double.putRun('octo/web', {
      id: 5999,
      createdAt: Date.UTC(2026, 10, 16, 9, 30),
      event: 'pull_request',
      headBranch: 'main',
    });
    const idsOn = async (branch: string, more = '') =>
      (await ci(`&branch=${encodeURIComponent(branch)}${more}`)).body.map(({ id }: Run) => id);
    expect(await idsOn('topic')).toEqual([5007]);
    expect(await idsOn('main')).toContain(5999);
    const onDefault = ((await ci()).body as Run[]).filter((run) => run.is_default_branch).map(({ id }) => id);
    expect(onDefault).not.toContain(5999);
    expect(await idsOn('~DEFAULT_BRANCH')).toEqual(onDefault);
    expect(await idsOn('~DEFAULT_BRANCH', '&per_page=2')).toEqual(onDefault.slice(0, 2));
    for (const branch of ['nothing-like-it', '<script>', "'", '../..', '~ALL']) expect(await idsOn(branch)).toEqual([]);
    expect((await ci('&branch=~DEFAULT_BRANCH')).headers.get('x-total-count')).toBe(`${onDefault.length}`);
    expect((await ci('&branch=topic')).headers.get('x-total-count')).toBe('1');
    expectFields(await ci('&branch=a%20b'), ['branch', 'invalid']);
    double.requests.length = 0;
    await ci('&branch=dependabot');
    expect(double.requests.map(({ operation }) => operation)).toEqual(['actions/list-workflow-runs']);
  });

  test('where older runs of the default branch may follow the newest hundred, the answer says so', async () => {
    const { double, clock } = visit.service;
    const given = { createdAt: clock.now(), event: 'pull_request', headBranch: 'main' };
    for (let n = 0; n < 100; n++) double.putRun('octo/web', { ...given, id: 960_000 + n });
    const { body, headers } = await ci('&branch=~DEFAULT_BRANCH');
    expect([body, headers.get('x-partial'), headers.get('x-partial-reason'), headers.get('x-total-count')]).toEqual([
      [],
      'true',
      'only the newest 100 runs on a branch of that name were looked at',
      null,
    ]);
  });

  test('names of branches differ by case', async () => {
    visit.service.double.putRun('octo/web', {
      id: 5998,
      createdAt: Date.UTC(2026, 10, 16, 9, 30),
      headBranch: 'Topic',
    });
    const idsOn = async (branch: string) => (await ci(`&branch=${branch}`)).body.map(({ id }: Run) => id);
    expect([await idsOn('topic'), await idsOn('Topic')]).toEqual([[5007], [5998]]);
  });

  test('a workflow of another repository is not there', async () => {
    expectProblem(await get('runs?owner=octo&repo=web&workflow_id=7101'), 404, 'not_found');
    expectProblem(await get('workflow-health?owner=octo&repo=web&workflow_id=7101'), 404, 'not_found');
  });
});

describe('workflow-health', () => {
  test('says what was counted and what was excluded', async () => {
    const { body } = await get('workflow-health?owner=octo&repo=web&workflow_id=7001');
    expect(body.runs_read).toBe(13);
    const of = Object.fromEntries(body.measurements.map((one: { key: string }) => [one.key, one]));
    expect(of.success_rate).toMatchObject({ value: 78, unit: 'percent', better: 'higher', sample: 9 });
    const left = of.success_rate.left_out.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
    expect(left).toBe(4);
    // Eight of two minutes and one of six hours.
    expect(of.average_duration).toMatchObject({ value: Math.round((8 * 120_000 + 21_600_000) / 9), sample: 9 });
    // Between the eighth (120 s) and the ninth (6 h) of nine, at 0.95 · 8 = 7.6.
    expect(of.p95_duration).toMatchObject({ value: 120_000 + 0.6 * 21_480_000, sample: 9 });
    expect(of.workflow_median_duration).toMatchObject({ value: 120_000, sample: 9 });
    // At 0.9 · 8 = 7.2.
    expect(of.workflow_p90_duration).toMatchObject({ value: 120_000 + 0.2 * 21_480_000, sample: 9 });
    // Ten did not wait, one waited a minute.
    expect(of.queue_wait).toMatchObject({ value: 0, sample: 11 });
    expect(of.average_queue_wait).toMatchObject({ value: Math.round(60_000 / 11), sample: 11 });
    expect(of.failure_streak).toMatchObject({ value: 0, sample: 7 });
    expect([body.generated_at, body.data_source]).toEqual(['2026-11-16T10:00:00.000Z', 'live']);
    const api = await get('workflow-health?owner=octo&repo=api&workflow_id=7101');
    expect(api.body.measurements.find(({ key }: { key: string }) => key === 'failure_streak').value).toBe(3);
  });

  test('reports one queue wait, as CI does; it stands out by its median', async () => {
    const { double, clock } = visit.service;
    for (let n = 1; n <= 12; n++) {
      const createdAt = clock.now() - n * 3_600_000;
      const startedAt = createdAt + (n <= 9 ? 10_000 : 1_800_000);
      // The last one is a re-run, of which no wait is known.
      double.putRun('octo/web', { id: 970_000 + n, workflowId: 7003, createdAt, startedAt, attempt: n === 12 ? 2 : 1 });
    }
    const query = 'owner=octo&repo=web&workflow_id=7003&per_page=50';
    const health = (await get(`workflow-health?${query}`)).body;
    const read = (wanted: string) => health.measurements.find(({ key }: { key: string }) => key === wanted);
    // Nine waits of ten seconds and two of half an hour.
    expect(read('queue_wait')).toMatchObject({ value: 10_000, sample: 11 });
    expect(read('p90_queue_wait')).toMatchObject({ value: 1_800_000, sample: 11 });
    const average = read('average_queue_wait');
    expect(average).toMatchObject({ value: expect.closeTo((9 * 10_000 + 2 * 1_800_000) / 11, 0), sample: 11 });
    const { tips } = (await get(`workflow-reliability?${query}`)).body;
    expect(tips.map(({ key }: { key: string }) => key)).not.toContain('long_queue');
    const why = await visit.service.ask('GET', `/api/explain?metric=queue_wait&${query}`, { as: 'token-ann' });
    expect([why.body.value, why.body.sample]).toEqual([10_000, 11]);
    expect(why.body.left_out).toMatchObject([{ reason: 'a re-run without job data', count: 1 }]);
  });

  test('says nothing of nothing', async () => {
    const { body } = await get('workflow-health?owner=octo&repo=web&workflow_id=7003');
    expect(body.runs_read).toBe(0);
    for (const one of body.measurements) expect(one).toMatchObject({ value: null, sample: 0, left_out: [] });
  });
});

describe('run-details', () => {
  test('lists the jobs of the latest attempt by their start, with steps in order', async () => {
    const { body, headers } = await get('run-details?owner=octo&repo=web&run_id=5011');
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['build', 'test', 'publish']);
    expect(headers.get('x-total-count')).toBe('3');
    const { steps, ...build } = body[0];
    expect(build).toEqual({
      id: 501_101,
      name: 'build',
      workflow_name: 'CI',
      status: 'completed',
      conclusion: 'success',
      run_attempt: 1,
      created_at: '2026-11-16T09:00:00.000Z',
      started_at: '2026-11-16T09:00:00.000Z',
      completed_at: '2026-11-16T09:01:45.000Z',
      // It says that it started at once, but its first step began 45 s later.
      duration_ms: 105_000,
      queue_wait_ms: 45_000,
      runner_name: 'GitHub Actions 12',
      runner_group_name: 'GitHub Actions',
      labels: ['ubuntu-24.04'],
      html_url: 'https://codehost.example/octo/web/actions/runs/5011/job/501101',
    });
    expect(steps.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4]);
    expect(steps[2]).toEqual({
      number: 3,
      name: 'Build',
      status: 'completed',
      conclusion: 'success',
      duration_ms: 54_000,
      started_at: '2026-11-16T09:00:50.000Z',
      completed_at: '2026-11-16T09:01:44.000Z',
    });
    expect(body[1]).toMatchObject({ runner_name: 'shelf-1', labels: ['self-hosted', 'linux'], queue_wait_ms: 6_000 });
    expect(body[2]).toMatchObject({ conclusion: 'skipped', runner_name: null, runner_group_name: null, steps: [] });
  });

  test('of a re-run the latest attempt, or the one requested', async () => {
    const question = 'run-details?owner=octo&repo=web&run_id=5009';
    expect((await get(question)).body[0]).toMatchObject({ run_attempt: 2, conclusion: 'success' });
    expect((await get(`${question}&attempt=1`)).body[0]).toMatchObject({ run_attempt: 1, conclusion: 'failure' });
    expectProblem(await get(`${question}&attempt=3`), 404, 'not_found');
  });

  test('a step whose clocks crossed has no duration, as a job has none', async () => {
    const { double } = visit.service;
    const [job] = double.world.repositories[0]?.jobs.get('5011/1') ?? [];
    const [step] = job?.steps ?? [];
    if (!job || !step?.startedAt) throw new Error('the named world has no step of run 5011');
    double.putJobs('octo/web', 5011, 1, [{ ...job, steps: [{ ...step, completedAt: step.startedAt - 1000 }] }]);
    const [answered] = (await get('run-details?owner=octo&repo=web&run_id=5011')).body;
    expect(answered.steps).toMatchObject([{ duration_ms: null }]);
  });

  test('what is under way has no end', async () => {
    const [job] = (await get('run-details?owner=octo&repo=web&run_id=5012')).body;
    expect(job).toMatchObject({ status: 'in_progress', conclusion: null, completed_at: null, duration_ms: null });
  });

  test('a run of another repository, or one that was deleted, is not there', async () => {
    expectProblem(await get('run-details?owner=octo&repo=web&run_id=5207'), 404, 'not_found');
    visit.service.double.removeRun('octo/web', 5002);
    expectProblem(await get('run-details?owner=octo&repo=web&run_id=5002'), 404, 'not_found');
  });

  test('reads all pages of a large matrix', async () => {
    const { double } = visit.service;
    const [job] = double.world.repositories[0]?.jobs.get('5011/1') ?? [];
    if (!job) throw new Error('the named world has no job of run 5011');
    double.putJobs(
      'octo/web',
      5010,
      1,
      Array.from({ length: 256 }, (_, n) => ({ ...job, id: 1000 + n, runId: 5010 })),
    );
    const { body, headers } = await get('run-details?owner=octo&repo=web&run_id=5010');
    expect(new Set(body.map(({ id }: Run) => id)).size).toBe(256);
    expect(headers.get('x-total-count')).toBe('256');
  });
});
