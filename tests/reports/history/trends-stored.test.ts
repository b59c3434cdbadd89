import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';

const day = 86_400_000;

aDatabase((database) => {
  const visit = storedService(database);
  const { sync, ask } = visit;
  beforeAll(async () => {
    await sync('owner=octo&repo=web');
    await sync('owner=octo&repo=secret');
  });

  test('trends tell of days whose runs are no longer stored what they reported before', async () => {
    const questions = ['&repo=web&days=90', '&type=org&days=90', '&repo=web&type=quarterly', '&type=org&days=3'];
    const answers = () => Promise.all(questions.map(async (one) => (await ask(`trends?owner=octo${one}`)).body));
    const before = await answers();
    const { store } = visit.service.app.services;
    if (!store) throw new Error('There is no database.');
    const runs = async () => (await ask('runs?owner=octo&repo=web')).body;
    expect((await runs()).total).toBe(15);
    const now = visit.service.clock.now();
    const { rows } = await store.purge(now, { runDays: 1, mayContinue: () => true });
    expect(rows.workflow_runs).toBeGreaterThan(2);
    const left = await runs();
    expect(left.total).toBeLessThan(15);
    expect(left.runs).toHaveLength(left.total);
    for (const { created_at } of left.runs) expect(Date.parse(created_at)).toBeGreaterThan(now - 2 * day);
    expect(await answers()).toEqual(before);
    // Reading the same again from the platform does not bring them back, nor counts them twice.
    await sync('owner=octo&repo=web');
    expect((await runs()).total).toBe(left.total);
    const after = await answers();
    expect(after.map(({ data }) => data)).toEqual(before.map(({ data }) => data));
    expect(after[0].coverage.first_run_at).toBe('2026-10-07T10:00:00.000Z');
  });

  test('days after the least synced repository was read are not known, and the answer is partial', async () => {
    const { service } = visit;
    const lastDay = new Date(service.clock.now()).toISOString().slice(0, 10);
    service.clock.advance(2 * day);
    const from = service.clock.now() - 90 * 60_000;
    service.double.addRuns('octo/secret', 4, { from, to: from + 60_000, firstId: 990_001 });
    await sync('owner=octo&repo=secret');
    const read = async (query: string) => (await ask(`trends?owner=octo&${query}`)).body;
    const alone = await read('repo=secret&days=1');
    expect([alone.data[0].total, alone.coverage.partial]).toEqual([4, false]);
    const all = await read('type=org&days=3');
    expect(all.data[0]).toMatchObject({ date: lastDay, total: expect.any(Number) });
    for (const one of all.data.slice(1))
      expect(one).toMatchObject({ total: null, failure: null, avg_duration_ms: null });
    expect(all.coverage).toMatchObject({ partial: true, repos_included: 2 });
    service.clock.advance(92 * day);
    const { data } = (await ask('trends?owner=octo&repo=web&type=quarterly&quarters=2', 'token-bo')).body;
    expect(data).toMatchObject([
      { partial: true, total: expect.any(Number) },
      { partial: true, total: null },
    ]);
  });
});
