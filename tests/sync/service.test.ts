import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { type Service, startService } from '../support/service.ts';
import { day, hour, minute, platformRuns, repoIdOf, rollupsAndRecount, storedRuns } from './stage.ts';

/** A token instead of a session, because weeks pass here. */
const asAnn = { headers: bearerOf('token-ann') };

aDatabase((given) => {
  describe('synchronizing through the service', () => {
    let service: Service;
    let store: Store;
    let number = 0;
    let name = '';

    beforeAll(async () => {
      service = await startService({ DATABASE_URL: await given.address() });
      store = service.app.services.store as Store;
    });
    afterAll(() => service?.close());
    beforeEach(() => {
      service.clock.advance(minute);
      name = `octo/world-${++number}`;
      service.double.addRepository({ name, facts: { id: 70_000 + number } });
      service.double.requests.length = 0;
    });

    const sync = async (of = name) => {
      const [owner, repo] = of.split('/');
      const { status, body } = await service.ask('POST', '/api/db/sync', { ...asAnn, body: { owner, repo } });
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    const runs = async (query = '') =>
      (await service.ask('GET', `/api/db/runs?${new URLSearchParams(nameParts())}${query}`, asAnn)).body;
    const nameParts = () => ({ owner: name.split('/')[0] ?? '', repo: name.split('/')[1] ?? '' });
    const repoId = () => repoIdOf(store, name);
    const now = () => service.clock.now();
    const listed = () =>
      service.double.requests.filter((one) => one.operation === 'actions/list-workflow-runs-for-repo').length;

    test('1,250 runs are read in calls until nothing is left', async () => {
      service.double.addRuns(name, 1250, { from: now() - 80 * day, to: now(), firstId: 1_000_000 });
      const first = await sync();
      expect(first).toMatchObject({ partial: true, repos_synced: 1, results: [{ status: 'partial' }] });
      expect(first.results[0].synced_through).toBeNull();
      const second = await sync();
      expect(second).toMatchObject({ partial: false, results: [{ status: 'ok', total_in_db: 1250 }] });
      expect(first.runs_upserted + second.runs_upserted).toBe(1250);
      expect(await storedRuns(store, await repoId())).toEqual(platformRuns(repositoryOf(service.double.world, name)));
      expect(listed()).toBe(13);
      expect(service.double.violations).toEqual([]);
    });

    test('a run that was in progress is completed, however long ago it was created', async () => {
      service.double.putRun(name, { id: 1, createdAt: now() - 10 * day, status: 'in_progress' });
      expect((await sync()).runs_upserted).toBe(1);
      service.clock.advance(minute);
      service.double.completeRun(name, 1, 'failure', now());
      expect((await sync()).runs_upserted).toBe(1);
      expect((await runs()).runs).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    });

    test('a newer run that is known already hides no older ones', async () => {
      service.double.addRuns(name, 5, { from: now() - 5 * day, to: now() - day, firstId: 2_000_000 });
      const newest = service.double.putRun(name, { id: 2_000_100, createdAt: now() - minute });
      await store.runs.ingest(await track(), [newest], { syncedAt: now() });
      await sync();
      expect(await runs()).toMatchObject({ total: 6 });
    });

    test('a late message about an earlier state changes nothing', async () => {
      const ended = service.double.putRun(name, { id: 2_100_000, createdAt: now() - hour });
      await sync();
      const late: WorkflowRun = { ...ended, status: 'queued', conclusion: null, updatedAt: ended.createdAt };
      await store.runs.ingest(await repoId(), [late], { syncedAt: now() });
      expect((await runs()).runs).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
    });

    test('a re-run 26 days later is found by the weekly reading, and keeps its first attempt', async () => {
      service.double.putRun(name, { id: 2_200_000, createdAt: now(), conclusion: 'failure' });
      await sync();
      for (let week = 0; week < 3; week++) {
        service.clock.advance(7 * day);
        expect(await sync()).toMatchObject({ partial: false, runs_upserted: 0 });
      }
      service.clock.advance(5 * day);
      service.double.rerun(name, 2_200_000, now(), { status: 'completed', conclusion: 'success' });
      service.clock.advance(2 * day);
      expect(await sync()).toMatchObject({ partial: false });
      expect((await runs()).runs).toMatchObject([{ run_attempt: 2, conclusion: 'success', queue_wait_ms: null }]);
      expect(await storedRuns(store, await repoId())).toMatchObject([
        { attempt: 1, conclusion: 'failure' },
        { attempt: 2, conclusion: 'success' },
      ]);
    });

    test('attempts that came and went between two readings are fetched', async () => {
      service.double.putRun(name, { id: 2_300_000, createdAt: now() - hour, conclusion: 'failure' });
      for (const conclusion of ['failure', 'success'] as const)
        service.double.rerun(name, 2_300_000, now() - minute, { status: 'completed', conclusion });
      // One run, whose attempts are all stored.
      expect((await sync()).runs_upserted).toBe(1);
      expect((await storedRuns(store, await repoId())).map((run) => run.attempt)).toEqual([1, 2, 3]);
      service.double.requests.length = 0;
      service.clock.advance(minute);
      expect((await sync()).runs_upserted).toBe(0);
      expect(service.double.requests.filter((one) => one.operation === 'actions/get-workflow-run-attempt')).toEqual([]);
    });

    test('the second of two equal calls changes nothing, and costs one page', async () => {
      service.double.addRuns(name, 95, { from: now() - 2 * day, to: now(), firstId: 2_400_000 });
      expect((await sync()).runs_upserted).toBe(95);
      const before = await runs();
      service.clock.advance(minute);
      service.double.requests.length = 0;
      expect(await sync()).toMatchObject({ partial: false, runs_upserted: 0, results: [{ synced: 0 }] });
      expect(listed()).toBe(1);
      // The other request that is allowed asks whether the repository is still there.
      expect(service.double.requests.length).toBeLessThanOrEqual(2);
      expect((await runs()).runs).toEqual(before.runs);
      const { daily, recounted } = await rollupsAndRecount(store, await repoId());
      expect(daily.map(({ total }) => total)).toEqual(recounted.map(({ total }) => total));
    });

    test('a busy repository comes to an end although its last 72 hours alone are more than one call may read', async () => {
      service.double.addRuns(name, 1900, { from: now() - 3 * day, to: now(), firstId: 3_000_000 });
      const states = [];
      for (let calls = 0; calls < 3; calls++) {
        states.push((await sync()).partial);
        service.clock.advance(20_000);
      }
      expect(states).toEqual([true, false, true]);
      expect(await runs()).toMatchObject({ total: 1900 });
    });

    test('of two calls at once one does the work and the other says so', async () => {
      service.double.addRuns(name, 150, { from: now() - 20 * day, to: now(), firstId: 4_000_000 });
      await track();
      // So that the first is still at it when the second comes, however busy the machine is.
      service.double.fault({ path: /\/actions\/runs/ }, { kind: 'latency', ms: 700 });
      const both = await Promise.all([sync(), sync()]);
      const states = both.map(({ results }) => results[0].status);
      expect(states.toSorted()).toEqual(['locked', 'ok']);
      expect(both.find(({ repos_skipped }) => repos_skipped === 1)).toMatchObject({ repos_failed: 0, partial: false });
      expect(await runs()).toMatchObject({ total: 150 });
    });

    test('a repository without runs has none', async () => {
      expect(await runs()).toMatchObject({ runs: [], total: 0, synced_through: null });
      await sync();
      expect(await runs()).toMatchObject({
        runs: [],
        total: 0,
        synced_through: new Date(now() - 2 * minute).toISOString(),
      });
    });

    test('the six calls a minute count what a person starts, not its continuation', async () => {
      service.clock.advance(2 * minute);
      service.double.addRuns(name, 1250, { from: now() - 80 * day, to: now(), firstId: 5_000_000 });
      for (let calls = 0; calls < 5; calls++) await sync('octo/empty');
      expect((await sync()).partial).toBe(true);
      expect((await sync()).partial).toBe(false);
      const response = await service.ask('POST', '/api/db/sync', {
        as: 'token-ann',
        body: { owner: 'octo', repo: 'old' },
      });
      expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    });

    test('a token that the platform rejects ends everything', async () => {
      await track();
      await service.signIn('token-bo');
      service.double.fault({ path: `/repos/${name}/actions/runs` }, { kind: 'status', status: 401 });
      const answer = await service.ask('POST', '/api/db/sync', { as: 'token-bo', body: nameParts() });
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated', details: { reason: 'token_rejected' } },
      });
      expect(await store.jobRuns.latest('runs-sync', 1)).toMatchObject([{ status: 'failed', trigger: 'manual' }]);
    });

    const track = () => store.repositories.track(repositoryOf(service.double.world, name).facts, 'ann', now());
  });
});
