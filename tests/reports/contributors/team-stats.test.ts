import { beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';
import { asking, day, hour, serviceOn } from '../workload/workload-world.ts';

interface Row {
  login: string;
  total_runs: number;
  activity_by_dow: number[];
  activity_by_hour: number[];
}

const path = (repo: string, rest = '') => `/api/codehost/team-stats?owner=octo&repo=${repo}${rest}`;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const rowOf = ({ contributors }: { contributors: Row[] }, name: string) =>
  contributors.find(({ login }) => login === name);

describe('runs of people', () => {
  const visit = freshService();
  const now = () => visit.service.clock.now();
  const ask = (query: string) => asking(visit.service, query);
  let id = 80_000;
  const run = (login: string | null, hoursAgo: number, parts: object = {}) => {
    id += 1;
    const actor = login === null ? null : anActor(login);
    visit.service.double.putRun('octo/secret', { id, actor, createdAt: now() - hoursAgo * hour, ...parts });
  };

  test('are reported with what nobody is answerable for', async () => {
    const { body, headers } = await ask(path('web'));
    expect(body).toMatchObject({
      total_runs: 13,
      unattributed_runs: 1,
      period_days: 40,
      timezone: 'Asia/Saigon',
      partial: false,
      top_contributor: 'ann',
      most_reliable: 'ann',
      data_source: 'live',
    });
    expect(body.contributors.map(({ login }: Row) => login)).toEqual(['ann', 'dependabot']);
    expect(rowOf(body, 'ann')).toMatchObject({
      is_bot: false,
      linked_logins: [],
      total_runs: 11,
      success: 6,
      failure: 3,
      success_rate: 67,
      median_duration_ms: 120_000,
      last_run_at: '2026-11-16T09:00:00.000Z',
      busiest_hour: 17,
      activity_by_dow: [1, 7, 0, 1, 0, 0, 2],
    });
    expect(headers.get('x-partial')).toBe('false');
  });

  test('add up: everybody and nobody together are all runs, and hours and weekdays hold the same', async () => {
    for (const [index, login] of ['ann', 'bob', 'cy[bot]', null, 'bob'].entries()) run(login, index + 1);
    run('bob', 7, { event: 'schedule' });
    const { body } = await ask(path('secret'));
    const rows = body.contributors as Row[];
    expect(sum(rows.map(({ total_runs }) => total_runs)) + body.unattributed_runs).toBe(body.total_runs);
    expect(body).toMatchObject({ total_runs: 6, unattributed_runs: 2 });
    for (const row of rows)
      expect([sum(row.activity_by_dow), sum(row.activity_by_hour)]).toEqual([row.total_runs, row.total_runs]);
  });

  test('a bot is distinguished and is never the one with most or most reliable runs', async () => {
    for (let hours = 1; hours <= 9; hours++) run('dependabot[bot]', hours);
    for (let hours = 1; hours <= 4; hours++) run('bob', hours);
    const { body } = await ask(path('secret'));
    expect(body).toMatchObject({ top_contributor: 'bob', most_reliable: null });
    expect(rowOf(body, 'dependabot')).toMatchObject({ is_bot: true, total_runs: 9 });
  });

  test('a cancelled run is somebody’s run and nobody’s failure; one under way is not counted yet', async () => {
    run('bob', 3, { conclusion: 'cancelled' });
    run('bob', 2);
    run('bob', 1, { status: 'in_progress', conclusion: null });
    const { body } = await ask(path('secret'));
    expect(rowOf(body, 'bob')).toMatchObject({ total_runs: 2, success: 1, failure: 0, success_rate: 100 });
    expect(body.total_runs).toBe(2);
  });

  test('a re-run belongs to who began it, and counts for who asked again', async () => {
    run('bob', 5, { attempt: 2, triggeringActor: anActor('cy') });
    run('cy', 4);
    const { body } = await ask(path('secret'));
    expect(rowOf(body, 'bob')).toMatchObject({ total_runs: 1, reruns_triggered: 0 });
    expect(rowOf(body, 'cy')).toMatchObject({ total_runs: 1, reruns_triggered: 1 });
  });

  test('no more runs are looked at than requested', async () => {
    const { body } = await ask(path('web', '&per_page=3'));
    expect([body.total_runs, body.partial]).toEqual([3, false]);
    const { headers, body: most } = await ask(path('web', '&per_page=500'));
    expect([headers.get('x-effective-limit'), most.total_runs]).toEqual(['100', 13]);
    expectFields(await ask(path('web', '&per_page=0')), ['per_page', 'invalid']);
  });

  test('what is under way among the newest takes no place of a completed run', async () => {
    for (let hours = 1; hours <= 120; hours++)
      run('bob', hours, hours % 4 === 1 ? { status: 'queued', conclusion: null } : {});
    const { body } = await ask(path('secret'));
    // Ninety of them are completed, the oldest created 120 hours ago.
    expect(body).toMatchObject({ total_runs: 90, period_days: 5, partial: false });
    expect(rowOf(body, 'bob')).toMatchObject({ total_runs: 90, success: 90 });
    for (let hours = 121; hours <= 140; hours++) run('cy', hours);
    visit.service.clock.advance(5 * 60_000);
    const { body: more } = await ask(path('secret'));
    expect([more.total_runs, rowOf(more, 'bob')?.total_runs, rowOf(more, 'cy')?.total_runs]).toEqual([100, 90, 10]);
    const { body: few } = await ask(path('secret', '&per_page=30'));
    expect([few.total_runs, few.period_days, few.partial]).toEqual([30, 2, false]);
  });

  test('cost the proof and one list, whatever is under way and however many are requested', async () => {
    run('bob', 1, { status: 'in_progress', conclusion: null });
    const first = await ask(path('secret', '&per_page=30'));
    expect(first.operations.sort()).toEqual(['actions/list-workflow-runs-for-repo', 'repos/get']);
    expect((await ask(path('secret'))).operations).toEqual([]);
  });

  test('an empty repository and one without workflows have nobody', async () => {
    for (const repo of ['empty', 'no-actions']) {
      const { status, body } = await ask(path(repo));
      expect(status).toBe(200);
      expect(body).toMatchObject({ contributors: [], total_runs: 0, top_contributor: null, period_days: 1 });
    }
  });

  test('what the token cannot see is not there; a former name leads to the present one', async () => {
    expectProblem(await asking(visit.service, path('secret'), 'token-bo'), 404, 'not_found');
    const { status, headers } = await ask(path('before'));
    expect([status, headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
  });

  test('an outage is 502 at first, later what was read', async () => {
    const fail = () =>
      visit.service.double.fault({ path: '/repos/octo/web/actions/*', times: 20 }, { kind: 'status', status: 502 });
    fail();
    expectProblem(await ask(path('web')), 502, 'upstream_unavailable');
    visit.service.double.reset();
    visit.service.clock.advance(hour);
    const before = await ask(path('web'));
    visit.service.clock.advance(hour);
    fail();
    const later = await ask(path('web'));
    expect([later.status, later.headers.get('x-stale')]).toEqual([200, 'true']);
    expect(later.body.contributors).toEqual(before.body.contributors);
  });

  test('as a table they have the contributors', async () => {
    expect((await ask(path('web', '&format=csv'))).text.split('\r\n')[0]).toContain('login,avatar_url,is_bot');
  });
});

aDatabase((database) => {
  const visit = storedService(database);
  beforeAll(() => visit.sync('owner=octo&repo=web'));

  test('stored runs that were just brought up to date are answered without a list, the same', async () => {
    const newest = path('web', '&per_page=10');
    const stored = await asking(visit.service, newest);
    expect(stored.operations).not.toContain('actions/list-workflow-runs-for-repo');
    expect(stored.body).toMatchObject({ data_source: 'database', total_runs: 10, partial: false });
    visit.service.clock.advance(day);
    const live = await asking(visit.service, newest);
    expect(live.body.data_source).toBe('live');
    const figures = ({ contributors }: { contributors: Row[] }) =>
      contributors.map(({ login, total_runs, activity_by_dow }) => [login, total_runs, activity_by_dow]);
    expect(figures(stored.body)).toEqual(figures(live.body));
  });

  test('where fewer are stored than requested, the platform reports those from before', async () => {
    const service = await startService({ DATABASE_URL: await database.address() });
    const createdAt = service.clock.now() - 200 * day;
    service.double.putRun('octo/web', { id: 79_000, actor: anActor('bob'), createdAt });
    await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
    const { body } = await asking(service, path('web'));
    expect(body).toMatchObject({ data_source: 'live', total_runs: 14, period_days: 200 });
    // All there is: nothing was ever before it.
    const web = service.double.world.repositories.find(({ facts }) => facts.repo === 'web');
    if (web) web.facts.createdAt = createdAt + 150 * day;
    const complete = await asking(service, path('web'), 'token-bo');
    expect(complete.body).toMatchObject({
      data_source: 'database',
      total_runs: 13,
      unattributed_runs: 1,
      partial: false,
    });
    await service.close();
  });

  test('of a repository that is wholly stored, runs under way take no place of completed ones', async () => {
    const service = await startService({ DATABASE_URL: await database.address() });
    const now = service.clock.now();
    const facts = { id: 92_002, createdAt: now - 20 * day };
    service.double.addRepository({ name: 'octo/waiting', facts });
    for (let id = 1; id <= 250; id++) {
      const parts = id > 110 ? { status: 'queued' as const, conclusion: null } : {};
      service.double.putRun('octo/waiting', {
        id,
        actor: anActor('bob'),
        createdAt: now - (300 - id) * hour,
        ...parts,
      });
    }
    await service.ask('POST', '/api/db/sync?owner=octo&repo=waiting', { as: 'token-ann' });
    const { body } = await asking(service, path('waiting'));
    expect(body).toMatchObject({ data_source: 'database', total_runs: 100, partial: false });
    await service.close();
  });

  test('a repository that took over a name shows nothing of the one that had it', async () => {
    const service = await startService({ DATABASE_URL: await database.address() });
    await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
    service.double.rename('octo/web', 'octo/web-of-old');
    service.double.addRepository({ name: 'octo/web', facts: { id: 92_001 }, workflows: [] });
    const { status, body } = await asking(service, path('web'), 'token-bo');
    expect([status, body.total_runs, body.contributors]).toEqual([200, 0, []]);
    await service.close();
  });

  test('stored or not, only who may see the repository is answered', async () => {
    visit.service.double.removeAccess('octo/web', 'bo');
    expectProblem(await asking(visit.service, path('web'), 'token-bo'), 404, 'not_found');
  });

  test('accounts of one person are one row', async () => {
    const service = await serviceOn(await database.address(), { 'ann-laptop': 'ann' });
    service.double.putRun('octo/secret', {
      id: 1,
      actor: anActor('ann-laptop'),
      createdAt: service.clock.now() - hour,
    });
    service.double.putRun('octo/secret', { id: 2, actor: anActor('ann'), createdAt: service.clock.now() - 2 * hour });
    const { body } = await asking(service, path('secret'));
    expect(body.contributors).toHaveLength(1);
    expect(rowOf(body, 'ann')).toMatchObject({ total_runs: 2, linked_logins: ['ann-laptop'] });
    await service.close();
  });
});
