import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { manyRuns } from './many-runs.ts';
import { day, minute } from './stage.ts';

eachDatabase((given) => {
  describe('a process that is stopped in the middle of a synchronization', () => {
    const stage = manyRuns(given);
    const { platform, sync, stored, wanted } = stage;

    test('ends after the page it has begun, keeps it, and begins no other repository', async () => {
      const stopping = new AbortController();
      let pages = 0;
      const stopped = stage.around(async (read) => {
        const answer = await read();
        if (++pages === 2) stopping.abort();
        return answer;
      });
      const others = ['octo/api', 'octo/web', 'octo/old', 'octo/fork', 'octo/secret'];
      const done = await sync([stage.name], { ...stopped, signal: stopping.signal });
      expect(done).toMatchObject({ partial: true, quotaSpent: false, remaining: 0 });
      // A page begins at the last run of the one before.
      expect(done.results).toMatchObject([{ status: 'partial', synced: 199, totalInDb: 199, syncedThrough: null }]);
      expect(pages).toBe(2);
      const sent = platform.double.requests.length;
      const late = await sync([stage.name, ...others], { signal: stopping.signal });
      expect(late).toMatchObject({ partial: true, remaining: 6, results: [] });
      expect(platform.double.requests).toHaveLength(sent);
      expect(await sync()).toMatchObject({ partial: false, results: [{ status: 'ok', synced: 151 }] });
      expect(await stored()).toEqual(wanted());
      const runs = await stage.store.jobRuns.latest('runs-sync', 3);
      expect(runs.map(({ status }) => status)).toEqual(['done', 'partial', 'partial']);
    });
  });

  test('the request of a person is answered before the service closes, and its database is whole', async () => {
    const service = await startService({ DATABASE_URL: await given.address() });
    const { double, clock, app } = service;
    double.addRepository({ name: 'octo/long', facts: { id: 90_002 } });
    double.addRuns('octo/long', 900, { from: clock.now() - 80 * day, to: clock.now() - minute, firstId: 1 });
    await service.signIn('token-ann');
    const answer = service.ask('POST', '/api/db/sync?owner=octo&repo=long', { as: 'token-ann' });
    const lists = () => double.requests.filter((one) => one.operation === 'actions/list-workflow-runs-for-repo').length;
    await expect.poll(lists, { interval: 1 }).toBeGreaterThan(1);
    app.stop();
    const { status, body } = await answer;
    expect([status, body.partial, body.results[0].status]).toEqual([200, true, 'partial']);
    expect(lists()).toBeLessThan(9);
    expect(body.runs_upserted).toBeGreaterThan(0);
    expect(body.results[0]).toMatchObject({ synced: body.runs_upserted, total_in_db: body.runs_upserted });
    await service.close();
    await app.close();
  });
});
