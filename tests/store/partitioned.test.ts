import fc from 'fast-check';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { Store } from '../../server/store/orm.ts';
import { createDatabase } from '../support/created-databases.ts';
import { openTestStore } from '../support/database.ts';
import { createPartitioned, partition } from '../support/partitioned.ts';
import { day, deliveries, hour, minute, noon, observations, run, track, unseen, varied } from './world.ts';

const socket = inject('postgres');
const ever = { from: '2020-01-01', to: '2030-12-31', timezone: 'UTC' };

/** How many rows are in which month. */
async function months(url: string, table: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select tableoid::regclass::text as part, count(*)::int as rows from ${table} group by 1 order by 1`,
  );
  const { rows: parts } = await client.query(
    `select inhrelid::regclass::text as part from pg_inherits where inhparent = '${table}'::regclass order by 1`,
  );
  await client.end();
  const filled = new Map(rows.map((row) => [row.part, row.rows]));
  return Object.fromEntries(parts.map(({ part }) => [part.slice(table.length + 1), filled.get(part) ?? 0]));
}

const reported = async (store: Store, repo: number) => ({
  recent: unseen(await store.runs.recent(repo, { limit: 10_000 })),
  attempts: unseen(await store.runs.attempts(repo, { since: 0 })),
  daily: await store.trends.daily([repo], ever),
  page: await store.runs.page({ repoId: repo, limit: 5, offset: 7 }),
  coverage: await store.trends.coverage([repo]),
});

describe.skipIf(socket === null)('runs in a table for each month', () => {
  const stores: Store[] = [];
  const open = async (url: string) => {
    const store = await openTestStore(url, { poolMax: 3 });
    stores.push(store);
    return store;
  };
  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  test('are the same runs, before and after, and go with their months', async () => {
    const url = await createDatabase(socket as string);
    const store = await open(url);
    const repo = await track(store);
    const runs = Array.from({ length: 300 }, (_, i) => varied(i + 1, Date.UTC(2026, 0, 25) + i * 6 * hour));
    await store.runs.ingest(repo, [...runs, ...runs.slice(0, 40).map((one) => ({ ...one, attempt: 2 }))], {
      syncedAt: noon,
    });
    await store.runs.recomputeDirty();
    const before = await reported(store, repo);
    await partition(url);
    expect(await reported(store, repo)).toEqual(before);
    expect(await months(url, 'workflow_runs')).toMatchObject({
      '2026_01': 28,
      '2026_02': 112,
      '2026_03': 124,
      '2026_04': 36,
      later: 0,
    });
    expect(await months(url, 'workflow_run_attempts')).toMatchObject({ '2026_01': 28, '2026_02': 12, later: 0 });
    // A run whose month is corrected, one of a month that has no table yet, and nothing new.
    const moved = { ...varied(300, Date.UTC(2026, 1, 3)), updatedAt: noon + 300 * day };
    const far = varied(301, Date.UTC(2035, 5, 5));
    expect(await store.runs.ingest(repo, [moved, far, ...runs.slice(40, 60)], { syncedAt: noon })).toEqual({
      inserted: 1,
      changed: 1,
    });
    expect(await months(url, 'workflow_runs')).toMatchObject({ '2026_02': 113, '2026_04': 35, later: 1 });
    await partition(url);
    expect(await months(url, 'workflow_runs')).toMatchObject({ '2035_06': 1, later: 0 });
    await store.runs.recomputeDirty();
    const all = await reported(store, repo);
    const purged = await store.purge(Date.UTC(2026, 3, 20, 12), { runDays: 30, mayContinue: () => true });
    expect(purged).toEqual({ rows: { workflow_runs: 221, workflow_run_attempts: 40 }, complete: true });
    await partition(url);
    const left = await months(url, 'workflow_runs');
    expect(left).toMatchObject({ '2026_03': 44, '2026_04': 35, '2035_06': 1 });
    for (const gone of ['2026_01', '2026_02']) expect(Object.keys(left)).not.toContain(gone);
    const { daily, coverage } = await reported(store, repo);
    expect({ daily, coverage }).toEqual({ daily: all.daily, coverage: all.coverage });
  });

  test('end in the same state as in one table, whatever comes in whatever order', async () => {
    const [one, many] = await Promise.all([
      open(await createDatabase(socket as string)),
      open(await createPartitioned(socket as string)),
    ]);
    let world = 0;
    const calls = observations(Date.UTC(2026, 1, 20), 70).chain(deliveries);
    await fc.assert(
      fc.asyncProperty(calls, async (reported) => {
        const offset = ++world * 1000;
        const stateOf = async (store: Store) => {
          const repo = await track(store, world);
          const counts = [];
          for (const call of reported)
            counts.push(
              await store.runs.ingest(
                repo,
                call.map((one) => run(one.id + offset, { ...one, id: one.id + offset })),
                { syncedAt: noon },
              ),
            );
          const live = await store.trends.daily([repo], ever);
          await store.runs.recomputeDirty();
          const attempts = unseen(await store.runs.attempts(repo, { since: 0 }));
          return { counts, live, attempts, daily: await store.trends.daily([repo], ever) };
        };
        expect(await stateOf(many)).toEqual(await stateOf(one));
      }),
      { numRuns: 25, seed: 7 },
    );
  });

  test('are taken in by several writers at once', async () => {
    const store = await open(await createPartitioned(socket as string));
    const repo = await track(store);
    const runs = Array.from({ length: 200 }, (_, i) => varied(i + 1, noon + i * 6 * hour));
    const later = runs.map((one) => ({ ...one, updatedAt: one.updatedAt + minute }));
    await Promise.all(
      [0, 50, 100].map((from) =>
        store.runs.ingest(repo, [...runs.slice(from), ...later.slice(0, from)], { syncedAt: noon }),
      ),
    );
    expect((await store.runs.summary(repo)).total).toBe(200);
    expect(await store.runs.recent(repo, { limit: 500 })).toHaveLength(200);
  });
});
