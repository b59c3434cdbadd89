import { describe, expect, test } from 'vitest';
import { histogramsAsNumbers } from '../../migrations/Migration20261128100307_histograms.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { wrongOrgDays } from './org-days.ts';
import { recountMany } from './recount.ts';
import { day, hour, noon, repository, track, varied } from './world.ts';

const year = { from: '2026-01-01', to: '2026-12-31', timezone: 'UTC' };

/** Tracks repositories of one owner and brings each so many runs; the last one alone has a day of its own. */
async function team(store: Store, size: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= size; number++) {
    const id = await track(store, number);
    const runs = Array.from({ length: 40 }, (_, i) => varied(number * 1000 + i, noon + i * 7 * hour));
    if (number === size) runs.push(varied(9999, noon + 30 * day));
    await store.runs.ingest(id, runs, { syncedAt: noon });
    ids.push(id);
  }
  return ids;
}

async function expectExact(store: Store, ids: number[], timezone = 'UTC') {
  const runs = (await Promise.all(ids.map((id) => store.runs.recent(id, { limit: 1000 })))).flat();
  expect(await store.trends.daily(ids, { ...year, timezone })).toEqual(recountMany(runs, timezone));
}

const members = async (database: Database) =>
  (
    await database.query<{ owner_key: string; ids: number[] }>(
      'select owner_key, array_agg(repo_id order by repo_id) as ids from org_member group by 1 order by 1',
    )
  ).map(({ owner_key, ids }) => [owner_key, ids]);

eachDatabase((given) => {
  describe('the days of an owner', () => {
    test('are what is read of all its repositories, and less than the others of most of them', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, 5);
      await store.runs.recomputeDirty();
      expect(await members(database)).toEqual([['octo', ids]]);
      expect(await wrongOrgDays(database)).toEqual([]);
      const [one, two, three, four, five] = ids as [number, number, number, number, number];
      for (const some of [ids, [one, two, three, four], [two, three, five], [one, five], [four, one, three]])
        await expectExact(store, some);
      // Proof of where it is read: of a false sum everybody but those with few of the repositories would be reported.
      await database.query(`update org_day set total = total + 1000`);
      const firstTotal = async (some: number[]) => (await store.trends.daily(some, year))[0]?.total;
      expect(await firstTotal(ids)).toBeGreaterThan(1000);
      expect(await firstTotal([one, two, three, four])).toBeGreaterThan(1000);
      expect(await firstTotal([one, five])).toBeLessThan(1000);
      expect(await firstTotal([one])).toBeLessThan(1000);
    });

    test('tell those who may see a part nothing of the rest, not even that there was something', async () => {
      const { store } = await given.openRaw();
      const ids = await team(store, 5);
      await store.runs.recomputeDirty();
      const dates = async (some: number[]) => (await store.trends.daily(some, year)).map((row) => row.date);
      expect(await dates(ids)).toContain('2026-04-09');
      expect(await dates(ids.slice(0, 4))).not.toContain('2026-04-09');
    });

    test('are exact while days of members are behind', async () => {
      const { store } = await given.openRaw();
      const ids = await team(store, 4);
      await store.runs.recomputeDirty();
      const [first, second] = ids as [number, number];
      await store.runs.ingest(first, [varied(5000, noon), varied(5001, noon + 90 * day)], { syncedAt: noon });
      await store.runs.gone(second, 2000);
      await expectExact(store, ids);
      await expectExact(store, ids.slice(1));
      await expectExact(store, ids.slice(0, 3));
    });

    test('lose a day with its last run', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, 2);
      await store.runs.recomputeDirty();
      await store.runs.gone(ids[1] as number, 9999);
      await store.runs.recomputeDirty();
      expect(await database.query(`select from org_day where day = '2026-04-09'`)).toEqual([]);
      expect(await wrongOrgDays(database)).toEqual([]);
      await expectExact(store, ids);
    });

    test('follow repositories that come, go, and change their name or owner', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, 3);
      const [first, second, third] = ids as [number, number, number];
      await store.runs.recomputeDirty();
      const other = (id: number) => store.repositories.track({ ...repository(id), owner: 'Other' }, 'ann', noon);
      for (const [change, expected] of [
        [() => store.repositories.untrack(third), [['octo', [first, second]]]],
        [() => track(store, 3), [['octo', ids]]],
        [() => store.repositories.track(repository(3, 'renamed'), 'ann', noon), [['octo', ids]]],
        [() => other(3), [['octo', [first, second]]]],
        [() => other(2), [['other', [second, third]]]],
        [() => other(1), [['other', ids]]],
        [() => store.repositories.untrack(first), [['other', [second, third]]]],
        [() => store.repositories.untrack(second), []],
      ] as const) {
        await change();
        for (const some of [ids, [first, second], [second, third]]) await expectExact(store, some);
        await store.runs.recomputeDirty();
        expect(await members(database)).toEqual(expected);
        expect(await wrongOrgDays(database)).toEqual([]);
        for (const some of [ids, [first, second], [second, third]]) await expectExact(store, some);
      }
      expect(await database.query('select from org_day')).toEqual([]);
    });

    test('are cut anew with a change of the zone', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, 3);
      await store.runs.recomputeDirty();
      await expectExact(store, ids, 'Asia/Tokyo');
      await store.rollups.rebuild('Asia/Tokyo');
      await expectExact(store, ids, 'Asia/Tokyo');
      await store.runs.recomputeDirty();
      expect(await wrongOrgDays(database)).toEqual([]);
      await expectExact(store, ids, 'Asia/Tokyo');
      await expectExact(store, ids);
    });

    test('keep the days of runs that are stored no longer', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, 3);
      await store.runs.recomputeDirty();
      const before = await store.trends.daily(ids, year);
      await database.query(`delete from workflow_runs where created_at < '2026-03-15'`);
      expect(await store.trends.daily(ids, year)).toEqual(before);
      await store.runs.ingest(ids[0] as number, [varied(6000, noon + 60 * day)], { syncedAt: noon });
      await store.runs.recomputeDirty();
      expect((await store.trends.daily(ids, year)).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      expect(await wrongOrgDays(database)).toEqual([]);
    });

    test('say what they said when their histograms were arrays', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, 3);
      await store.runs.recomputeDirty();
      const ask = async () => [
        await store.trends.daily(ids, year),
        await store.trends.quarterly(ids.slice(0, 1), year),
      ];
      const before = await ask();
      for (const table of ['repo_day', 'org_day']) {
        await database.query(`alter table ${table} add hist_b smallint[], add hist_n int[]`);
        await database.query(`update ${table} set (hist_b, hist_n) = (
          select array_agg(b order by b), array_agg(n order by b)
          from (select b, div(steps, ('1e' || 8 * b)::numeric) % 1e8 as n from generate_series(0, 500) b) one where n > 0)`);
        await database.query(`alter table ${table} drop column steps`);
      }
      await database.query('alter table org_day add p95_ms bigint');
      for (const statement of histogramsAsNumbers) await database.query(statement);
      expect(await ask()).toEqual(before);
      expect(await wrongOrgDays(database)).toEqual([]);
    });

    test('are made of what a database has that knew none before', async () => {
      const url = await given.address();
      const first = await openTestStore(url);
      const ids = await team(first, 25);
      await first.runs.recomputeDirty();
      await first.close();
      await directly(url, async (database) => {
        for (const table of ['org_day', 'org_member']) await database.query(`delete from ${table}`);
      });
      const second = await openTestStore(url);
      await expectExact(second, ids);
      expect(await second.runs.recomputeDirty()).toBe(0);
      await expectExact(second, ids);
      await second.close();
      await directly(url, async (database) => {
        expect(await members(database)).toEqual([['octo', ids]]);
        expect(await wrongOrgDays(database)).toEqual([]);
      });
    });
  });
});

async function directly(url: string, work: (database: Database) => Promise<void>) {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  await work(toDatabase(connection.orm)).finally(connection.close);
}
