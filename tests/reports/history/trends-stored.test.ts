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
});
