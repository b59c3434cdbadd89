import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aJob, aStep } from '../../metrics/worlds.ts';
import { aDatabase } from '../../support/a-database.ts';

const minute = 60_000;
const hour = 60 * minute;
const api = '/api/codehost/workflow-reliability?owner=octo&repo=api&workflow_id=7101';
const web = '/api/codehost/workflow-reliability?owner=octo&repo=web&workflow_id=7001';

interface Measured {
  key: string;
  value: number | null;
  sample: number;
  lower_bound: boolean;
}

const measured = (body: { measurements: Measured[] }) =>
  Object.fromEntries(body.measurements.map(({ key, value, sample }) => [key, [value, sample]]));
const numbers = (items: { failed: { number: number } }[]) => items.map(({ failed }) => failed.number);

describe('workflow-reliability without a database', () => {
  const visit = freshService();
  const ask = (path: string, as = 'token-ann') => visit.service.ask('GET', path, { as });

  test('reports the newest runs, and that replaced attempts are not known', async () => {
    const { status, body, headers } = await ask(api);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      runs_read: 7,
      running: 0,
      default_branch: 'main',
      timezone: 'Asia/Saigon',
      data_source: 'live',
      earlier_attempts: 0,
      earlier_attempts_unknown: 3,
      partial: true,
      flaky_commits: [],
      flaky_jobs: [],
    });
    expect(headers.get('x-partial')).toBe('true');
    const floors = body.measurements.filter((one: Measured) => one.lower_bound).map(({ key }: Measured) => key);
    expect(floors).toEqual(['flaky_rate', 'flaky_cost']);
    expect(measured(body)).toEqual({
      ci_recovery: [null, 0],
      failure_streak: [3, 7],
      flaky_rate: [null, 7],
      flaky_cost: [0, 0],
      rerun_rate: [29, 7],
      delayed_runs: [0, 5],
      wasted_queue: [0, 5],
    });
    expect(body.recoveries).toMatchObject([{ failed: { number: 5205 }, recovered: null, failures: 3 }]);
    expect(body.tips).toMatchObject([{ key: 'failing_in_a_row', level: 'warning', value: 3, threshold: 3, sample: 7 }]);
  });

  test('reports what set runs off, people by name and bots after them', async () => {
    const { body } = await ask(web);
    expect(body.events).toMatchObject([
      { event: 'push', runs: 11 },
      { event: 'pull_request', runs: 2 },
    ]);
    expect(body.actors.map((one: { login: string; is_bot: boolean }) => [one.login, one.is_bot])).toEqual([
      ['ann', false],
      [null, false],
      ['dependabot', true],
    ]);
    const csv = await ask(`${web}&table=actors&format=csv`);
    expect(csv.text.split('\r\n')[0]).toBe('login,is_bot,runs');
    const outcomes = body.branches[0];
    expect(outcomes).toMatchObject({ branch: 'main', runs: 11, failed: 2, cancelled: 1, other: 1, running: 2 });
    expect(body.run_hours.flat().reduce((sum: number, one: number) => sum + one, 0)).toBe(13);
  });

  test('reports unusual runs with what was expected, and changes that lasted', async () => {
    const { double, clock } = visit.service;
    const run = (id: number, took: number) => {
      const createdAt = clock.now() - (100 - id) * hour;
      double.putRun('octo/fork', { id, createdAt, startedAt: createdAt, updatedAt: createdAt + took });
    };
    for (let id = 1; id <= 60; id++) run(id, (id === 20 ? 60 : id > 40 ? 20 : 10) * minute + (id % 7) * 1000);
    const { body } = await ask(
      '/api/codehost/workflow-reliability?owner=octo&repo=fork&workflow_id=10051&per_page=100',
    );
    expect(body.level_shifts).toMatchObject([
      { metric: 'duration', direction: 'high', since: { number: 41 }, runs_before: 40, runs_after: 20 },
    ]);
    expect(body.anomalies.at(-1)).toMatchObject({
      run: { number: 20 },
      metric: 'duration',
      direction: 'high',
      severity: 'extreme',
      value_ms: 3_606_000,
      sample: 19,
      event: 'push',
      head_branch: 'main',
    });
    const { expected_ms, limit_ms } = body.anomalies.at(-1);
    expect([expected_ms > 10 * minute, expected_ms < limit_ms, limit_ms < hour]).toEqual([true, true, true]);
    const [duration, wait, ...more] = body.baselines;
    expect(more).toEqual([]);
    expect(duration).toMatchObject({ metric: 'duration', series: 'default_branch_push', runs: 60, sample: 20 });
    const { low_ms, median_ms, high_ms } = duration;
    expect([low_ms < 20 * minute, median_ms >= 20 * minute, median_ms < 21 * minute, high_ms > median_ms]).toEqual(
      Array(4).fill(true),
    );
    expect(wait).toMatchObject({ metric: 'queue_wait', median_ms: 0, low_ms: null, high_ms: minute });
  });

  test('has no baseline where nothing can be called unusual', async () => {
    const { body } = await ask(api);
    expect([body.runs_read, body.anomalies, body.level_shifts, body.baselines]).toEqual([7, [], [], []]);
  });

  test('a failing period that begins with the oldest run read may be longer', async () => {
    const { double, clock } = visit.service;
    for (let id = 1; id <= 3; id++)
      double.putRun('octo/fork', {
        id,
        createdAt: clock.now() - (9 - id) * hour,
        conclusion: id === 3 ? 'success' : 'failure',
      });
    const path = '/api/codehost/workflow-reliability?owner=octo&repo=fork&workflow_id=10051';
    const cut = (await ask(`${path}&per_page=2`)).body;
    expect(cut.recoveries).toMatchObject([{ failed: { number: 2 }, may_be_longer: true, duration_ms: hour }]);
    expect(measured(cut).ci_recovery).toEqual([null, 0]);
    const complete = (await ask(path)).body;
    expect(complete.recoveries).toMatchObject([{ failed: { number: 1 }, may_be_longer: false, duration_ms: 2 * hour }]);
    expect(measured(complete).ci_recovery).toEqual([2 * hour, 1]);
  });

  test('says since when commits were looked at', async () => {
    const { double, clock } = visit.service;
    for (const days of [1, 2, 40])
      double.putRun('octo/fork', { id: 100 - days, createdAt: clock.now() - days * 24 * hour });
    const since = async (perPage: number) => {
      const { body } = await ask(
        `/api/codehost/workflow-reliability?owner=octo&repo=fork&workflow_id=10051&per_page=${perPage}`,
      );
      return (clock.now() - Date.parse(body.flaky_since)) / (24 * hour);
    };
    expect([await since(1), await since(2), await since(3)]).toEqual([1, 2, 30]);
  });

  test('failures in a row are a lower bound where older runs may have failed too', async () => {
    const { double, clock } = visit.service;
    for (let id = 1; id <= 4; id++)
      double.putRun('octo/fork', { id, createdAt: clock.now() - (9 - id) * hour, conclusion: 'failure' });
    const query = 'owner=octo&repo=fork&workflow_id=10051';
    const streaks = async (perPage: number) => {
      const answers = await Promise.all([
        ask(`/api/codehost/workflow-reliability?${query}&per_page=${perPage}`),
        ask(`/api/codehost/workflow-health?${query}&per_page=${perPage}`),
      ]);
      const explained = await ask(`/api/explain?metric=failure_streak&${query}&per_page=${perPage}`);
      return [
        ...answers.flatMap(({ body }) =>
          body.measurements
            .filter(({ key }: Measured) => key === 'failure_streak')
            .map((one: Measured) => [one.value, one.lower_bound]),
        ),
        [explained.body.value, explained.body.partial],
      ];
    };
    expect(await streaks(2)).toEqual(Array(3).fill([2, true]));
    expect(await streaks(50)).toEqual(Array(3).fill([4, false]));
  });

  test('of a workflow that never ran, or of none, says so', async () => {
    const never = (await ask('/api/codehost/workflow-reliability?owner=octo&repo=web&workflow_id=7004')).body;
    expect(never).toMatchObject({ runs_read: 0, tips: [], recoveries: [], events: [], partial: false });
    expect(measured(never).wasted_queue).toEqual([null, 0]);
    expectProblem(await ask(`${web.replace('7001', '7101')}`), 404, 'not_found');
    expectProblem(await ask(api.replace('octo&repo=api', 'octo&repo=secret'), 'token-bo'), 404, 'not_found');
  });

  test.each([
    'anomalies',
    'recoveries',
    'events',
    'actors',
    'queue_histogram',
    'tips',
    'flaky_commits',
    'level_shifts',
    'baselines',
  ])('gives %s as CSV, with its header when there is none', async (table) => {
    const { body } = await ask(`${web}&table=${table}`);
    const { text } = await ask(`${web}&table=${table}&format=csv`);
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(body[table].length + 1);
    expect(lines[0]).toMatch(
      { anomalies: /run\.number,/, recoveries: /failed_at/, events: /^\ufeff?event,runs/ }[table] ?? /,/,
    );
  });
});

aDatabase((database) => {
  const stored = storedService(database);
  const ask = (path: string) => stored.service.ask('GET', path, { as: 'token-ann' });

  test('replaced attempts that are stored tell flakiness and recovery, for no request more', async () => {
    await stored.sync('owner=octo&repo=api');
    const { double } = stored.service;
    const { body } = await ask(api);
    expect(body).toMatchObject({
      earlier_attempts: 3,
      earlier_attempts_unknown: 0,
      partial: false,
      data_source: 'mixed',
    });
    expect(measured(body)).toMatchObject({
      ci_recovery: [15 * minute, 2],
      flaky_cost: [6 * minute, 2],
      flaky_rate: [null, 7],
      rerun_rate: [29, 7],
      failure_streak: [3, 7],
    });
    expect(numbers(body.recoveries)).toEqual([5205, 5204, 5203]);
    expect(body.flaky_commits).toMatchObject([
      { run: { number: 5204, attempt: 2 }, failed_attempts: 1, lost_ms: 2 * minute },
      { run: { number: 5203, attempt: 3 }, failed_attempts: 2, lost_ms: 4 * minute },
    ]);
    expect([body.attempts_with_jobs, body.attempts_without_jobs, body.flaky_jobs]).toEqual([0, 5, []]);
    const before = double.requests.length;
    await ask(api);
    expect(double.requests.length).toBe(before);
  });

  test('jobs that somebody looked at tell which job and step were flaky', async () => {
    const { double, clock } = stored.service;
    for (const attempt of [1, 2]) {
      const conclusion = attempt === 1 ? 'failure' : 'success';
      const at = clock.now() - hour;
      const times = { createdAt: at, startedAt: at, completedAt: at + minute };
      const steps = [aStep({ number: 1, name: 'unit tests', conclusion, startedAt: at, completedAt: at + minute })];
      double.putJobs('octo/api', 5204, attempt, [
        aJob({ id: 900 + attempt, runId: 5204, attempt, name: 'test', conclusion, steps, ...times }),
      ]);
      await ask(`/api/codehost/run-details?owner=octo&repo=api&run_id=5204&attempt=${attempt}`);
    }
    const { body } = await ask(api);
    expect(body.flaky_jobs).toEqual([{ job: 'test', step: 'unit tests', commits: 1, failures: 1, lost_ms: minute }]);
    expect([body.attempts_with_jobs, body.attempts_without_jobs]).toEqual([2, 3]);
  });

  test('what a number is made of is reported, attempt for attempt', async () => {
    const { body } = await ask(api.replace('/codehost/workflow-reliability?', '/explain?metric=ci_recovery&'));
    expect(body).toMatchObject({ value: 15 * minute, sample: 2 });
    expect(body.counted.map(({ label }: { label: string }) => label)).toEqual([
      'Failed with run 5204',
      'Failed with run 5203',
    ]);
    expect(body.left_out).toMatchObject([{ reason: 'not recovered yet', count: 1 }]);
  });

  test('old answers of the platform open neither stored attempts nor stored jobs', async () => {
    const { double, clock } = stored.service;
    for (const [id, conclusion] of [
      [5301, 'failure'],
      [5302, 'success'],
    ] as const) {
      const at = clock.now() - (5303 - id) * minute;
      const times = { createdAt: at, startedAt: at, completedAt: at + minute };
      double.putRun('octo/api', { ...times, id, workflowId: 7101, headSha: 'a'.repeat(40), conclusion });
      double.putJobs('octo/api', id, 1, [aJob({ id, runId: id, attempt: 1, name: 'build', conclusion, ...times })]);
      await ask(`/api/codehost/run-details?owner=octo&repo=api&run_id=${id}&attempt=1`);
    }
    clock.advance(6 * minute);
    const before = (await ask(api)).body;
    expect([before.earlier_attempts, before.attempts_with_jobs]).toEqual([3, 4]);
    clock.advance(6 * minute);
    double.fault({ path: /^\/repos\/octo\/api/, times: 100 }, { kind: 'status', status: 502 });
    const { status, body, headers } = await ask(api);
    expect([status, headers.get('x-stale')]).toEqual([200, 'true']);
    expect(body).toMatchObject({ earlier_attempts: 0, attempts_with_jobs: 0, flaky_jobs: [], partial: true });
    expect(body.flaky_commits).toMatchObject([{ run: { number: 5302 } }]);
  });
});
