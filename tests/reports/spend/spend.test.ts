import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Member, settle } from '../../access/personas.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { type Service, startService } from '../../support/service.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';
import { costlyRepository } from '../workflow-cost/costly-repository.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// biome-ignore lint/suspicious/noExplicitAny: figures are looked into freely.
type Row = Record<string, any>;

aDatabase((database) => {
  const visit = storedService(database, { RUNNER_LABELS: 'big=linux_8_core' });
  const { sync, ask } = visit;
  beforeEach(() => visit.anew());

  /** Jobs are stored when the costs of the workflow are opened. */
  const open = (runs = 50) =>
    visit.service.ask('GET', `/api/codehost/workflow-cost?owner=octo&repo=costly&workflow_id=9001&per_page=${runs}`, {
      as: 'token-ann',
    });
  const costly = 'repo=octo/costly';
  const explainForecast = async (query: string) =>
    (await visit.service.ask('GET', `/api/explain?metric=cost_forecast&${query}`, { as: 'token-ann' })).body;

  test('what CI costs by workflow, repository, runner and day, most expensive first', async () => {
    const run = costlyRepository(visit.service);
    run(1, { conclusion: 'failure' }, { minutes: 2.5 }, { minutes: 1, label: 'macos-15' });
    run(1, { attempt: 2, startedAt: visit.service.clock.now() - 4 * hour }, { minutes: 10, label: 'big' });
    run(2, { createdAt: visit.service.clock.now() - 3 * day }, { minutes: 100 }, { minutes: 5, label: 'unheard-of' });
    await sync('owner=octo&repo=costly');
    await open();
    const { body, headers } = await ask(`cost?${costly}`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    // 3 × 0.006 + 0.062 failed first; 10 × 0.022; 100 × 0.006.
    expect(body.totals).toEqual({
      cost_per_month: 0.9,
      wasted_per_month: 0.08,
      wasted_share: 9,
      cost_change_pct: null,
      wasted_change_pct: null,
      cost_sample: 2,
      completed_runs: 2,
      unknown_jobs: 1,
    });
    const workflow = { cost: 0.9, wasted: 0.08, cost_per_month: 0.9, wasted_per_month: 0.08, share_pct: 100 };
    const sample = { minutes: 119, cost_sample: 2, completed_runs: 2, unknown_jobs: 1, reason: null, partial: null };
    expect(body.rows).toEqual([{ name: 'CI', repo: 'octo/costly', workflow_id: 9001, ...workflow, ...sample }]);
    const rows = async (by: string) => (await ask(`cost?${costly}&by=${by}`)).body.rows;
    expect(await rows('repository')).toEqual([
      { name: 'octo/costly', repo: 'octo/costly', workflow_id: null, ...workflow, ...sample },
    ]);
    expect(
      (await rows('runner')).map(({ name, cost, wasted, minutes, unknown_jobs, reason }: Row) => [
        name,
        cost,
        wasted,
        minutes,
        unknown_jobs,
        reason,
      ]),
    ).toEqual([
      ['ubuntu-24.04', 0.62, 0.02, 103, 0, null],
      ['big', 0.22, 0, 10, 0, null],
      ['macos-15', 0.06, 0.06, 1, 0, null],
      ['unheard-of', null, 0, 5, 1, 'unknown_runner'],
    ]);
    const byDay = await rows('day');
    expect(byDay.map(({ name, cost, cost_sample }: Row) => [name, cost, cost_sample])).toEqual([
      ['2026-11-16', 0.3, 1],
      ['2026-11-13', 0.6, 1],
    ]);
    expect(body.days).toHaveLength(31);
    const ran = { cost_sample: 1, completed_runs: 1 };
    const days = [
      { date: '2026-11-13', cost: 0.6, wasted: 0, ...ran, unknown_jobs: 1, partial: false },
      { date: '2026-11-16', cost: 0.3, wasted: 0.08, ...ran, unknown_jobs: 0, partial: true },
    ];
    expect(body.days.filter(({ cost }: Row) => cost !== 0)).toEqual(days);
    const ofCi = (await ask(`workflows?${costly}`)).body.days;
    expect(ofCi.filter(({ cost }: Row) => cost !== 0)).toMatchObject(days);
    expect(body.days_before).toHaveLength(31);
    expect((await rows('runner&q=MACOS')).map(({ name, share_pct }: Row) => [name, share_pct])).toEqual([
      ['macos-15', (await rows('runner'))[2].share_pct],
    ]);
    expect(await rows('workflow&q=octo/COST')).toHaveLength(1);
    const none = (await ask(`cost?${costly}&q=nothing`)).body;
    expect([none.rows, none.totals, none.days]).toEqual([[], body.totals, body.days]);
    expectFields(await ask(`cost?${costly}&q=${'a'.repeat(101)}`), ['q', 'invalid']);
    const csv = (await ask(`cost?${costly}&by=runner&format=csv`)).text.split('\r\n');
    expect(csv[0]).toBe(
      'name,repo,workflow_id,cost,wasted,cost_per_month,wasted_per_month,share_pct,minutes,cost_sample,completed_runs,unknown_jobs,reason,partial',
    );
    expect(csv[1]).toMatch(/^ubuntu-24\.04,,,0\.62,/);
    const ci = (await ask(`workflows?${costly}`)).body.totals;
    for (const field of Object.keys(body.totals)) expect([field, ci[field]]).toEqual([field, body.totals[field]]);
  });

  test('skipped jobs and free runners do not make unknown ones cost $0', async () => {
    const run = costlyRepository(visit.service);
    const skipped = { conclusion: 'skipped', runnerName: null, runnerGroup: null };
    run(1, {}, { minutes: 0, parts: skipped }, { minutes: 5, label: 'unheard-of' });
    run(2, {}, { minutes: 9, label: 'self-hosted' });
    await sync('owner=octo&repo=costly');
    await open();
    for (const by of ['workflow', 'repository', 'day']) {
      const { rows, totals } = (await ask(`cost?${costly}&by=${by}`)).body;
      expect(totals).toMatchObject({ cost_per_month: null, wasted_per_month: 0, unknown_jobs: 1 });
      expect(rows).toMatchObject([{ cost: null, minutes: 14, unknown_jobs: 1, reason: 'unknown_runner' }]);
    }
    expect((await ask(`workflows?${costly}`)).body.totals.cost_per_month).toBeNull();
  });

  test('30 days are 30 × 24 hours, as on every page; its first day has the hours within them', async () => {
    const run = costlyRepository(visit.service);
    const from = visit.service.clock.now() - 30 * day;
    run(1, { createdAt: from - minute }, { minutes: 100 });
    // Before midnight of the team: on the day that they begin within.
    run(2, { createdAt: from + hour }, { minutes: 100 });
    run(3, { createdAt: from + 20 * hour }, { minutes: 100 });
    await sync('owner=octo&repo=costly');
    await open();
    const { body } = await ask(`cost?${costly}&by=day`);
    expect(body.totals).toMatchObject({ cost_per_month: 1.2, cost_sample: 2, completed_runs: 2 });
    expect((await ask(`workflows?${costly}`)).body.totals).toMatchObject({ runs: 2, cost_per_month: 1.2 });
    expect((await ask('overview?org=octo')).body.figures).toMatchObject({ failure_rate_sample: 2 });
    const half = { cost: 0.6, share_pct: 50, completed_runs: 1 };
    expect(body.rows).toEqual([
      expect.objectContaining({ name: '2026-10-18', partial: false, ...half }),
      expect.objectContaining({ name: '2026-10-17', partial: true, ...half }),
    ]);
    expect(body.days[0]).toMatchObject({ date: '2026-10-17', completed_runs: 1, partial: true });
    expect(body.days.at(-1)).toMatchObject({ date: '2026-11-16', completed_runs: 0, partial: true });
    for (const metric of ['monthly_cost', 'failure_rate', 'median_duration']) {
      const path = `/api/explain?metric=${metric}&owner=octo&repo=costly&range=30`;
      const { window, value } = (await visit.service.ask('GET', path, { as: 'token-ann' })).body;
      expect([metric, window, value]).toEqual([metric, body.window, expect.any(Number)]);
    }
  });

  test('runs without job data are counted, not guessed; there is no forecast from a part', async () => {
    const run = costlyRepository(visit.service);
    for (let id = 1; id <= 4; id++) run(id, { createdAt: visit.service.clock.now() - id * day }, { minutes: 100 });
    await sync('owner=octo&repo=costly');
    const before = (await ask(`cost?${costly}`)).body;
    expect(before.rows[0]).toMatchObject({ cost: null, minutes: null, cost_sample: 0, reason: 'no_job_data' });
    expect(before.forecast).toMatchObject({ spent: null, expected: null, low: null, high: null });
    await open(1);
    const { totals, forecast, days } = (await ask(`cost?${costly}`)).body;
    expect(totals).toMatchObject({ cost_per_month: 0.6, cost_sample: 1, completed_runs: 4 });
    expect(forecast).toMatchObject({
      expected: null,
      spent: 0.6,
      missing: 'Needs job data for 95 % of runs; 25 % have it.',
    });
    expect(days.filter(({ cost }: Row) => cost === null)).toHaveLength(3);
    expect(days.filter(({ cost }: Row) => cost === 0.6)).toHaveLength(1);
    const { counted, left_out } = await explainForecast('owner=octo&repo=costly');
    expect(counted).toHaveLength(25);
    expect(left_out).toMatchObject([{ reason: 'no run of which all jobs are stored', count: 3 }]);
    expect(left_out[0].items.map(({ value }: Row) => value)).toEqual([null, null, null]);
  });

  test('the month is forecast from its days, once those are known', async () => {
    const run = costlyRepository(visit.service);
    // Monday, 16 November, in Saigon: every day of the last 28 costs 0.60.
    for (let id = 1; id <= 28; id++) run(id, { createdAt: visit.service.clock.now() - id * day }, { minutes: 100 });
    await sync('owner=octo&repo=costly');
    await open();
    const { forecast } = (await ask(`cost?${costly}&range=7`)).body;
    expect(forecast).toMatchObject({
      month: '2026-11',
      spent: 9,
      expected: 18,
      low: 18,
      high: 18,
      sample_days: 28,
      missing: null,
    });
    const opened = await explainForecast('owner=octo&repo=costly&range=7');
    expect(opened).toMatchObject({ value: 18, sample: 28, unit: 'usd', interval: { low: 18, high: 18 } });
    expect(opened.counted.map(({ label, value }: Row) => [label, value])).toContainEqual(['2026-11-15', 0.6]);
    expect(await explainForecast('org=octo')).toMatchObject({ value: 18, coverage: { read: 1, expected: 10 } });
  });

  test('a job without a known price withholds the forecast, and what is spent where nothing is priced', async () => {
    const run = costlyRepository(visit.service);
    const { clock } = visit.service;
    const unknown = { minutes: 5, label: 'unheard-of' };
    const forecast = async () => {
      await sync('owner=octo&repo=costly');
      await open();
      return (await ask(`cost?${costly}&range=7`)).body.forecast;
    };
    const none = { expected: null, low: null, high: null };
    for (let id = 17; id <= 28; id++) run(id, { createdAt: clock.now() - id * day }, { minutes: 100 });
    run(16, { createdAt: clock.now() - day }, unknown);
    const missing = (jobs: string) => `${jobs} without a known price since 2026-10-19.`;
    expect(await forecast()).toMatchObject({ ...none, sample_days: 27, spent: null, missing: missing('1 job') });
    const { counted, left_out } = await explainForecast('owner=octo&repo=costly');
    expect(counted.filter(({ value }: Row) => value === 0.6)).toHaveLength(12);
    expect(left_out).toMatchObject([
      { reason: 'jobs without a known price', count: 1, items: [{ label: '2026-11-15', value: null }] },
    ]);
    run(15, { createdAt: clock.now() - day }, { minutes: 100 }, unknown);
    clock.advance(hour);
    expect(await forecast()).toMatchObject({ ...none, spent: 0.6, missing: missing('2 jobs') });
  });

  test('days that were not read are left out of the forecast, and cost nobody knows what', async () => {
    const run = costlyRepository(visit.service);
    const { clock } = visit.service;
    run(1, { createdAt: clock.now() - day }, { minutes: 100 });
    await sync('owner=octo&repo=costly');
    await open();
    await visit.service.app.services.store?.queue.executeSql(
      `update sync_cursors set backfilled_to = to_timestamp($1::float8 / 1000) where kind = 'runs'`,
      [clock.now() - 10 * day],
    );
    const { counted, left_out } = await explainForecast('owner=octo&repo=costly');
    // It was read from noon on the tenth day before.
    expect(counted.map(({ label }: Row) => label).sort()).toEqual(
      Array.from({ length: 9 }, (_, index) => `2026-11-${String(index + 7).padStart(2, '0')}`),
    );
    expect(left_out).toMatchObject([{ reason: 'not every run is synced', count: 19 }]);
    expect(left_out[0].items.map(({ value }: Row) => value)).toEqual(Array(19).fill(null));
    const { forecast } = (await ask(`cost?${costly}`)).body;
    expect(forecast).toMatchObject({ expected: null, sample_days: 9, missing: expect.stringContaining('is synced') });
  });

  test('wrong questions are rejected by the name of what is wrong', async () => {
    expectFields(await ask('cost?by=branch&range=14'), ['range', 'invalid'], ['by', 'invalid']);
    expectFields(await ask('cost?repo=web&org=-a'), ['org', 'invalid'], ['repo', 'invalid']);
    expectProblem(await ask('cost?repo=octo/nothing'), 404, 'not_found');
  });

  test('ask the platform for nothing but what the caller may see, and show nothing else', async () => {
    const { double, clock } = visit.service;
    const run = costlyRepository(visit.service);
    run(1, {}, { minutes: 1 });
    await sync('owner=octo&repo=costly');
    clock.advance(16 * minute);
    double.requests.length = 0;
    expect((await ask('cost?org=octo')).body.repos_included).toBe(1);
    expect(besidesTokenCheck(double.requests).map(({ operation }) => operation)).toEqual(['repos/list-for-org']);
    expect((await ask('cost?org=octo', 'token-bo')).body).toMatchObject({ repos_included: 0, rows: [] });
    expectProblem(await ask(`cost?${costly}`, 'token-bo'), 404, 'not_found');
  });
});

describe('in an organization', () => {
  let service: Service;
  let tokens: Awaited<ReturnType<typeof settle>>;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    tokens = await settle(service);
  });
  afterAll(() => service.close());

  test('cost is for those to whom it is granted', async () => {
    const ask = (kind: Member) => service.ask('GET', '/api/db/cost?org=octo', { as: tokens[kind] });
    expect((await ask('in pm')).status).toBe(200);
    const denied = await ask('in dev');
    expectProblem(denied, 403, 'forbidden');
    expect(denied.body.flag).toBe('costAnalytics');
    expectProblem(await ask('in no group'), 403, 'no_groups');
  });
});

test('without a database cost is 503, before anything is requested from the platform', async () => {
  const service = await startService();
  await service.signIn('token-ann');
  service.double.requests.length = 0;
  expectProblem(await service.ask('GET', '/api/db/cost', { as: 'token-ann' }), 503, 'db_not_configured');
  expect(service.double.requests).toEqual([]);
  await service.close();
});
