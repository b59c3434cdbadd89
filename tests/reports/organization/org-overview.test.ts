import { beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';

const minute = 60_000;
const day = 1440 * minute;

const visit = freshService();
const overview = (query = 'org=octo', as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/org-overview?${query}`, { as });

type Item = { repo: { name: string }; runs_30d: number | null; partial: boolean; summary: Record<string, unknown> };
const rowOf = (answer: { body: { repos: Item[] } }, name: string) =>
  answer.body.repos.find(({ repo }) => repo.name === name);
const runsOf = (repo: string) => `/repos/octo/${repo}/actions/runs`;
const outage = { kind: 'status', status: 502 } as const;

/** What the platform was queried meanwhile. */
async function fetchAnswer<T>(work: () => Promise<T>): Promise<[T, (string | null)[]]> {
  visit.service.double.requests.length = 0;
  const answer = await work();
  return [answer, visit.service.double.requests.map(({ operation }) => operation)];
}

describe('org-overview', () => {
  test('sums the runs of 30 days over the repositories with the latest activity', async () => {
    const answer = await overview();
    expect(answer.body).toMatchObject({
      org: 'octo',
      total_repos: 9,
      archived_repos: 1,
      active_repos: 2,
      active_scope: 'listed',
      limit: 20,
      repos_attempted: 9,
      repos_failed: [],
      partial: false,
      data_source: 'live',
      generated_at: '2026-11-16T10:00:00.000Z',
      aggregate: {
        window_days: 30,
        total_runs: 21,
        uncounted_repos: 0,
        // web: 7 of 10 in the window, api: 4 of 7.
        pooled_success_rate: 65,
        pooled_success_rate_sample: 17,
        // web: 67 of the last nine on its default branch, api: 57.
        avg_success_rate: 62,
        avg_success_rate_sample: 2,
      },
      coverage: { complete: true, expected: 9, read: 9, cap: null, reasons: [] },
    });
    expect(answer.body.repos.map(({ repo }: Item) => repo.name).slice(0, 3)).toEqual(['web', 'api', 'fork']);
    expect(rowOf(answer, 'web')).toMatchObject({ runs_30d: 14, workflow_count: 2, partial: false });
    expect(rowOf(answer, 'web')?.summary).toMatchObject({ success_rate: 67, success_rate_sample: 9 });
    expect(rowOf(answer, 'empty')?.summary).toMatchObject({ latest_run_at: null, success_rate: null });
    expect(answer.headers.get('x-partial')).toBe('false');
  });

  test('total runs are all of 30 days, also where more ran than a page holds', async () => {
    const { double, clock } = visit.service;
    double.addRuns('octo/api', 150, { from: clock.now() - 20 * day, to: clock.now() - day, firstId: 900_001 });
    const answer = await overview();
    expect(rowOf(answer, 'api')).toMatchObject({ runs_30d: 157, partial: true });
    expect(answer.body).toMatchObject({ partial: true, coverage: { complete: false, read: 8, reasons: ['page_cap'] } });
    expect(answer.body.aggregate).toMatchObject({ total_runs: 171, uncounted_repos: 0 });
  });

  test('30 days are 30 times 24 hours, not whole days, also where the platform counts', async () => {
    const { double, clock } = visit.service;
    const from = clock.now() - 30 * day;
    const outside = { from: from - 9 * 60 * minute, to: from - 1000 };
    double.addRuns('octo/api', 150, { from, to: clock.now() - day, firstId: 900_001 });
    double.addRuns('octo/api', 12, { ...outside, firstId: 910_001 });
    double.addRuns('octo/web', 5, { ...outside, firstId: 920_001 });
    const [answer, requests] = await fetchAnswer(() => overview());
    expect([rowOf(answer, 'api')?.runs_30d, rowOf(answer, 'web')?.runs_30d]).toEqual([157, 14]);
    expect(answer.body.aggregate).toMatchObject({ total_runs: 171, uncounted_repos: 0 });
    // A list for each of nine repositories, and a count for the one whose list does not reach back.
    expect(requests.filter((one) => one === 'actions/list-workflow-runs-for-repo')).toHaveLength(9 + 1);
    clock.advance(16 * minute);
    double.fault({ path: runsOf('api'), times: 99 }, outage);
    const during = await overview();
    expect([during.status, during.headers.get('x-stale'), rowOf(during, 'api')?.runs_30d]).toEqual([200, 'true', 157]);
  });

  test('active is who ran in 30 days, not who ever ran, and no archived repository', async () => {
    const { double, clock } = visit.service;
    double.putRun('octo/secret', { id: 900_001, createdAt: clock.now() - 31 * day });
    double.putRun('octo/old', { id: 900_002, createdAt: clock.now() - day });
    const answer = await overview();
    expect([answer.body.active_repos, rowOf(answer, 'secret')?.runs_30d, rowOf(answer, 'old')?.runs_30d]).toEqual([
      2, 0, 1,
    ]);
  });

  test('of a repository without a push in the window its older runs are shown and not counted', async () => {
    const { double, clock } = visit.service;
    double.addRepository({ name: 'octo/quiet', facts: { id: 90_001, pushedAt: clock.now() - 50 * day } });
    double.putRun('octo/quiet', { id: 900_001, createdAt: clock.now() - 45 * day });
    const answer = await overview();
    expect(rowOf(answer, 'quiet')).toMatchObject({ runs_30d: 0, partial: false });
    expect(rowOf(answer, 'quiet')?.summary).toMatchObject({
      success_rate: 100,
      latest_run_at: '2026-10-02T10:00:00.000Z',
    });
    // It runs on a timetable, so often that the newest hundred do not reach back.
    double.addRuns('octo/quiet', 120, { from: clock.now() - 20 * day, to: clock.now() - day, firstId: 910_001 });
    visit.service.clock.advance(16 * minute);
    expect(rowOf(await overview(), 'quiet')).toMatchObject({ runs_30d: 120, partial: true });
  });

  test('a repository that fails is named and listed, and the totals say that they are the least', async () => {
    visit.service.double.fault({ path: runsOf('api'), times: 9 }, outage);
    const answer = await overview();
    expect(answer.body).toMatchObject({
      repos_attempted: 9,
      repos_failed: ['octo/api'],
      active_repos: 1,
      partial: true,
      aggregate: { total_runs: 14, uncounted_repos: 1, pooled_success_rate: 70, avg_success_rate: 67 },
      coverage: { complete: false, expected: 9, read: 8, reasons: ['sub_fetch_failed'] },
    });
    expect(rowOf(answer, 'api')).toMatchObject({ runs_30d: null, partial: true });
    expect(answer.headers.get('x-partial')).toBe('true');
    visit.service.double.reset();
    visit.service.clock.advance(minute);
    expect((await overview()).body).toMatchObject({ repos_failed: [], partial: false });
  });

  test('rejected runs are distinguished from those that failed', async () => {
    visit.service.double.fault({ path: runsOf('api'), times: 9 }, { kind: 'status', status: 403 });
    expect((await overview()).body.coverage.reasons).toEqual(['forbidden']);
    visit.service.clock.advance(14 * minute);
    const [kept, requests] = await fetchAnswer(() => overview());
    expect([kept.body.repos_failed, requests]).toEqual([['octo/api'], ['repos/list-for-org']]);
  });

  test('an outage is 502 when nothing is known, and the last reading when something is', async () => {
    visit.service.double.fault({ path: /actions.runs/, times: 99 }, outage);
    expectProblem(await overview(), 502, 'upstream_unavailable');
    visit.service.double.reset();
    visit.service.clock.advance(minute);
    await overview();
    visit.service.clock.advance(16 * minute);
    visit.service.double.fault({ path: /./, times: 999 }, outage);
    const answer = await overview();
    expect([answer.status, answer.headers.get('x-stale')]).toEqual([200, 'true']);
    // The list of repositories was read before the outage.
    expect(answer.body.generated_at).toBe('2026-11-16T10:00:00.000Z');
  });

  test('holds for fifteen minutes', async () => {
    await overview();
    visit.service.double.putRun('octo/secret', { id: 900_001, createdAt: visit.service.clock.now() });
    visit.service.clock.advance(15 * minute - 1);
    const [kept, requests] = await fetchAnswer(() => overview());
    expect(kept.body.aggregate.total_runs).toBe(21);
    expect(requests).toEqual(['repos/list-for-org']);
    visit.service.clock.advance(1);
    const [renewed, again] = await fetchAnswer(() => overview());
    expect(renewed.body.aggregate.total_runs).toBe(22);
    expect(again).toHaveLength(10);
  });

  test('what one caller read is not given to another, nor what may no longer be seen', async () => {
    expect(rowOf(await overview(), 'secret')).toBeDefined();
    const bo = await overview('org=octo', 'token-bo');
    expect(rowOf(bo, 'secret')).toBeUndefined();
    expect(bo.text).not.toContain('secret');
    visit.service.double.removeAccess('octo/secret', 'ann');
    visit.service.clock.advance(6 * minute);
    const later = await overview();
    expect([rowOf(later, 'secret'), later.body.total_repos]).toEqual([undefined, 8]);
  });

  test('limit is how many are read; the rest is counted only', async () => {
    const [answer, requests] = await fetchAnswer(() => overview('org=many&limit=3'));
    expect(answer.body).toMatchObject({
      total_repos: 205,
      repos_attempted: 3,
      active_scope: 'listed',
      active_repos: 0,
    });
    expect(requests.filter((one) => one === 'actions/list-workflow-runs-for-repo')).toHaveLength(3);
    const clamped = await overview('org=octo&limit=51');
    expect([clamped.body.limit, clamped.headers.get('x-effective-limit')]).toEqual([50, '50']);
    expectFields(await overview('org=octo&limit=0'), ['limit', 'invalid']);
    expectFields(await overview(''), ['org', 'missing']);
  });

  test('a personal account and an unknown one are not there', async () => {
    expectProblem(await overview('org=ann'), 404, 'not_found');
    expectProblem(await overview('org=nobody'), 404, 'not_found');
  });

  test('is a table of its repositories', async () => {
    const csv = await visit.service.ask('GET', '/api/codehost/org-overview?org=octo&format=csv', { as: 'token-ann' });
    const [head, first] = csv.text.split('\r\n');
    expect(head).toContain('repo,latest_run_at,latest_conclusion,health,success_rate');
    expect(first).toMatch(/^octo\/web,2026-11-16T09:59:00.000Z,,fair,67,9,2,14,false$/);
  });

  test('its pooled rate explains itself by the runs', async () => {
    const { body } = await overview();
    const query = '/api/explain?metric=pooled_success_rate&org=octo&per_page=20';
    const { body: why } = await visit.service.ask('GET', query, { as: 'token-ann' });
    expect([why.value, why.sample]).toEqual([
      body.aggregate.pooled_success_rate,
      body.aggregate.pooled_success_rate_sample,
    ]);
    expect(why.counted).toHaveLength(17);
    expect(why.left_out.map(({ count }: { count: number }) => count).sort()).toEqual([1, 1, 2]);
    const other = await visit.service.ask('GET', query, { as: 'token-bo' });
    expect(other.status).toBe(200);
    expect(other.text).not.toContain('secret');
  });
});

aDatabase((database) => {
  const stored = storedService(database);
  beforeAll(async () => {
    for (const repo of ['web', 'api']) await stored.sync(`owner=octo&repo=${repo}`);
  });

  test('stored runs need no request, and give the same', async () => {
    const { service } = stored;
    service.double.requests.length = 0;
    const { body } = await service.ask('GET', '/api/codehost/org-overview?org=octo&limit=2', { as: 'token-ann' });
    expect(service.double.requests.map(({ operation }) => operation).sort()).toEqual([
      'RepositoryStates',
      'repos/list-for-org',
    ]);
    expect(body).toMatchObject({ data_source: 'mixed', active_scope: 'listed', active_repos: 2, partial: false });
    expect(body.aggregate).toMatchObject({ total_runs: 21, pooled_success_rate: 65, avg_success_rate: 62 });
  });

  test('the previous 30 days are those of the same repositories, where all of both is stored', async () => {
    await stored.anew();
    const { service, sync } = stored;
    const { double, clock } = service;
    const createdAt = clock.now() - 45 * day;
    for (let id = 900_001; id <= 900_040; id++) double.putRun('octo/web', { id, createdAt, conclusion: 'success' });
    for (let id = 910_001; id <= 910_020; id++) double.putRun('octo/api', { id, createdAt, conclusion: 'failure' });
    const path = '/api/codehost/org-overview?org=octo&limit=2';
    const ask = async () => (await service.ask('GET', path, { as: 'token-ann' })).body;
    await sync('owner=octo&repo=web');
    expect(await ask()).toMatchObject({ before: null, verdicts: { pooled_success_rate: 'not_enough_data' } });
    await sync('owner=octo&repo=api');
    clock.advance(16 * minute);
    const body = await ask();
    // Beside one of octo/web that was there; which of the others were active before is not known.
    expect(body.before).toEqual({
      active_repos: null,
      total_runs: 61,
      pooled_success_rate: 67,
      pooled_success_rate_sample: 61,
      pooled_passed_runs: 41,
    });
    expect(body.verdicts.pooled_success_rate).toBe('no_difference_shown');
  });

  test('active ones are counted over the whole organization once all of it is stored', async () => {
    const { service } = stored;
    for (const repo of ['secret', 'fork', 'renamed-now', 'no-actions', 'no-issues', 'empty', 'web', 'api'])
      await stored.sync(`owner=octo&repo=${repo}`);
    const { body } = await service.ask('GET', '/api/codehost/org-overview?org=octo&limit=1', { as: 'token-ann' });
    expect(body).toMatchObject({ repos_attempted: 1, active_scope: 'org', active_repos: 2 });
    const evidence = '/api/explain?metric=active_repos&org=octo&per_page=1';
    const named = (await service.ask('GET', evidence, { as: 'token-ann' })).body;
    expect(named).toMatchObject({ value: 2, sample: 2, partial: false });
    expect(named.counted.map(({ label }: { label: string }) => label).sort()).toEqual(['api', 'web']);
    for (const path of ['/api/codehost/org-overview?org=octo&limit=1', evidence])
      expect((await service.ask('GET', path, { as: 'token-bo' })).text).not.toContain('secret');
  });

  test('older runs than the newest hundred are those that are stored', async () => {
    await stored.anew();
    const { service, sync } = stored;
    const { double, clock } = service;
    const now = clock.now();
    double.addRuns('octo/fork', 150, { from: now - 20 * day, to: now - day, firstId: 900_001 });
    await sync('owner=octo&repo=fork');
    clock.advance(20 * minute);
    double.addRuns('octo/fork', 3, { from: now + minute, to: now + 5 * minute, firstId: 910_001 });
    double.requests.length = 0;
    const { body } = await service.ask('GET', '/api/codehost/org-overview?org=octo&limit=3', { as: 'token-ann' });
    expect(rowOf({ body }, 'fork')).toMatchObject({ runs_30d: 153, partial: false });
    const lists = double.requests.filter(({ operation }) => operation === 'actions/list-workflow-runs-for-repo');
    expect(lists).toHaveLength(3);
    expect((await stored.ask('workflows?repo=octo/fork')).body.totals.runs).toBe(150);
    const path = '/api/explain?metric=pooled_success_rate&org=octo&per_page=3';
    const { partial, value, sample } = (await service.ask('GET', path, { as: 'token-ann' })).body;
    const { pooled_success_rate: rate, pooled_success_rate_sample: pooled } = body.aggregate;
    expect([partial, value, sample]).toEqual([false, rate, pooled]);
    expect(sample).toBeGreaterThan(140);
    // Days have the stored ones, too.
    const days = rowOf({ body }, 'fork')?.summary.trend_30d as { total: number; covered: boolean }[];
    expect(days.every(({ covered }) => covered)).toBe(true);
    expect(days.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(100);
  });

  test('of a repository whose first synchronization has not ended the stored runs count as on CI', async () => {
    await stored.anew();
    const { service, sync } = stored;
    const { double, clock, app } = service;
    const now = clock.now();
    const path = '/api/codehost/org-overview?org=octo&limit=9';
    const before = (await service.ask('GET', path, { as: 'token-ann' })).body;
    double.addRuns('octo/fork', 150, { from: now - 20 * day, to: now - day, firstId: 900_001 });
    await sync('owner=octo&repo=fork');
    const store = app.services.store;
    const known = (await store?.repositories.tracked('octo'))?.find(({ repo }) => repo === 'fork');
    const cursor = known && (await store?.cursors.get(known.id));
    if (!store || !known || !cursor) throw new Error('It is not stored.');
    await store.cursors.put(known.id, { ...cursor, syncedThrough: null, backfilledTo: null });
    clock.advance(16 * minute);
    const { body } = await service.ask('GET', path, { as: 'token-ann' });
    expect(rowOf({ body }, 'fork')).toMatchObject({ runs_30d: 150, partial: true });
    expect(body).toMatchObject({ partial: true, data_source: 'mixed', coverage: { complete: false } });
    const { totals } = (await stored.ask('workflows?repo=octo/fork')).body;
    expect(totals.failure_rate_sample).toBeGreaterThan(100);
    const countPooled = ({ aggregate }: typeof body) => aggregate.pooled_success_rate_sample;
    expect(countPooled(body) - countPooled(before)).toBe(totals.failure_rate_sample);
  });
});
