import { describe, expect, test } from 'vitest';
import type { Store } from '../../server/store/orm.ts';
import type { SyncRequest } from '../../server/sync/sync-repositories.ts';
import type { Fault } from '../codehost-double/faults.ts';
import { aDatabase } from '../support/a-database.ts';
import { manyRuns } from './many-runs.ts';
import { hour } from './stage.ts';

aDatabase((given) => {
  describe('trouble in the middle of a synchronization', () => {
    const stage = manyRuns(given);
    const { platform, sync, stored, wanted } = stage;

    /** A client that waits only so long for the pages after the second, however busy the machine is. */
    const soonTired = (): Pick<SyncRequest, 'codehost'> => {
      const { codehost: patient } = stage.client;
      const { codehost: tired } = platform.as('token-ann', 1000);
      let pages = 0;
      const window: typeof patient.runs.window = (...request) =>
        (++pages > 2 ? tired : patient).runs.window(...request);
      return { codehost: { ...patient, runs: { ...patient.runs, window } } };
    };

    test.each<[string, Fault]>([
      ['a platform that hangs', { kind: 'hang' }],
      ['an error of the platform', { kind: 'status', status: 502, message: 'secret words of the platform' }],
      ['a body cut off', { kind: 'cut_body' }],
      ['an answer that is no JSON', { kind: 'malformed_json' }],
    ])('%s keeps what was read, and the next call goes on there', async (_, fault) => {
      platform.double.fault({ path: stage.path, after: 2, times: 3 }, fault);
      const broken = await sync([stage.name], fault.kind === 'hang' ? soonTired() : {});
      expect(broken).toMatchObject({ partial: false, quotaSpent: false });
      // A page begins at the last run of the one before.
      expect(broken.results).toMatchObject([
        { status: 'error', code: 'upstream_unavailable', synced: 199, totalInDb: 199, syncedThrough: null },
      ]);
      expect(JSON.stringify(broken)).not.toContain('secret words');
      platform.double.requests.length = 0;
      const next = await sync();
      expect(next).toMatchObject({ partial: false, results: [{ status: 'ok', synced: 151, totalInDb: 350 }] });
      expect(platform.double.requests.map((one) => one.query.page)).toEqual(['1', '1']);
      expect(await stored()).toEqual(wanted());
    });

    test('a short failure is not noticed', async () => {
      platform.double.fault({ path: stage.path, after: 1, times: 2 }, { kind: 'status', status: 503 });
      expect(await sync()).toMatchObject({ partial: false, results: [{ status: 'ok', synced: 350 }] });
    });

    test.each<[string, Fault]>([
      ['the hourly limit', { kind: 'primary_limit' }],
      ['the limit against bursts', { kind: 'secondary_limit', retryAfter: 60 }],
    ])('%s stops everything, is reported as partial, and is gone on with afterwards', async (_, fault) => {
      const others = ['octo/old', 'octo/fork', 'octo/no-actions', 'octo/renamed-now', 'octo/no-issues'];
      platform.double.fault({ path: stage.path, after: 2 }, fault);
      const broken = await sync([stage.name, ...others]);
      expect(broken).toMatchObject({ partial: true, quotaSpent: true });
      expect(broken.remaining + broken.results.length).toBe(6);
      expect(broken.results[0]).toMatchObject({
        status: 'partial',
        code: 'upstream_rate_limited',
        synced: 199,
        totalInDb: 199,
        syncedThrough: null,
      });
      const { requests } = platform.double;
      const request = requests.length;
      const waiting = await stage.store.cursors.get((await stage.known())?.id ?? 0);
      platform.advance(-50_000);
      expect((await sync()).results).toMatchObject([{ status: 'partial', synced: 0 }]);
      expect(requests.length, 'nothing is asked while the limit lasts').toBe(request);
      expect(waiting?.resume).toMatchObject({ kind: 'forward', page: 1 });
      platform.advance(2 * hour);
      const next = await sync([stage.name, ...others]);
      expect(next).toMatchObject({ partial: false, remaining: 0, quotaSpent: false });
      expect(await stored()).toEqual(wanted());
    });

    test('a quota that runs out by use leaves a reserve, and keeps the cursor', async () => {
      platform.double.budgets.setRemaining('ann', 'core', 52);
      expect((await sync()).results).toMatchObject([{ status: 'partial', synced: 298, syncedThrough: null }]);
      platform.advance(2 * hour);
      expect((await sync()).results).toMatchObject([{ status: 'ok', totalInDb: 350 }]);
      expect(await stored()).toEqual(wanted());
    });

    test.each<[number, string]>([
      [404, 'not_found'],
      [451, 'legally_blocked'],
      [403, 'upstream_forbidden'],
    ])('a repository rejected with %d fails alone, and is not tracked because of that', async (status, code) => {
      platform.double.fault({ path: stage.path }, { kind: 'status', status });
      const { results, partial } = await sync([stage.name, 'octo/api']);
      expect(results).toMatchObject([{ status: 'error', code, synced: 0 }, { status: 'ok' }]);
      expect(partial).toBe(false);
      const isTracked = async () => (await stage.known())?.tracked;
      expect(await isTracked()).toBe(false);
      await sync();
      expect(await isTracked()).toBe(true);
      platform.double.fault({ path: stage.path }, { kind: 'status', status });
      await sync();
      expect(await isTracked(), 'what is tracked stays so').toBe(true);
    });

    test.each<[string, number, Fault]>([
      ['an error of the platform', 3, { kind: 'status', status: 502 }],
      ['a rejected token', 1, { kind: 'status', status: 401 }],
    ])('%s before anything is read tracks nothing', async (_, times, fault) => {
      platform.double.fault({ path: stage.path, times }, fault);
      await sync().catch(() => undefined);
      expect(await stage.known()).toMatchObject({ tracked: false });
      platform.double.fault({ path: stage.path, after: 1, times }, fault);
      await sync().catch(() => undefined);
      expect(await stage.known()).toMatchObject({ tracked: true });
    });

    test('a rejected token ends the call, and keeps what was read', async () => {
      platform.double.fault({ path: stage.path, after: 1 }, { kind: 'status', status: 401 });
      await expect(sync()).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(await stored()).toHaveLength(100);
      expect((await sync()).results).toMatchObject([{ status: 'ok', synced: 250 }]);
    });

    test('a defect concerns one repository, and says nothing about itself', async () => {
      const ingest: Store['runs']['ingest'] = async (repoId, runs, seen) => {
        if (runs.length === 100) throw new TypeError('secret inner matter');
        return stage.store.runs.ingest(repoId, runs, seen);
      };
      const store = { ...stage.store, runs: { ...stage.store.runs, ingest } };
      const done = await sync([stage.name, 'octo/api'], { store });
      expect(done.results).toMatchObject([{ status: 'error', code: 'internal' }, { status: 'ok' }]);
      expect(JSON.stringify(done)).not.toContain('secret');
      expect((await sync()).results).toMatchObject([{ status: 'ok', synced: 350 }]);
    });

    test('nothing is begun after the time is up; what was begun is stored', async () => {
      const others = ['octo/api', 'octo/web', 'octo/old', 'octo/fork', 'octo/secret'];
      let running = 0;
      let most = 0;
      const four = Promise.withResolvers<void>();
      const slow = stage.around(async (read) => {
        most = Math.max(most, ++running);
        if (running === 4) four.resolve();
        await four.promise;
        const answer = await read();
        platform.advance(60_000);
        running--;
        return answer;
      });
      const done = await sync([stage.name, ...others], slow);
      expect(done.partial).toBe(true);
      expect(done.results.length + done.remaining).toBe(6);
      expect(done.results[0]).toMatchObject({ status: 'partial', totalInDb: 100 });
      expect(most).toBe(4);
      expect(done.remaining).toBeGreaterThan(0);
      expect(await stage.store.runs.recomputeDirty(), 'days are left to be counted').toBeGreaterThan(0);
      expect(await sync([stage.name, ...others])).toMatchObject({ partial: false, remaining: 0 });
      expect(await stored()).toEqual(wanted());
    });
  });
});
