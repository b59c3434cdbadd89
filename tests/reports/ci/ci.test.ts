import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Member, settle } from '../../access/personas.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { eachDatabase } from '../../support/database.ts';
import { type Service, startService } from '../../support/service.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';
import { costlyRepository } from '../workflow-cost/costly-repository.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Row {
  repo: string;
  workflow_id: number;
  // biome-ignore lint/suspicious/noExplicitAny: figures are looked into freely.
  [figure: string]: any;
}
const idsOf = ({ body }: { body: { workflows: Row[] } }) => body.workflows.map(({ workflow_id }) => workflow_id);

eachDatabase((database) => {
  const visit = storedService(database, { CODEHOST_WEB_URL: 'https://codehost.example' });
  const { sync, ask } = visit;
  beforeAll(async () => {
    await sync('owner=octo&repo=web');
    await sync('owner=octo&repo=secret');
  });

  describe('workflows of stored runs', () => {
    test('have the figures of the runs of thirty days', async () => {
      const { body, headers } = await ask('workflows?org=octo');
      expect(body).toMatchObject({
        org: 'octo',
        repo: null,
        range: '30',
        compare: 'previous',
        sort: 'cost',
        window: { from: '2026-10-17T10:02:00.000Z', to: '2026-11-16T10:02:00.000Z' },
        comparison: { from: '2026-09-17T10:02:00.000Z', to: '2026-10-17T10:01:59.999Z' },
        repos_included: 2,
        repos_visible: 9,
        synced_through: '2026-11-16T09:59:00.000Z',
        partial: false,
        withheld: [],
        timezone: 'Asia/Saigon',
        data_source: 'database',
      });
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(body.workflows[0]).toEqual({
        repo: 'octo/web',
        workflow_id: 7001,
        workflow: 'CI',
        // Of twelve two have not ended, one was cancelled and one skipped.
        runs: 12,
        completed_runs: 10,
        median_ms: 120_000,
        p90_ms: 6_564_000,
        duration_sample: 8,
        change_pct: null,
        failure_rate: 25,
        failed_runs: 2,
        failure_rate_sample: 8,
        failure_rate_change: null,
        cancelled_share: 10,
        cancelled_runs: 1,
        cancelled_share_sample: 10,
        queue_wait_ms: 0,
        queue_wait_p90_ms: 6_000,
        queue_wait_sample: 10,
        run_time_ms: 22_680_000,
        run_time_sample: 10,
        flaky_rate: null,
        flaky_commits: 1,
        flaky_sample: 8,
        reruns_unread: 0,
        // None of its jobs is stored.
        cost_per_month: null,
        wasted_per_month: null,
        cost_sample: 0,
        unknown_jobs: 0,
        partial: false,
        comparable: true,
        p90_change_pct: null,
        queue_wait_change_pct: null,
        run_time_change_pct: null,
        cost_change_pct: null,
        wasted_change_pct: null,
        median_verdict: 'not_enough_data',
        p90_verdict: 'not_enough_data',
        failure_rate_verdict: 'not_enough_data',
        queue_wait_verdict: 'not_enough_data',
      });
      expect(body.totals).toMatchObject({ runs: 14, failure_rate: 30, failure_rate_sample: 10, cost_per_month: null });
    });

    test('and every day of the window, cut in the team’s zone', async () => {
      const { body } = await ask('workflows?org=octo&range=7');
      expect(body.days.map(({ date, runs }: Row) => [date, runs])).toEqual([
        ['2026-11-09', 0],
        ['2026-11-10', 0],
        ['2026-11-11', 0],
        ['2026-11-12', 0],
        ['2026-11-13', 0],
        ['2026-11-14', 2],
        ['2026-11-15', 1],
        ['2026-11-16', 7],
      ]);
      expect(body.days[0]).toMatchObject({ median_ms: null, failure_rate: null, queue_wait_ms: null, run_time_ms: 0 });
      expect(body.days.map(({ partial }: Row) => partial)).toEqual([true, ...Array(6).fill(false), true]);
      expect(body.days[6]).toMatchObject({ median_ms: 21_600_000, p90_ms: 21_600_000 });
      const quarter = (await ask('workflows?org=octo&range=quarter&compare=year')).body;
      expect([quarter.days[0].date, quarter.days.length]).toEqual(['2026-10-01', 47]);
      expect(quarter.comparison).toEqual({ from: '2025-09-30T17:00:00.000Z', to: '2025-11-16T10:02:00.000Z' });
      expect((await ask('workflows?org=octo&compare=off')).body.comparison).toBeNull();
    });

    test('and those from one day to another, both included, or up to now', async () => {
      const { body } = await ask('workflows?org=octo&range=2026-11-14..2026-11-15');
      expect(body.range).toBe('2026-11-14..2026-11-15');
      expect(body.window).toEqual({ from: '2026-11-13T17:00:00.000Z', to: '2026-11-15T16:59:59.999Z' });
      expect(body.comparison).toEqual({ from: '2026-11-11T17:00:00.001Z', to: '2026-11-13T16:59:59.999Z' });
      expect(body.days.map(({ date, runs }: Row) => [date, runs])).toEqual([
        ['2026-11-14', 2],
        ['2026-11-15', 1],
      ]);
      const running = await ask('workflows?org=octo&range=2026-11-10..2026-12-31');
      expect(running.body.window).toEqual({ from: '2026-11-09T17:00:00.000Z', to: '2026-11-16T10:02:00.000Z' });
      expectFields(await ask('workflows?org=octo&range=2026-11-17..2026-11-20'), ['range', 'invalid']);
    });

    test('are those of one repository where one is named, in any spelling', async () => {
      const { body } = await ask('workflows?repo=Octo/WEB');
      expect(idsOf({ body })).toEqual([7001, 7002]);
      expect(body).toMatchObject({ org: null, repo: 'Octo/WEB', repos_included: 1, repos_visible: 1 });
      expect(idsOf(await ask('workflows?org=octo&repo=octo/secret'))).toEqual([]);
    });

    test('are those of every repository of one’s own where nothing is named', async () => {
      expect(idsOf(await ask('workflows'))).toEqual([7001, 7002]);
    });

    test('a repository that was never synchronized has none, which is no quiet window', async () => {
      const { body } = await ask('workflows?repo=octo/api');
      expect(body).toMatchObject({ workflows: [], repos_included: 0, synced_through: null, partial: true });
      expect(new Set(body.days.map(({ runs }: Row) => runs))).toEqual(new Set([null]));
    });

    test('can be had as a table', async () => {
      const { text } = await ask('workflows?org=octo&format=csv');
      const [head, first] = text.split('\r\n');
      expect(head).toMatch(/^repo,workflow_id,workflow,runs,median_ms,p90_ms,duration_sample,change_pct,failure_rate,/);
      expect(first).toMatch(/^octo\/web,7001,CI,12,120000,6564000,8,,25,2,8,/);
      const days = (await ask('workflows?org=octo&range=7&table=days&format=csv')).text.split('\r\n');
      expect(days[0]).toBe(
        'date,runs,median_ms,p90_ms,failure_rate,queue_wait_ms,run_time_ms,partial,cost,wasted,cost_sample,completed_runs,unknown_jobs',
      );
      expect(days[7]).toMatch(/^2026-11-15,1,21600000,21600000,/);
    });

    test('wrong questions are rejected by the name of what is wrong', async () => {
      expectFields(await ask('workflows?repo=web'), ['repo', 'invalid']);
      expectFields(await ask('workflows?range=14&sort=price'), ['range', 'invalid'], ['sort', 'invalid']);
      expectFields(await ask('workflows?compare=never&org=-a'), ['org', 'invalid'], ['compare', 'invalid']);
      expectProblem(await ask('workflows?repo=octo/nothing'), 404, 'not_found');
    });

    test('ask the platform for nothing but what the caller may see', async () => {
      const { double, clock } = visit.service;
      for (const [query, operation] of [
        ['org=octo', 'repos/list-for-org'],
        ['repo=octo/web', 'repos/get'],
        ['', 'repos/list-for-authenticated-user'],
      ] as const) {
        clock.advance(16 * minute);
        double.requests.length = 0;
        expect((await ask(`workflows?${query}`)).status).toBe(200);
        const sent = besidesTokenCheck(double.requests).map((one) => one.operation);
        expect([query, new Set(sent)]).toEqual([query, new Set([operation])]);
        expect(sent.length).toBeLessThanOrEqual(query ? 1 : 3);
      }
    });

    test('are for those who see the repository now', async () => {
      const rows = (as: string) => ask('workflows?org=octo', as);
      expect((await rows('token-ann')).body.repos_included).toBe(2);
      expect((await rows('token-bo')).body.repos_included).toBe(1);
      expectProblem(await ask('workflows?repo=octo/secret', 'token-bo'), 404, 'not_found');
      expectProblem(await ask('workflows?org=sealed', 'token-ann-two'), 403, 'sso_required');
      visit.service.double.removeAccess('octo/web', 'bo');
      visit.service.clock.advance(5 * minute);
      expect((await rows('token-bo')).body).toMatchObject({ repos_included: 0, workflows: [] });
      visit.service.double.reset();
    });

    test('are held back while the platform cannot be asked who sees them', async () => {
      visit.service.clock.advance(5 * minute);
      visit.service.double.fault({ path: /^\/(repos|orgs)\//, times: 99 }, { kind: 'status', status: 502 });
      for (const query of ['org=octo', 'repo=octo/web'])
        expectProblem(await ask(`workflows?${query}`), 503, 'authz_unavailable');
      visit.service.double.reset();
      visit.service.clock.advance(minute);
    });

    test.each(['median_duration', 'p90_duration', 'failure_rate', 'cancelled_share'])(
      '%s opens the runs behind it',
      async (metric) => {
        const { totals } = (await ask('workflows?org=octo')).body;
        const path = `/api/explain?metric=${metric}&org=octo`;
        const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
        const shown = { median_duration: 'median_ms', p90_duration: 'p90_ms' };
        expect(body.value).toBe(totals[shown[metric as keyof typeof shown] ?? metric]);
        const sample = metric === 'cancelled_share' ? 12 : 10;
        expect([body.sample, body.counted.length]).toEqual([sample, sample]);
        expect(body.counted[0]).toMatchObject({ url: expect.stringContaining('/octo/web/actions/runs/') });
        expect(body.left_out.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(14 - sample);
        const own = await visit.service.ask('GET', `${path.replace('org=octo', 'owner=octo&repo=web')}&range=7`, {
          as: 'token-bo',
        });
        expect([own.body.sample, own.body.data_source]).toEqual([sample, 'database']);
      },
    );

    test.each([
      ['scope_queue_wait', 'queue_wait_ms', 'queue_wait_sample'],
      ['total_run_time', 'run_time_ms', 'run_time_sample'],
      ['scope_runs', 'runs', 'runs'],
    ])('%s opens the runs of the window', async (metric, field, sample) => {
      const open = async (range: string) =>
        (await visit.service.ask('GET', `/api/explain?metric=${metric}&org=octo&range=${range}`, { as: 'token-ann' }))
          .body;
      for (const range of ['7', '30', '90']) {
        const { totals } = (await ask(`workflows?org=octo&range=${range}`)).body;
        const body = await open(range);
        expect([body.value, body.sample]).toEqual([totals[field], totals[sample]]);
        expect(body.counted).toHaveLength(totals[sample]);
      }
      // Of what was never read nothing is known.
      expect((await open('2025-01-01..2025-02-01')).value).toBeNull();
    });

    test.each([
      ['median_duration', 'median_ms', 'duration_sample'],
      ['p90_duration', 'p90_ms', 'duration_sample'],
      ['failure_rate', 'failure_rate', 'failure_rate_sample'],
      ['cancelled_share', 'cancelled_share', 'cancelled_share_sample'],
      ['scope_queue_wait', 'queue_wait_ms', 'queue_wait_sample'],
      ['total_run_time', 'run_time_ms', 'run_time_sample'],
      ['scope_runs', 'runs', 'runs'],
    ])('%s of one workflow opens its runs alone', async (metric, field, sample) => {
      const { workflows } = (await ask('workflows?repo=octo/web')).body as { workflows: Row[] };
      expect(workflows.length).toBeGreaterThan(1);
      for (const one of workflows) {
        const path = `/api/explain?metric=${metric}&owner=octo&repo=web&workflow_id=${one.workflow_id}`;
        const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
        expect(body).toMatchObject({ value: one[field], sample: one[sample], coverage: null });
        expect(body.label).toMatch(new RegExp(`: ${one.workflow}$`));
        expect(body.counted).toHaveLength(one[sample]);
        for (const { label } of body.counted) expect(label).toContain(`octo/web: ${one.workflow} #`);
      }
    });
  });
});

aDatabase((database) => {
  const visit = storedService(database, { RUNNER_LABELS: 'big=linux_8_core' });
  const { sync, ask } = visit;
  beforeEach(() => visit.anew());

  const cost = (more = '') =>
    visit.service.ask('GET', `/api/codehost/workflow-cost?owner=octo&repo=costly&workflow_id=9001${more}`, {
      as: 'token-ann',
    });

  test('cost, waste, wait and flakiness are those of the workflow’s own page', async () => {
    const { clock } = visit.service;
    const run = costlyRepository(visit.service);
    const cancelled = { conclusion: 'cancelled', headBranch: 'topic' };
    run(1, { conclusion: 'failure' }, { minutes: 2.5 }, { minutes: 1, label: 'macos-15' });
    run(1, { attempt: 2, startedAt: clock.now() - 4 * hour }, { minutes: 2 }, { minutes: 3, label: 'big' });
    run(2, cancelled, { minutes: 8, parts: { conclusion: 'cancelled' } });
    run(3, { headBranch: 'topic', createdAt: clock.now() - 5 * hour + 5 * minute }, { minutes: 30 });
    for (let id = 10; id < 20; id++) run(id, { headSha: `${id}`.padEnd(40, 'a') }, { minutes: 1 });
    await sync('owner=octo&repo=costly');
    const before = (await ask('workflows?repo=octo/costly')).body;
    expect(before.workflows[0]).toMatchObject({ cost_per_month: null, cost_sample: 0, completed_runs: 13 });
    const { body } = await cost();
    const after = (await ask('workflows?repo=octo/costly')).body;
    expect(after.workflows[0]).toMatchObject({
      cost_per_month: body.total.est_cost,
      wasted_per_month: body.wasted_cost,
      cost_sample: 13,
      unknown_jobs: 0,
    });
    expect([body.total.est_cost, body.wasted_cost]).toEqual([0.45, 0.13]);
    expect(after.totals).toMatchObject({ cost_per_month: 0.45, wasted_per_month: 0.13, wasted_share: 29 });
    // A week is a quarter of a month, nearly.
    expect((await ask('workflows?repo=octo/costly&range=7')).body.totals.cost_per_month).toBe(1.91);
    expect((await ask('workflows?repo=octo/costly&range=90')).body.totals.cost_per_month).toBe(0.15);
    // Of the 47 days of the quarter 17 hours of the last one have gone by.
    expect((await ask('workflows?repo=octo/costly&range=quarter')).body.totals.cost_per_month).toBe(0.29);
    // The file rounds no rate for the eye: one cancelled of thirteen.
    expect(after.workflows[0].cancelled_share).toBe(8);
    const [head = '', row = ''] = (await ask('workflows?repo=octo/costly&format=csv')).text.split('\r\n');
    expect(row.split(',')[head.split(',').indexOf('cancelled_share')]).toBe('7.6923');
    const query = 'owner=octo&repo=costly&workflow_id=9001&per_page=100';
    const shown = async (operation: string) =>
      (await visit.service.ask('GET', `/api/codehost/${operation}?${query}`, { as: 'token-ann' })).body.measurements;
    const measured = [...(await shown('workflow-health')), ...(await shown('workflow-reliability'))];
    const read = (key: string) => measured.find((one: Row) => one.key === key).value;
    expect(after.workflows[0]).toMatchObject({
      failure_rate: 100 - read('success_rate'),
      queue_wait_ms: read('queue_wait'),
      queue_wait_p90_ms: read('p90_queue_wait'),
      flaky_rate: read('flaky_rate'),
    });
    for (const [metric, amount] of [
      ['monthly_cost', 0.45],
      ['wasted_monthly_cost', 0.13],
    ]) {
      const path = `/api/explain?metric=${metric}&owner=octo&repo=costly`;
      const explained = (await visit.service.ask('GET', path, { as: 'token-ann' })).body;
      expect(explained).toMatchObject({
        value: amount,
        sample: 1,
        counted: [{ note: '13 of 13 completed runs with stored jobs' }],
      });
      const { workflow_id: id, workflow } = after.workflows[0];
      const own = (await visit.service.ask('GET', `${path}&workflow_id=${id}`, { as: 'token-ann' })).body;
      expect(own).toMatchObject({ value: amount, sample: 1, label: `${explained.label}: ${workflow}` });
      const other = (await visit.service.ask('GET', `${path}&workflow_id=1`, { as: 'token-ann' })).body;
      expect(other).toMatchObject({ value: null, sample: 0, counted: [] });
    }
  });

  test('runs whose jobs are not stored are counted, and their cost is not guessed', async () => {
    const run = costlyRepository(visit.service);
    for (let id = 1; id <= 4; id++) run(id, {}, { minutes: 10 });
    await sync('owner=octo&repo=costly');
    await cost('&per_page=1');
    const { totals, workflows } = (await ask('workflows?repo=octo/costly')).body;
    expect(workflows[0]).toMatchObject({ cost_per_month: 0.06, cost_sample: 1, completed_runs: 4 });
    expect(totals).toMatchObject({ cost_per_month: 0.06, cost_sample: 1, completed_runs: 4, cost_change_pct: null });
    visit.service.clock.advance(hour);
    run(5, {}, { minutes: 10, label: 'unheard-of' });
    await sync('owner=octo&repo=costly');
    await cost('&per_page=1');
    expect((await ask('workflows?repo=octo/costly')).body.totals).toMatchObject({
      cost_per_month: 0.06,
      cost_sample: 2,
      unknown_jobs: 1,
    });
  });

  test('a median is compared with the window before, once there are ten runs in both and all of them are stored', async () => {
    const { clock } = visit.service;
    const run = costlyRepository(visit.service);
    const lasting = (id: number, age: number, minutes: number, conclusion = 'success') =>
      run(
        id,
        { createdAt: clock.now() - age, updatedAt: clock.now() - age + minutes * minute, conclusion },
        { minutes },
      );
    for (let id = 1; id <= 10; id++) lasting(id, 40 * day + id * hour, 4, id <= 5 ? 'failure' : 'success');
    for (let id = 11; id <= 19; id++) lasting(id, 5 * day + id * hour, 6);
    await sync('owner=octo&repo=costly');
    const figures = async (more = '') => (await ask(`workflows?repo=octo/costly${more}`)).body.workflows[0];
    expect(await figures()).toMatchObject({
      comparable: true,
      change_pct: null,
      failure_rate_change: null,
      duration_sample: 9,
    });
    await cost('&per_page=50');
    const { totals: few } = (await ask('workflows?repo=octo/costly')).body;
    expect(few).toMatchObject({ cost_sample: 9, completed_runs: 9, cost_change_pct: null });
    clock.advance(hour);
    lasting(20, 2 * day, 6);
    await sync('owner=octo&repo=costly');
    expect(await figures()).toMatchObject({ change_pct: 50, failure_rate_change: -50, duration_sample: 10 });
    expect(await figures('&compare=off')).toMatchObject({ change_pct: null, failure_rate_change: null });
    expect(await figures('&compare=year')).toMatchObject({ change_pct: null });
    // Ninety days before ninety days nothing was read.
    expect(await figures('&range=90')).toMatchObject({ comparable: false, change_pct: null, runs: 20, partial: false });
    await cost('&per_page=50');
    const { totals } = (await ask('workflows?repo=octo/costly')).body;
    expect(totals).toMatchObject({ change_pct: 50, failure_rate_change: -50, cost_change_pct: 50 });
    const changes = { p90_change_pct: 50, run_time_change_pct: 50, queue_wait_change_pct: null };
    // Nothing was wasted before.
    expect(totals).toMatchObject({ ...changes, wasted_change_pct: null });
    expect(await figures()).toMatchObject({ ...changes, cost_change_pct: 50, wasted_change_pct: null });
    const spend = (await ask('cost?repo=octo/costly')).body;
    expect(spend.days_before).toHaveLength(31);
    const costs = spend.days_before.map(({ cost }: { cost: number | null }) => Math.round(100 * (cost ?? 0)));
    expect(costs.reduce((sum: number, cents: number) => sum + cents, 0)).toBe(24);
    expect((await ask('cost?repo=octo/costly&compare=off')).body.days_before).toBeNull();
  });

  test('what is most comes first, what is not known last', async () => {
    const { clock } = visit.service;
    await sync('owner=octo&repo=web');
    const run = costlyRepository(visit.service);
    run(1, {}, { minutes: 3 });
    run(2, { createdAt: clock.now() - hour, updatedAt: clock.now() - hour + 2 * minute }, { minutes: 1 });
    await sync('owner=octo&repo=costly');
    await cost();
    const sorted = async (sort: string) => idsOf(await ask(`workflows?org=octo&sort=${sort}`));
    expect(await sorted('cost')).toEqual([9001, 7001, 7002]);
    expect(await sorted('run_time')).toEqual([7001, 9001, 7002]);
    expect(await sorted('runs')).toEqual([7001, 9001, 7002]);
    expect(await sorted('failure_rate')).toEqual([7002, 7001, 9001]);
    expect(await sorted('name')).toEqual([9001, 7001, 7002]);
    expect(await sorted('failure_rate&direction=asc')).toEqual([9001, 7001, 7002]);
    expect(await sorted('name&direction=desc')).toEqual([7002, 7001, 9001]);
    expect(await sorted('cost&direction=asc')).toEqual([9001, 7001, 7002]);
    expect((await ask('workflows?org=octo&sort=name')).body.direction).toBe('asc');
  });

  test('a name narrows the rows and their file, not the totals', async () => {
    await sync('owner=octo&repo=web');
    costlyRepository(visit.service)(1, {}, { minutes: 3 });
    await sync('owner=octo&repo=costly');
    const all = (await ask('workflows?org=octo&sort=name')).body;
    const named = async (q: string) => (await ask(`workflows?org=octo&sort=name&${new URLSearchParams({ q })}`)).body;
    const deploy = await named(' dEPLoy ');
    expect(idsOf({ body: deploy })).toEqual([7002]);
    expect([deploy.totals, deploy.days]).toEqual([all.totals, all.days]);
    expect(idsOf({ body: await named('octo/WEB') })).toEqual([7001, 7002]);
    for (const [q, rows] of [
      ['', 3],
      ['nothing-like-it', 0],
      ["'; drop table workflow_runs; --", 0],
      ['%', 0],
      ['.*', 0],
    ] as const)
      expect((await named(q)).workflows, q).toHaveLength(rows);
    const csv = (await ask('workflows?org=octo&q=deploy&format=csv')).text.trim().split('\r\n');
    expect(csv.map((line) => line.split(',')[1])).toEqual(['workflow_id', '7002']);
    expectFields(await ask(`workflows?org=octo&q=${'a'.repeat(101)}`), ['q', 'invalid']);
    expectFields(await ask('workflows?org=octo&q=%00'), ['q', 'invalid']);
  });
});

describe('in an organization', () => {
  let service: Service;
  let tokens: Awaited<ReturnType<typeof settle>>;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
    tokens = await settle(service);
    const run = costlyRepository(service, { private: false, visibility: 'public' });
    run(1, {}, { minutes: 3, label: 'macos-15-xlarge' });
    const as = tokens['in admin'];
    await service.ask('POST', '/api/db/sync?owner=octo&repo=costly', { as });
    await service.ask('GET', '/api/codehost/workflow-cost?owner=octo&repo=costly&workflow_id=9001', { as });
  });
  afterAll(() => service.close());

  const ask = (kind: Member, path: string) => service.ask('GET', `/api/${path}`, { as: tokens[kind] });

  test('cost is withheld, by name, from those who may not see it', async () => {
    const seen = (await ask('in pm', 'db/workflows?repo=octo/costly')).body;
    expect(seen.totals).toMatchObject({ cost_per_month: 0.31, cost_sample: 1 });
    expect(seen.withheld).toEqual([]);
    const { body } = await ask('in dev', 'db/workflows?repo=octo/costly&sort=wasted');
    const nothing = { cost_per_month: null, wasted_per_month: null, cost_sample: null, unknown_jobs: null };
    expect(body.totals).toMatchObject({ ...nothing, cost_change_pct: null, wasted_share: null, runs: 1 });
    expect(body.workflows[0]).toMatchObject({ ...nothing, runs: 1 });
    const unpriced = { cost: null, wasted: null, cost_sample: null, unknown_jobs: null };
    const [ran, ...others] = body.days.filter(({ completed_runs: runs }: Row) => runs > 0);
    expect([ran, others]).toMatchObject([{ ...unpriced, completed_runs: 1 }, []]);
    expect(body.sort).toBe('run_time');
    expect(body.withheld).toEqual([
      {
        feature: 'costAnalytics',
        fields: [
          'cost_per_month',
          'wasted_per_month',
          'cost_sample',
          'unknown_jobs',
          'cost_change_pct',
          'wasted_change_pct',
          'wasted_share',
          'cost',
          'wasted',
        ],
      },
    ]);
    expectProblem(await ask('in dev', 'explain?metric=monthly_cost&org=octo'), 403, 'forbidden');
    expect((await ask('in dev', 'explain?metric=median_duration&org=octo')).status).toBe(200);
  });

  test('those who may not see stored runs see no workflows', async () => {
    const answer = await ask('in security', 'db/workflows?org=octo');
    expectProblem(answer, 403, 'forbidden');
    expect(answer.body.flag).toBe('reports');
    expectProblem(await ask('in no group', 'db/workflows?org=octo'), 403, 'no_groups');
  });
});

test('without a database the workflows are 503, before anything is requested from the platform', async () => {
  const service = await startService();
  await service.signIn('token-ann');
  service.double.requests.length = 0;
  for (const query of ['', '?org=octo', '?repo=octo/web'])
    expectProblem(await service.ask('GET', `/api/db/workflows${query}`, { as: 'token-ann' }), 503, 'db_not_configured');
  expect(service.double.requests).toEqual([]);
  await service.close();
});
