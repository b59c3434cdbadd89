import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';

const visit = freshService();
const minute = 60_000;
const hour = 60 * minute;
const ask = (repo: string, as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/deployments?owner=octo&repo=${repo}`, { as });
const now = () => visit.service.clock.now();

/** A deployment that ended as said, so many hours ago. */
function deploy(repository: string, id: number, hoursAgo: number, rest: object = {}) {
  const createdAt = now() - hoursAgo * hour;
  const statuses = [{ state: 'success' as const, at: createdAt + minute }];
  return visit.service.double.putDeployment(repository, { id, createdAt, statuses, ...rest });
}

describe('the history of statuses', () => {
  test('decides: a success that a later one made inactive still counts', async () => {
    const { body, headers } = await ask('web');
    expect(body).toMatchObject({
      repo: 'octo/web',
      source: 'deployments',
      production_environment: 'production',
      period_days: 30,
      total_deployments: 5,
      successful: 2,
      failed: 2,
      inconclusive: 1,
      all_time_count: 5,
      change_failure_rate_pct: 50,
      mttr_hours: 4,
      mttr_samples: 1,
      deploys_per_day: 0.07,
      partial: false,
      tiers: { deployment_frequency: 'medium', change_failure_rate: null, mttr: 'high' },
      coverage: { complete: true, read: 5, expected: 5, cap: null, reasons: [] },
      by_day: [{ date: '2026-11-14', environment: 'production', success: 2, failed: 2, inconclusive: 1 }],
      last_7_days: { successful: 2, failed: 2 },
      timezone: 'Asia/Saigon',
      data_source: 'live',
      generated_at: '2026-11-16T10:00:00.000Z',
    });
    expect(headers.get('x-partial')).not.toBe('true');
    expect(body.recent.map((one: { id: number }) => one.id)).toEqual([8005, 8004, 8003, 8002, 8001]);
    expect(body.recent[4]).toMatchObject({
      state: 'inactive',
      outcome: 'success',
      superseded: true,
      creator: 'ann',
      is_rollback: null,
      created_at: '2026-11-13T23:55:00.000Z',
      status_at: '2026-11-14T14:00:00.000Z',
      ref: 'main',
    });
  });

  test('what only waits has an outcome of its own, and no rates', async () => {
    const { body } = await ask('api');
    expect(body).toMatchObject({
      source: 'deployments',
      total_deployments: 3,
      inconclusive: 3,
      deploys_per_day: null,
      change_failure_rate_pct: null,
      mttr_hours: null,
      mttr_samples: 0,
    });
    expect(body.recent[0]).toMatchObject({ creator: null, outcome: 'inconclusive', state: 'pending' });
  });

  test('a failure that nothing ended is reported as open, not as restored', async () => {
    const { body } = await ask('renamed-now');
    expect(body).toMatchObject({ failed: 1, change_failure_rate_pct: 25, mttr_hours: null, mttr_samples: 0 });
    expect(body.by_environment[0].open_failure_since).toBe('2026-11-16T08:00:00.000Z');
  });

  test('going back to a commit that was deployed before is a rollback, also one from before the window', async () => {
    deploy('octo/secret', 1, 40 * 24, { sha: 'a'.repeat(40) });
    deploy('octo/secret', 2, 20, { sha: 'b'.repeat(40) });
    deploy('octo/secret', 3, 10, { sha: 'a'.repeat(40) });
    const { body } = await ask('secret');
    expect(body.recent.map((one: { is_rollback: boolean }) => one.is_rollback)).toEqual([true, null]);
    expect(body).toMatchObject({ total_deployments: 2, all_time_count: 3 });
  });
});

describe('the 30 days before', () => {
  test('are those of production alone, reported beside the window', async () => {
    const failed = (hoursAgo: number) => ({ statuses: [{ state: 'failure', at: now() - hoursAgo * hour + minute }] });
    deploy('octo/secret', 1, 61 * 24);
    deploy('octo/secret', 2, 50 * 24, failed(50 * 24));
    deploy('octo/secret', 3, 50 * 24 - 6);
    deploy('octo/secret', 4, 40 * 24, { environment: 'staging' });
    deploy('octo/secret', 5, 31 * 24);
    deploy('octo/secret', 6, 20);
    const { body } = await ask('secret');
    expect(body.period_before).toEqual({
      finished: 3,
      failed: 1,
      deploys_per_day: 0.07,
      change_failure_rate_pct: 33,
      mttr_hours: 6,
      mttr_samples: 1,
      deploys_per_day_verdict: 'not_enough_data',
      change_failure_rate_verdict: 'not_enough_data',
      time_to_restore_verdict: 'not_enough_data',
    });
    expect(body).toMatchObject({ total_deployments: 1, mttr_samples: 0 });
    const before = body.by_day_before as { environment: string; success: number; failed: number }[];
    const own = before.filter(({ environment }) => environment === 'production');
    expect(own.map(({ success, failed }) => [success, failed])).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(before).toHaveLength(3);
  });

  test('have no rates where nothing ended, and are unknown where they were not read whole', async () => {
    expect((await ask('web')).body.period_before).toEqual({
      finished: 0,
      failed: 0,
      deploys_per_day: null,
      change_failure_rate_pct: null,
      mttr_hours: null,
      mttr_samples: 0,
      deploys_per_day_verdict: 'not_enough_data',
      change_failure_rate_verdict: 'not_enough_data',
      time_to_restore_verdict: 'not_enough_data',
    });
    visit.service.double.addDeployments('octo/secret', 600, { from: now() - 45 * 24 * hour, to: now() - hour });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ partial: false, period_before: null, by_day_before: null });
  });
});

describe('production that is quiet', () => {
  test('stays production: another environment has no figures in its place', async () => {
    deploy('octo/secret', 1, 40 * 24);
    deploy('octo/secret', 2, 50, { environment: 'staging' });
    const { body } = await ask('secret');
    expect(body).toMatchObject({
      source: 'deployments',
      production_environment: 'production',
      total_deployments: 0,
      deploys_per_day: null,
      change_failure_rate_pct: null,
      tiers: { deployment_frequency: null, change_failure_rate: null, mttr: null },
    });
    expect(
      body.by_environment.map((one: { environment: string; total: number }) => [one.environment, one.total]),
    ).toEqual([
      ['production', 0],
      ['staging', 1],
    ]);
  });

  test.each([
    ['is still failing since then', false],
    ['is restored in the window', true],
  ])('that failed before the window %s', async (_, isRestored) => {
    const failed = (hoursAgo: number) => ({ statuses: [{ state: 'failure', at: now() - hoursAgo * hour + minute }] });
    deploy('octo/secret', 1, 35 * 24, failed(35 * 24));
    deploy('octo/secret', 2, 29 * 24, failed(29 * 24));
    if (isRestored) deploy('octo/secret', 3, 24);
    const { body } = await ask('secret');
    expect(body).toMatchObject(
      isRestored ? { mttr_hours: 34 * 24, mttr_samples: 1 } : { mttr_hours: null, mttr_samples: 0 },
    );
    const since = isRestored ? null : new Date(now() - 35 * 24 * hour + minute).toISOString();
    expect(body.by_environment[0].open_failure_since).toBe(since);
  });
});

describe('where there is nothing to count', () => {
  test('36 deployments of long ago are stale, not none', async () => {
    const { body } = await ask('old');
    expect(body).toMatchObject({
      source: 'stale',
      all_time_count: 36,
      newest_deployment_age_days: 58,
      total_deployments: 0,
      deploys_per_day: null,
      change_failure_rate_pct: null,
      mttr_hours: null,
      by_environment: [],
      recent: [],
      newest_deployment_at: '2026-09-19T10:00:00.000Z',
      last_7_days: null,
      production_environment: null,
    });
  });

  test.each(['no-actions', 'empty'])('%s never deployed', async (repo) => {
    const { body } = await ask(repo);
    expect(body).toMatchObject({ source: 'none', all_time_count: 0, newest_deployment_at: null, by_environment: [] });
  });

  test('an error of the platform is an error, never "none"', async () => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 50 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    expectProblem(await ask('web'), 403, 'upstream_forbidden');
  });

  test.each([
    [{ kind: 'primary_limit' } as const, 429, 'upstream_rate_limited'],
    [{ kind: 'status', status: 500 } as const, 502, 'upstream_unavailable'],
  ])('%o without anything stored', async (fault, status, code) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 50 }, fault);
    expectProblem(await ask('web'), status, code);
  });

  test('whoever may not see the repository is not shown anything of it, whatever was read for others', async () => {
    await ask('secret');
    expectProblem(await ask('secret', 'token-bo'), 404, 'not_found');
    expectProblem(await ask('nowhere'), 404, 'not_found');
  });
});

describe('the environment that is production', () => {
  test('is the one whose name says so, however much is deployed elsewhere', async () => {
    const { body } = await ask('fork');
    expect(body).toMatchObject({
      production_environment: 'Production — app',
      production_candidates: ['Production — app'],
    });
    expect(body.by_environment.map((one: { is_production: boolean }) => one.is_production)).toEqual([true, false]);
  });

  test('is the one that the platform marks where no name says it, for one more request', async () => {
    for (const id of [1, 2]) deploy('octo/secret', id, id, { environment: 'blue' });
    deploy('octo/secret', 3, 3, { environment: 'green', production: true });
    const { body } = await ask('secret');
    expect(body.production_environment).toBe('green');
    const { double } = visit.service;
    expect(double.requests.filter(({ operation }) => operation === 'repos/list-deployments')).toHaveLength(1);
    deploy('octo/fork', 9, 1, { environment: 'blue' });
    await ask('fork');
    expect(double.requests.filter(({ operation }) => operation === 'repos/list-deployments')).toHaveLength(1);
  });

  test('counts are those of production alone; passing environments stand together after the twentieth', async () => {
    for (let id = 1; id <= 25; id++) deploy('octo/secret', id, id, { environment: `preview-${id}` });
    deploy('octo/secret', 30, 30, { environment: 'prod' });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ total_deployments: 1, successful: 1, production_environment: 'prod' });
    expect(body.by_environment).toHaveLength(21);
    expect(body.by_environment[0]).toMatchObject({ environment: 'prod', is_production: true, is_rest: false });
    expect(body.by_environment[20]).toMatchObject({ is_rest: true, total: 6, environment: 'other environments' });
    const all = body.by_environment.reduce((sum: number, one: { total: number }) => sum + one.total, 0);
    expect([all, body.coverage.read]).toEqual([26, 26]);
    const byDay = body.by_day.reduce((sum: number, one: { success: number }) => sum + one.success, 0);
    expect(byDay).toBe(26);
  });
});

test('a renamed repository answers by its new name', async () => {
  const { body, headers } = await ask('before');
  expect(body.repo).toBe('octo/renamed-now');
  expect(headers.get('x-canonical-repo')).toBe('octo/renamed-now');
});

test('the table of environments can be had as CSV', async () => {
  await visit.service.signIn('token-ann');
  const { text, headers } = await visit.service.ask(
    'GET',
    '/api/codehost/deployments?owner=octo&repo=fork&format=csv',
    {
      as: 'token-ann',
    },
  );
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  expect(text.split('\r\n')[0]).toMatch(/^environment,is_production,is_rest,total,success,failed,inconclusive/);
  expect(text).toContain('Production — app');
});

describe('evidence', () => {
  const explain = (metric: string, rest = '') =>
    visit.service.ask('GET', `/api/explain?metric=${metric}&owner=octo&repo=web${rest}`, { as: 'token-ann' });

  test.each([
    ['deploys_per_day', 'deploys_per_day', 4],
    ['change_failure_rate_pct', 'change_failure_rate_pct', 4],
    ['mttr_hours', 'mttr_hours', 1],
  ])('%s is the same number as in the report, with its %s items', async (metric, field, sample) => {
    const { body } = await ask('web');
    const { body: opened } = await explain(metric);
    expect([opened.value, opened.sample, opened.counted.length]).toEqual([body[field], sample, sample]);
  });

  test('what did not count is reported with the reason', async () => {
    const { body } = await explain('deploys_per_day');
    expect(body.left_out).toMatchObject([{ reason: 'neither succeeded nor failed yet', count: 1 }]);
    expect(body.left_out[0].items[0].note).toMatch(/^in progress, by /);
    const labels = body.counted.map(({ note }: { note: string }) => note.split(',')[0]);
    expect(new Set(labels)).toEqual(new Set(['succeeded', 'failed']));
    const { body: elsewhere } = await explain('deploys_per_day', '&environment=staging');
    expect([elsewhere.value, elsewhere.left_out[0].reason]).toEqual([null, 'in another environment']);
  });
});

aDatabase((database) => {
  const stored = storedService(database);
  const question = '/api/codehost/deployments?owner=octo&repo=web';
  beforeAll(() => stored.service.signIn('token-ann').then(() => undefined));

  /** The answer and what was requested from the platform for it. */
  async function fetchAnswer() {
    stored.service.double.requests.length = 0;
    const answer = await stored.service.ask('GET', question, { as: 'token-ann' });
    return { ...answer, operations: stored.service.double.requests.map(({ operation }) => operation) };
  }

  test('is read whole once, then one request brings what changed, and an outage is bridged', async () => {
    const cold = await fetchAnswer();
    expect(cold.operations).toEqual(['repos/get', 'Deployments']);
    expect((await fetchAnswer()).operations).toEqual([]);
    stored.service.clock.advance(hour);
    const createdAt = stored.service.clock.now() - minute;
    stored.service.double.putDeployment('octo/web', {
      id: 8006,
      createdAt,
      statuses: [{ state: 'success', at: createdAt }],
    });
    const later = await fetchAnswer();
    expect(later.operations.filter((one) => one !== 'repos/get')).toHaveLength(1);
    expect(later.body).toMatchObject({ successful: 3, all_time_count: 6, data_source: 'mixed' });
    stored.service.clock.advance(hour);
    stored.service.double.fault({ path: '/graphql', times: 50 }, { kind: 'primary_limit' });
    const bridged = await fetchAnswer();
    expect([bridged.status, bridged.headers.get('x-stale'), bridged.body.successful]).toEqual([200, 'true', 3]);
    expect(bridged.body.generated_at).toBe(later.body.generated_at);
  });
});
