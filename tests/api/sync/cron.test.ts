import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOpenPullRequests } from '../../../server/facts/open-pull-requests.ts';
import type { Store } from '../../../server/store/orm.ts';
import { platformToken } from '../../codehost-double/platform-token.ts';
import { aDatabase } from '../../support/a-database.ts';
import { anyDatabase, type Service, startService } from '../../support/service.ts';
import { expectProblem } from '../endpoints.ts';

const secret = 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE';
const routes = ['sync', 'sync-pr-facts', 'sync-commit-facts'];
const machine = { CRON_SECRET: secret, CODEHOST_TOKEN: 'token-ann' };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('who may ask', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ ...machine, DATABASE_URL: anyDatabase });
  });
  afterAll(() => service?.close());

  test.each(routes)('%s is rejected without the bearer, also to whoever is signed in', async (route) => {
    const path = `/api/cron/${route}`;
    const wrong = [
      {},
      bearer('x'),
      bearer(`${secret}x`),
      bearer(''),
      { headers: { authorization: `Basic ${secret}` } },
    ];
    for (const request of wrong) expectProblem(await service.ask('GET', path, request), 401, 'cron_unauthorized');
    expectProblem(await service.ask('GET', path, { as: 'token-ann' }), 401, 'cron_unauthorized');
    const platformToken = { as: 'token-ann', ...bearer('token-ann') };
    expectProblem(await service.ask('GET', path, platformToken), 401, 'cron_unauthorized');
  });

  test.each(routes)('%s is requested by GET alone', async (route) => {
    for (const method of ['HEAD', 'OPTIONS', 'POST'])
      expect((await service.ask(method, `/api/cron/${route}`, bearer(secret))).status, method).toBe(405);
  });

  test('a bearer under a mistyped address is never taken for somebody’s token, and goes nowhere', async () => {
    const shaped = platformToken('token-ann');
    const mistyped = ['/api/cron', '/api/cron/', '/api/cron/sync/', '/api/cron/sync-all', '/api//cron/sync'];
    mistyped.push('/api/cron/sync%2F', '/api/cron-sync', '/api/CRON/sync', '/api/crons/sync');
    const before = service.double.requests.length;
    for (const path of mistyped)
      for (const method of ['GET', 'POST']) {
        expectProblem(await service.ask(method, path), 401, 'cron_unauthorized');
        expectProblem(await service.ask(method, path, bearer(shaped)), 401, 'cron_unauthorized');
        expectProblem(await service.ask(method, path, bearer(secret)), 404, 'not_found');
      }
    expect((await service.ask('POST', '/api/cron/sync', bearer(shaped))).status).toBe(405);
    expect(service.double.requests).toHaveLength(before);
  });

  test('a secret with the shape of a platform token goes nowhere either, whatever the address', async () => {
    const shaped = '9f2c4b7e1a8d3056c9e4f17b2a6d80c35e1b94f7';
    const beside = await startService({ CRON_SECRET: shaped }, service);
    const before = service.double.requests.length;
    for (const path of ['/api/corn/sync', '/api/sync', '/cron/sync', '/api/codehost/repos', '/api/auth/me'])
      await beside.ask('GET', path, bearer(shaped));
    expectProblem(await beside.ask('GET', '/api/auth/me', bearer(shaped)), 401, 'unauthenticated');
    expect(service.double.requests).toHaveLength(before);
    expectProblem(await beside.ask('GET', '/api/cron/sync', bearer(shaped)), 503, 'db_not_configured');
    await beside.close();
  });

  test('where no secret is configured, no bearer is the right one', async () => {
    const closed = await startService({}, service);
    for (const token of [secret, 'undefined', ''])
      expectProblem(await closed.ask('GET', '/api/cron/sync', bearer(token)), 401, 'cron_unauthorized');
    await closed.close();
  });

  test('without a database or a token of the service there is nothing to do, and it says so', async () => {
    const [noDatabase, noToken] = [
      await startService(machine, service),
      await startService({ CRON_SECRET: secret, DATABASE_URL: anyDatabase }, service),
    ];
    for (const route of routes) {
      const path = `/api/cron/${route}`;
      expectProblem(await noDatabase.ask('GET', path, bearer(secret)), 503, 'db_not_configured');
      expectProblem(await noToken.ask('GET', path, bearer(secret)), 503, 'service_token_missing');
    }
    await Promise.all([noDatabase.close(), noToken.close()]);
  });

  test('a token that the platform rejects is distinguished from one that is missing, and is not a sign-in', async () => {
    const rejected = await startService({ ...machine, CODEHOST_TOKEN: 'nobody', DATABASE_URL: anyDatabase }, service);
    await rejected.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
    const answer = await rejected.ask('GET', '/api/cron/sync', bearer(secret));
    expectProblem(answer, 503, 'service_token_missing');
    expect(answer.body.error).toBe('GitHub rejected the service token.');
    await rejected.close();
  });
});

aDatabase((database) => {
  describe('the nightly work', () => {
    let service: Service;
    beforeAll(async () => {
      service = await startService({ ...machine, DATABASE_URL: await database.address() });
    });
    afterAll(() => service?.close());
    const cron = (route: string) => service.ask('GET', `/api/cron/${route}`, bearer(secret));

    test('reads nothing before somebody tracked a repository', async () => {
      const { status, body } = await cron('sync');
      expect(status).toBe(200);
      expect(body).toMatchObject({ ok: true, partial: false, repos_tracked: 0, repos_synced: 0, results: [] });
    });

    test('synchronizes every tracked repository with the token of the service', async () => {
      await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
      service.clock.advance(3_600_000);
      service.double.putRun('octo/web', { id: 5020, createdAt: service.clock.now() - 5 * 60_000 });
      const { body } = await cron('sync');
      expect(body).toEqual({
        ok: true,
        partial: false,
        duration_ms: expect.any(Number),
        repos_tracked: 1,
        repos_synced: 1,
        repos_failed: 0,
        repos_remaining: 0,
        results: [
          {
            repo: 'octo/web',
            status: 'ok',
            synced: 1,
            unread_runs: 0,
            total_in_db: 16,
            alerts_fired: 0,
            latest_run_id: expect.any(Number),
            synced_through: new Date(service.clock.now() - 120_000).toISOString(),
          },
        ],
        digest: { destinations_notified: 0, events_included: 0, failures: 0 },
        leadership_digest: { skipped: true },
      });
    });

    test('reads pull requests, then the commits of those that were merged; a second call finds nothing new', async () => {
      const { body } = await cron('sync-pr-facts');
      expect(body).toMatchObject({ ok: true, partial: false, repos_in_scope: 1, repos_done: 1, repos_remaining: 0 });
      expect(body.prs_upserted).toBeGreaterThan(0);
      const store = service.app.services.store as Store;
      const [tracked] = await store.repositories.tracked();
      const open = await readOpenPullRequests(tracked?.id ?? 0, store, service.clock.now());
      expect(open?.items.length, 'alerts watch those that are open').toBeGreaterThan(0);
      const commits = (await cron('sync-commit-facts')).body;
      expect(commits).toMatchObject({ ok: true, partial: false, repos_done: 1, repos_remaining: 0, prs_truncated: 0 });
      expect(commits.prs_synced).toBeGreaterThan(0);
      expect(commits.commits_upserted).toBeGreaterThanOrEqual(commits.prs_synced);
      expect(commits.budget_exhausted).toBe(false);
      expect((await cron('sync-pr-facts')).body).toMatchObject({ prs_upserted: 0, reviews_upserted: 0 });
      expect((await cron('sync-commit-facts')).body).toMatchObject({ prs_synced: 0, commits_upserted: 0 });
    });

    test.each(routes)('of two calls of %s at once one works and the other says so', async (route) => {
      const both = await Promise.all([cron(route), cron(route)]);
      const skipped = both.filter(({ body }) => body.skipped === 'already_running');
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect(skipped).toHaveLength(1);
      expect(Object.keys(skipped[0]?.body).sort()).toEqual(['ok', 'skipped', 'started_at']);
    });

    test('a repository that is gone fails alone, is noted, and left alone after a week until somebody asks for it', async () => {
      await service.ask('POST', '/api/db/sync?owner=octo&repo=api', { as: 'token-ann' });
      service.clock.advance(600_000);
      service.double.fault({ path: '/repos/octo/api*', times: 99 }, { kind: 'status', status: 404 });
      const { body } = await cron('sync');
      expect(body).toMatchObject({ repos_tracked: 2, repos_synced: 1, repos_failed: 1 });
      const gone = body.results.find(({ repo }: { repo: string }) => repo === 'octo/api');
      expect(gone).toMatchObject({ status: 'error', code: 'not_found' });
      service.clock.advance(8 * 86_400_000);
      expect((await cron('sync')).body).toMatchObject({ repos_tracked: 1, repos_failed: 0 });
    });
  });
});
