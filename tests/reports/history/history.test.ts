import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';

interface Run {
  id: number;
  conclusion: string | null;
}
const idsOf = (answer: { body: { runs: Run[] } }) => answer.body.runs.map(({ id }) => id);

aDatabase((database) => {
  const visit = storedService(database, { CODEHOST_WEB_URL: 'https://codehost.example' });
  const { sync, ask } = visit;
  beforeAll(async () => {
    await sync('owner=octo&repo=web');
    await sync('owner=octo&repo=secret');
  });

  describe('stored runs', () => {
    test('are listed newest first, with how many there are and up to when they were read', async () => {
      const answer = await ask('runs?owner=OCTO&repo=Web&limit=3');
      expect(idsOf(answer)).toEqual([5013, 5012, 5011]);
      expect(answer.body).toMatchObject({ total: 15, limit: 3, offset: 0, synced_through: '2026-11-16T09:59:00.000Z' });
      expect(answer.body.runs[2]).toEqual({
        id: 5011,
        repo: 'octo/web',
        workflow_id: 7001,
        workflow_name: 'CI',
        run_number: 5011,
        run_attempt: 1,
        status: 'completed',
        conclusion: 'success',
        event: 'push',
        head_branch: 'main',
        actor: 'ann',
        head_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        created_at: '2026-11-16T09:00:00.000Z',
        run_started_at: '2026-11-16T09:00:00.000Z',
        updated_at: '2026-11-16T09:02:00.000Z',
        completed_at: '2026-11-16T09:02:00.000Z',
        duration_ms: 120_000,
        queue_wait_ms: 0,
        html_url: 'https://codehost.example/octo/web/actions/runs/5011',
        synced_at: '2026-11-16T10:01:00.000Z',
      });
    });

    test('pages meet without gap or overlap', async () => {
      const all = idsOf(await ask('runs?owner=octo&repo=web'));
      expect(all).toHaveLength(15);
      const pages = [];
      for (let offset = 0; offset < 18; offset += 4)
        pages.push(...idsOf(await ask(`runs?owner=octo&repo=web&limit=4&offset=${offset}`)));
      expect(pages).toEqual(all);
      const beyond = await ask('runs?owner=octo&repo=web&offset=100000');
      expect([beyond.body.runs, beyond.body.total]).toEqual([[], 15]);
    });

    test('a conclusion filters, and the total counts the same', async () => {
      const failed = await ask('runs?owner=octo&repo=web&conclusion=failure');
      expect(idsOf(failed)).toEqual([5010, 5101]);
      expect(failed.body.total).toBe(2);
      expect((await ask('runs?owner=octo&repo=web&conclusion=timed_out')).body.total).toBe(1);
      expect((await ask('runs?owner=octo&repo=web&conclusion=stale')).body).toMatchObject({ runs: [], total: 0 });
      const clamped = await ask('runs?owner=octo&repo=web&limit=9999');
      expect([clamped.body.limit, clamped.headers.get('x-effective-limit')]).toEqual([500, '500']);
    });

    test('a re-run is its latest attempt, whose wait is unknown', async () => {
      const { runs } = (await ask('runs?owner=octo&repo=web')).body;
      expect(runs.find(({ id }: Run) => id === 5009)).toMatchObject({
        run_attempt: 2,
        conclusion: 'success',
        queue_wait_ms: null,
        duration_ms: 120_000,
      });
      expect(runs.find(({ id }: Run) => id === 5005).actor).toBeNull();
      expect(runs.find(({ id }: Run) => id === 5012)).toMatchObject({ completed_at: null, duration_ms: null });
    });

    test('of a repository that was never synchronized there are none, and that is said', async () => {
      const answer = await ask('runs?owner=octo&repo=api');
      expect(answer.body).toEqual({ runs: [], total: 0, limit: 200, offset: 0, synced_through: null });
    });

    test('are for those who see the repository now', async () => {
      expect((await ask('runs?owner=octo&repo=secret')).status).toBe(200);
      expectProblem(await ask('runs?owner=octo&repo=secret', 'token-bo'), 404, 'not_found');
      expectProblem(await ask('trends?owner=octo&repo=secret', 'token-bo'), 404, 'not_found');
      expectProblem(await ask('runs?owner=octo&repo=nothing'), 404, 'not_found');
      expect((await ask('runs?owner=octo&repo=web', 'token-bo')).body.total).toBe(15);
      visit.service.double.removeAccess('octo/web', 'bo');
      visit.service.clock.advance(5 * 60_000);
      expectProblem(await ask('runs?owner=octo&repo=web', 'token-bo'), 404, 'not_found');
      visit.service.double.reset();
    });

    test('are stored back while the platform cannot be queried who sees them', async () => {
      visit.service.clock.advance(5 * 60_000);
      visit.service.double.fault({ path: /^\/(repos|orgs)\//, times: 99 }, { kind: 'status', status: 502 });
      const paths = ['runs?owner=octo&repo=web', 'trends?owner=octo&repo=web', 'trends?owner=octo&type=org'];
      for (const answer of await Promise.all(paths.map((path) => ask(path))))
        expectProblem(answer, 503, 'authz_unavailable');
      visit.service.double.reset();
      visit.service.clock.advance(60_000);
    });
  });

  describe('trends', () => {
    test('daily: one element for every day of the team’s zone', async () => {
      const { body } = await ask('trends?owner=octo&repo=web&days=7');
      expect(body.type).toBe('daily');
      expect(body.data.map(({ date }: { date: string }) => date)).toEqual([
        '2026-11-10',
        '2026-11-11',
        '2026-11-12',
        '2026-11-13',
        '2026-11-14',
        '2026-11-15',
        '2026-11-16',
      ]);
      const nothing = {
        success_rate: null,
        avg_duration_ms: null,
        avg_queue_ms: null,
        median_duration_ms: null,
        p90_duration_ms: null,
        p95_duration_ms: null,
      };
      expect(body.data[0]).toEqual({
        date: '2026-11-10',
        total: 0,
        success: 0,
        failure: 0,
        cancelled: 0,
        other: 0,
        ...nothing,
      });
      expect(body.data[4]).toMatchObject({
        total: 2,
        success: 1,
        failure: 1,
        success_rate: 50,
        avg_duration_ms: 120_000,
      });
      // One run, which timed out after six hours.
      expect(body.data[5]).toMatchObject({
        total: 1,
        success: 0,
        failure: 1,
        success_rate: 0,
        median_duration_ms: 21_600_000,
        p90_duration_ms: 21_600_000,
        p95_duration_ms: 21_600_000,
      });
      // 11 runs: 6 passed, 1 failed, 1 cancelled; 1 skipped and 2 not ended.
      expect(body.data[6]).toMatchObject({
        total: 11,
        success: 6,
        failure: 1,
        cancelled: 1,
        other: 3,
        success_rate: 85.71,
      });
      expect(body.coverage).toMatchObject({
        from: '2026-11-10',
        to: '2026-11-16',
        repos_included: 1,
        timezone: 'Asia/Saigon',
        partial: false,
        first_run_at: '2026-10-07T10:00:00.000Z',
      });
    });

    test('daily is meant when no type is said, and 90 days', async () => {
      const { body } = await ask('trends?owner=octo&repo=web');
      expect([body.type, body.data.length]).toEqual(['daily', 90]);
      const early = body.data.find(({ date }: { date: string }) => date === '2026-10-06');
      expect([early.total, body.data.find(({ date }: { date: string }) => date === '2026-10-07').total]).toEqual([
        null,
        1,
      ]);
    });

    test('daily: a range in place of days, and as many days to compare with', async () => {
      const read = async (query: string) => (await ask(`trends?owner=octo&repo=web&${query}`)).body;
      const toDates = (days: { date: string }[]) => days.map(({ date }) => date);
      const week = await read('days=7');
      expect(week.compared).toBeNull();
      const ranged = await read('range=7&days=30&compare=previous');
      expect(ranged.data).toEqual(week.data);
      expect(ranged.coverage).toEqual(week.coverage);
      expect(toDates(ranged.compared)).toEqual(toDates((await read('range=2026-11-03..2026-11-09')).data));
      const { data, compared } = await read('range=2026-11-14..2026-11-15&compare=year');
      expect([toDates(data), toDates(compared)]).toEqual([
        ['2026-11-14', '2026-11-15'],
        ['2025-11-14', '2025-11-15'],
      ]);
      expect([data, compared].map(([first]) => first.total)).toEqual([2, null]);
      const before = await read('range=2026-11-16..2026-11-17&compare=previous');
      expect([toDates(before.data), before.compared[0]]).toEqual([['2026-11-16'], week.data[5]]);
      expect(toDates((await read('range=quarter')).data)).toHaveLength(47);
      expectProblem(await ask('trends?owner=octo&repo=web&range=2027-01-01..2027-01-31'), 400, 'invalid_request');
    });

    test('quarterly: whole quarters, the running one and the one in which the data begins marked', async () => {
      const { body } = await ask('trends?owner=octo&repo=web&type=quarterly&quarters=3');
      expect(body.type).toBe('quarterly');
      expect(body.data.map(({ quarter }: { quarter: string }) => quarter)).toEqual(['Q2 2026', 'Q3 2026', 'Q4 2026']);
      expect(body.data[2]).toMatchObject({
        year: 2026,
        quarter_num: 4,
        total: 15,
        success: 8,
        failure: 3,
        success_rate: 72.73,
        partial: true,
      });
      expect(body.data[1]).toMatchObject({ total: null, success_rate: null, avg_duration_ms: null });
      expect([body.coverage.from, body.coverage.to]).toEqual(['2026-04-01', '2026-11-16']);
      expect((await ask('trends?owner=octo&repo=web&type=quarterly')).body.data).toHaveLength(6);
    });

    test('org: sums what was synchronized and the caller sees', async () => {
      const ann = await ask('trends?owner=octo&type=org&days=1');
      expect([ann.body.type, ann.body.coverage.repos_included, ann.body.data[0].total]).toEqual(['org', 2, 11]);
      const bo = await ask('trends?owner=octo&type=org&days=1', 'token-bo');
      expect([bo.body.coverage.repos_included, bo.body.data[0].total]).toEqual([1, 11]);
    });

    test('a repository that was never synchronized has holes, no zeros', async () => {
      const { body } = await ask('trends?owner=octo&repo=api&days=2');
      expect(body.data.map(({ total }: { total: number | null }) => total)).toEqual([null, null]);
      expect(body.coverage).toMatchObject({
        repos_included: 0,
        synced_through: null,
        first_run_at: null,
        partial: true,
      });
    });

    test('one that was renamed is found by its former name', async () => {
      await sync('owner=octo&repo=renamed-now');
      for (const path of ['runs?owner=octo&repo=before', 'trends?owner=octo&repo=before']) {
        const answer = await ask(path);
        expect([answer.status, answer.headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
      }
    });
  });
});

describe('without a database', () => {
  test('stored data is 503, before anything is requested from the platform', async () => {
    const service = await startService();
    await service.signIn('token-ann');
    service.double.requests.length = 0;
    for (const path of ['runs?owner=octo&repo=web', 'trends?owner=octo&repo=web', 'trends?owner=octo&type=org'])
      expectProblem(await service.ask('GET', `/api/db/${path}`, { as: 'token-ann' }), 503, 'db_not_configured');
    const sync = await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
    expectProblem(sync, 503, 'db_not_configured');
    const team = await service.ask('GET', '/api/settings/team', { as: 'token-ann' });
    expect(team.body).toMatchObject({ timezone: 'Asia/Saigon', source: 'default', db_available: false });
    expect(service.double.requests).toEqual([]);
    await service.close();
  });
});
