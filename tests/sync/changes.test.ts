import { describe, expect, test } from 'vitest';
import { namedNow } from '../codehost-double/named-world.ts';
import { aDatabase } from '../support/a-database.ts';
import { manyRuns } from './many-runs.ts';
import { day, hour, synchronize } from './stage.ts';

aDatabase((given) => {
  describe('a world that changes while it is read', () => {
    const stage = manyRuns(given);
    const { platform, sync, stored, wanted } = stage;
    const id = (number: number) => stage.firstId + number;

    test('a repository renamed in the middle is read to its end, and known by its new name afterwards', async () => {
      let pages = 0;
      const old = stage.name;
      const renaming = stage.around((read) => {
        if (++pages === 3) platform.double.rename(old, 'octo/called-anew');
        return read();
      });
      const done = await sync([old], renaming);
      expect(done.results).toMatchObject([{ status: 'ok', totalInDb: 350 }]);
      stage.name = 'octo/called-anew';
      expect((await sync()).results).toMatchObject([{ status: 'ok', synced: 0, totalInDb: 350 }]);
      expect(await stage.known()).toMatchObject({ owner: 'octo', repo: 'called-anew' });
    });

    test('runs that cannot be read are counted, and a page full of them ends nothing', async () => {
      let pages = 0;
      const unreadable = stage.around(async (read) => {
        const page = await read();
        if (++pages === 1) return { ...page, runs: [], unread: page.runs.length };
        return { ...page, runs: page.runs.slice(2), unread: Math.min(2, page.runs.length) };
      });
      const { results } = await sync([stage.name], unreadable);
      const lost = 100 + 2 * (pages - 1);
      expect(results).toMatchObject([{ status: 'ok', unreadRuns: lost }]);
      expect(results[0]?.totalInDb).toBeGreaterThanOrEqual(350 - lost);
      expect((await sync()).results).toMatchObject([{ status: 'ok', unreadRuns: 0 }]);
    });

    test('runs that are deleted or made while pages are read shift none of the others out of sight', async () => {
      let pages = 0;
      const shifting = stage.around((read) => {
        pages++;
        platform.double.removeRun(stage.name, id(350 - pages));
        platform.double.removeRun(stage.name, id(pages * 3));
        platform.double.putRun(stage.name, { id: id(1000 + pages), createdAt: stage.client.clock.now() });
        return read();
      });
      await sync([stage.name], shifting);
      await sync();
      const ids = new Set((await stored()).map((run) => run.id));
      expect(wanted().filter((run) => !ids.has(run.id))).toEqual([]);
    });

    test('more runs in one second than a page, and than one call may read', async () => {
      const at = namedNow - 5 * day;
      platform.double.addRuns(stage.name, 230, { from: at, to: at, firstId: id(1000) });
      for (let calls = 0, partial = true; partial; calls++) {
        expect(calls).toBeLessThan(10);
        ({ partial } = await sync([stage.name], {}, { SYNC_MAX_PAGES: '1' }));
      }
      expect(await stored()).toEqual(wanted());
    });

    test('a run deleted before it ended is forgotten, one that had ended is history', async () => {
      platform.double.putRun(stage.name, { id: id(1000), createdAt: namedNow - 9 * day, status: 'in_progress' });
      await sync();
      expect(await stored()).toHaveLength(351);
      platform.double.removeRun(stage.name, id(1000));
      platform.double.removeRun(stage.name, id(349));
      await sync();
      const ids = (await stored()).map((run) => run.id);
      expect(ids).toHaveLength(350);
      expect(ids).toContain(id(349));
    });

    test('a repository that goes out of sight loses none of its runs', async () => {
      const path = `${stage.path}/${id(1000)}`;
      platform.double.putRun(stage.name, { id: id(1000), createdAt: namedNow - 9 * day, status: 'in_progress' });
      await sync();
      platform.double.fault({ path }, { kind: 'status', status: 404 });
      platform.double.fault({ path: stage.path, after: 1 }, { kind: 'status', status: 404 });
      expect((await sync()).results).toMatchObject([{ status: 'error', code: 'not_found', totalInDb: 351 }]);
      expect((await sync()).results).toMatchObject([{ status: 'ok', synced: 0, totalInDb: 351 }]);
    });

    test('a run that never ends is requested no longer than one can live', async () => {
      platform.double.putRun(stage.name, { id: id(1000), createdAt: namedNow - 20 * day, status: 'in_progress' });
      await sync();
      const sent = () => platform.double.requests.filter(({ path }) => path === `${stage.path}/${id(1000)}`).length;
      await sync();
      expect(sent()).toBe(1);
      platform.advance(20 * day);
      await sync();
      expect(sent()).toBe(1);
    });

    test('an attempt seen running, which ended and was re-run unseen, gets its end', async () => {
      const { double } = platform;
      double.putRun(stage.name, { id: id(1000), createdAt: namedNow - hour, status: 'in_progress' });
      await sync();
      double.completeRun(stage.name, id(1000), 'failure', namedNow);
      double.rerun(stage.name, id(1000), namedNow, { status: 'completed', conclusion: 'success' });
      // One run; both its attempts are stored.
      expect((await sync()).results).toMatchObject([{ status: 'ok', synced: 1 }]);
      expect(await stored()).toEqual(wanted());
    });

    test('an attempt that the platform lost is requested once', async () => {
      // What is absent is remembered by the process, which serves one database outside of tests.
      const run = id(given.name === 'embedded' ? 1001 : 1002);
      platform.double.putRun(stage.name, { id: run, createdAt: namedNow - hour, attempt: 3 });
      await sync();
      const sent = () => platform.double.requests.filter((one) => one.path.includes('/attempts/')).length;
      expect(sent()).toBe(2);
      expect(await sync()).toMatchObject({ partial: false });
      expect(sent()).toBe(2);
    });

    test('more earlier attempts than one call fetches are partial until they are there', async () => {
      for (let number = 1; number <= 60; number++)
        platform.double.rerun(stage.name, id(290 + number), namedNow, { status: 'completed', conclusion: 'success' });
      expect(await sync()).toMatchObject({ partial: true, results: [{ status: 'partial', synced: 350 }] });
      // Earlier attempts are parts of runs that were counted by the first call.
      expect(await sync()).toMatchObject({ partial: false, results: [{ status: 'ok', synced: 0 }] });
      expect(await stored()).toEqual(wanted());
    });

    test('a clock that was a year ahead is forgiven', async () => {
      const { codehost, clock } = stage.client;
      const ahead = { now: () => clock.now() + 365 * day };
      await synchronize(platform.double, [stage.name], { codehost, clock: ahead, store: stage.store });
      platform.double.putRun(stage.name, { id: id(1000), createdAt: namedNow - 10 * day });
      expect((await sync()).results).toMatchObject([{ status: 'ok', totalInDb: 351 }]);
      expect(await stored()).toEqual(wanted());
    });

    test('a clock that is hours behind hides nothing', async () => {
      const { codehost, clock } = stage.client;
      const behind = { now: () => clock.now() - 9 * hour };
      await synchronize(platform.double, [stage.name], { codehost, clock: behind, store: stage.store });
      expect(await stored()).toEqual(wanted());
    });

    test('older runs are read when they are wanted later', async () => {
      const reaching = (days: string) => sync([stage.name], {}, { SYNC_BACKFILL_DAYS: days });
      const [first] = (await reaching('30')).results;
      expect(first).toMatchObject({ status: 'ok' });
      expect(first?.totalInDb).toBeLessThan(200);
      expect((await reaching('90')).results).toMatchObject([{ status: 'ok', totalInDb: 350 }]);
      platform.double.requests.length = 0;
      expect((await reaching('90')).results).toMatchObject([{ status: 'ok', synced: 0 }]);
      expect(platform.double.requests).toHaveLength(1);
    });
  });
});
