import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { run } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';

const day = 86_400_000;

aDatabase((database) => {
  const visit = storedService(database);
  const { sync, ask } = visit;
  beforeAll(async () => {
    await sync('owner=octo&repo=web');
    await sync('owner=octo&repo=secret');
  });

  test('days before a repository was read are not known; of an organization they lack it, and say so', async () => {
    const { store } = visit.service.app.services;
    const now = visit.service.clock.now();
    const web = (await store?.repositories.tracked('octo'))?.find(({ repo }) => repo === 'web');
    const cursor = web && (await store?.cursors.get(web.id));
    if (!store || !web || !cursor) throw new Error('It was not synchronized.');
    const read = async (query: string) => (await ask(`trends?owner=octo&${query}`)).body;
    const read30 = () => Promise.all([read('repo=web&days=30'), read('type=org&days=30')]);
    const totals = ({ data }: { data: { total: number | null }[] }) => data.map(({ total }) => total);
    const [alone, all] = await read30();
    expect([alone.coverage.partial, all.coverage.partial]).toEqual([false, false]);
    await store.cursors.put(web.id, { ...cursor, backfilledTo: now - 3 * day });
    const [aloneThen, allThen] = await read30();
    expect(totals(aloneThen)).toEqual([...Array(26).fill(null), ...totals(alone).slice(26)]);
    expect(totals(alone)).not.toEqual(totals(aloneThen));
    expect(totals(allThen)).toEqual(totals(all));
    expect([aloneThen.coverage.partial, allThen.coverage.partial]).toEqual([true, true]);
    expect((await read('repo=web&days=3')).coverage.partial).toBe(false);
    // What a reading further back has come to is known before it ends.
    const resume = {
      kind: 'backfill',
      from: 0,
      readDownTo: now - 6 * day,
      page: 1,
      through: now,
      afterwards: null,
    } as const;
    await store.cursors.put(web.id, { ...cursor, backfilledTo: now - 3 * day, resume });
    expect(totals(await read('repo=web&days=30')).slice(0, 24)).toEqual([...Array(23).fill(null), totals(alone)[23]]);
    await store.cursors.put(web.id, cursor);
  });

  test('a quarter is partial whose first days are not known, and unknown before that', async () => {
    const { store } = visit.service.app.services;
    const now = visit.service.clock.now();
    const secret = (await store?.repositories.tracked('octo'))?.find(({ repo }) => repo === 'secret');
    const cursor = secret && (await store?.cursors.get(secret.id));
    if (!store || !secret || !cursor) throw new Error('It was not synchronized.');
    await store.cursors.put(secret.id, { ...cursor, backfilledTo: Date.UTC(2026, 6, 10) });
    // As a webhook brings it.
    await store.runs.ingest(secret.id, [run(880_001, { createdAt: Date.UTC(2026, 5, 10) })], { syncedAt: now });
    const { data } = (await ask('trends?owner=octo&repo=secret&type=quarterly&quarters=3')).body;
    expect(data).toMatchObject([
      { quarter: 'Q2 2026', total: null },
      { quarter: 'Q3 2026', total: 0, partial: true },
      { quarter: 'Q4 2026', partial: true },
    ]);
    await store.cursors.put(secret.id, cursor);
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
