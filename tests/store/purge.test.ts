import { describe, expect, test } from 'vitest';
import type { Database } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { putMerged } from './merged-pull-requests.ts';
import { wrongOrgDays } from './org-days.ts';
import { recount } from './recount.ts';
import { day, hour, minute, noon, track, varied } from './world.ts';

const ever = { from: '2018-01-01', to: '2027-12-31' };
const always = () => true;
/** Three repositories of one owner with a run every seven hours for 60 days from noon on, all of them counted. */
async function team(store: Store, timezone = 'UTC'): Promise<number[]> {
  await store.rollups.rebuild(timezone);
  const ids = [await track(store, 1), await track(store, 2), await track(store, 3)];
  for (const [index, id] of ids.entries()) {
    const runs = Array.from({ length: 206 }, (_, i) => varied((index + 1) * 1000 + i, noon + i * 7 * hour));
    await store.runs.ingest(id, [...runs, ...runs.slice(0, 20).map((one) => ({ ...one, attempt: 2 }))], {
      syncedAt: noon,
    });
  }
  await store.runs.recomputeDirty();
  return ids;
}

/** Everything that is reported for days. */
const reported = async ({ trends }: Store, ids: number[], timezone: string) => [
  ...(await Promise.all([ids.slice(0, 1), ids.slice(1), ids].map((some) => trends.daily(some, { ...ever, timezone })))),
  ...(await Promise.all([ids.slice(0, 1), ids].map((some) => trends.quarterly(some, { ...ever, timezone })))),
  await trends.coverage(ids),
];

const counted = async ({ trends }: Store, ids: number[], timezone: string) =>
  (await trends.daily(ids, { ...ever, timezone })).reduce((sum, { total }) => sum + total, 0);

/** From when on runs are stored, and the last of the days that nothing changes any more. */
async function boundary(database: Database): Promise<{ from: number; lastSealed: string }> {
  const [row] = await database.query<{ from: number; lastSealed: string }>(
    `select date_part('epoch', kept_from) * 1000 as from, (sealed_before - 1)::text as "lastSealed" from rollup_zone`,
  );
  if (!row) throw new Error('There is no zone.');
  return row;
}

/** The pages and the total tell of the stored runs, and of no others. */
async function expectPages(store: Store, id: number, from: number) {
  const stored = (await store.runs.recent(id, { limit: 10_000 })).filter(({ createdAt }) => createdAt >= from);
  for (const offset of [0, 17, Math.max(0, stored.length - 3)])
    expect(await store.runs.page({ repoId: id, limit: 10, offset })).toEqual({
      runs: stored.slice(offset, offset + 10),
      total: stored.length,
    });
}

eachDatabase((given) => {
  describe('the purge of runs', () => {
    test.each([
      ['UTC', Date.UTC(2026, 3, 9)],
      ['Asia/Saigon', Date.UTC(2026, 3, 8, 17)],
      ['America/New_York', Date.UTC(2026, 3, 9, 4)],
    ])('in %s takes whole days, and of the days nothing', async (timezone, boundary) => {
      const { store, database } = await given.openRaw();
      const ids = await team(store, timezone);
      const [first] = ids as [number];
      const before = await reported(store, ids, timezone);
      const all = await store.runs.recent(first, { limit: 1000 });
      const gone = all.filter(({ createdAt }) => createdAt < boundary).length;
      expect(gone).toBeGreaterThan(90);
      // Noon of the 9th of May, in all three.
      const options = { runDays: 30, mayContinue: always };
      const { rows, complete } = await store.purge(noon + 60 * day, options);
      expect({ rows, complete }).toEqual({
        rows: { workflow_runs: 3 * gone, workflow_run_attempts: 60 },
        complete: true,
      });
      const left = await store.runs.recent(first, { limit: 1000 });
      expect(left).toEqual(all.filter(({ createdAt }) => createdAt >= boundary));
      expect(await reported(store, ids, timezone)).toEqual(before);
      expect(await wrongOrgDays(database)).toEqual([]);
      for (const id of ids) await expectPages(store, id, boundary);
      expect(await store.purge(noon + 60 * day + hour, options)).toEqual({ rows: {}, complete: true });
    });

    test('stops where it is reported to, is right at every stop, and goes on there', async () => {
      const { store, database } = await given.openRaw();
      const ids = [await track(store, 1), await track(store, 2)];
      for (const [index, id] of ids.entries()) {
        const many = Array.from({ length: 6000 }, (_, i) => varied((index + 1) * 10_000 + i, noon + i * minute));
        await store.runs.ingest(id, many, { syncedAt: noon });
      }
      await store.runs.recomputeDirty();
      const before = await reported(store, ids, 'UTC');
      const stops: number[] = [];
      for (let complete = false; !complete; ) {
        // Two of them show that no day is left to be counted.
        let permissions = 4;
        const done = await store.purge(noon + 400 * day, { runDays: 30, mayContinue: () => permissions-- > 0 });
        complete = done.complete;
        stops.push(done.rows.workflow_runs ?? 0);
        expect(await reported(store, ids, 'UTC')).toEqual(before);
        for (const id of ids) expect((await store.runs.page({ repoId: id, limit: 1, offset: 0 })).total).toBe(0);
        if (stops.length === 3) {
          permissions = Number.POSITIVE_INFINITY;
          complete = (await store.purge(noon + 400 * day, { runDays: 30, mayContinue: always })).complete;
        }
      }
      expect(stops).toEqual([5000, 5000, 2000]);
      expect(await database.query('select from workflow_runs')).toEqual([]);
      expect(await reported(store, ids, 'UTC')).toEqual(before);
    });

    test('leaves days that are still to be counted until they are', async () => {
      const { store, database } = await given.openRaw();
      const repo = await track(store);
      await store.runs.ingest(repo, [varied(1, noon), varied(2, noon + 50 * day)], { syncedAt: noon });
      const before = await reported(store, [repo], 'UTC');
      // Another process has the turn to recompute.
      const other = Promise.withResolvers<void>();
      const purged = Promise.withResolvers<unknown>();
      if (given.name === 'postgresql') {
        const holding = database.transaction(async (transaction) => {
          await transaction.query('select pg_advisory_xact_lock(7246113)');
          purged.resolve(await store.purge(noon + 60 * day, { runDays: 30, mayContinue: always }));
          await other.promise;
        });
        expect(await purged.promise).toEqual({ rows: {}, complete: false });
        expect(await store.runs.recent(repo, { limit: 9 })).toHaveLength(2);
        expect(await reported(store, [repo], 'UTC')).toEqual(before);
        other.resolve();
        await holding;
      }
      const { rows } = await store.purge(noon + 60 * day, { runDays: 30, mayContinue: always });
      expect(rows).toEqual({ workflow_runs: 1 });
      expect(await reported(store, [repo], 'UTC')).toEqual(before);
    });

    test('is not undone by what comes late', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store);
      const [first] = ids as [number];
      const before = await reported(store, ids, 'UTC');
      await store.purge(noon + 60 * day, { runDays: 30, mayContinue: always });
      const { from } = await boundary(database);
      const late = [varied(1001, noon + 7 * hour), varied(9001, from - 1), { ...varied(1002, noon + day), attempt: 3 }];
      expect(await store.runs.ingest(first, late, { syncedAt: noon })).toEqual({ inserted: 0, changed: 0 });
      await store.runs.gone(first, 1003);
      expect(await reported(store, ids, 'UTC')).toEqual(before);
      expect(await store.runs.recomputeDirty()).toBe(0);
      expect(await reported(store, ids, 'UTC')).toEqual(before);
      expect(await store.runs.ingest(first, [varied(9002, from)], { syncedAt: noon })).toMatchObject({ inserted: 1 });
      for (const recompute of [false, true]) {
        if (recompute) await store.runs.recomputeDirty();
        expect(await counted(store, [first], 'UTC')).toBe(207);
        await expectPages(store, first, from);
      }
    });

    test('and changes of the zone after it count every run once, before and after days are cut anew', async () => {
      const { store, database } = await given.openRaw();
      const ids = await team(store);
      const [first] = ids as [number];
      const purgeAt = (now: number) => store.purge(now, { runDays: 30, mayContinue: always });
      const sealed = async (timezone: string, to: string) =>
        store.trends.daily([first], { from: ever.from, to, timezone });
      await purgeAt(noon + 45 * day);
      let earlier = { lastSealed: '2026-03-24', days: await sealed('UTC', '2026-03-24') };
      const zones = ['America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Kiritimati', 'Asia/Saigon'];
      for (const [index, timezone] of zones.entries()) {
        const live = await reported(store, ids, timezone);
        await store.rollups.rebuild(timezone);
        expect((await reported(store, ids, timezone)).slice(0, -1)).toEqual(live.slice(0, -1));
        await store.runs.recomputeDirty();
        expect(await reported(store, ids, timezone)).toEqual(live);
        expect(await counted(store, [first], timezone)).toBe(206);
        expect(await counted(store, ids, timezone)).toBe(3 * 206);
        expect(await wrongOrgDays(database)).toEqual([]);
        expect(await sealed(timezone, earlier.lastSealed)).toEqual(earlier.days);
        await purgeAt(noon + (47 + 2 * index) * day);
        expect(await reported(store, ids, timezone)).toEqual(live);
        const { from, lastSealed } = await boundary(database);
        expect(lastSealed > earlier.lastSealed).toBe(true);
        await expectPages(store, first, from);
        earlier = { lastSealed, days: await sealed(timezone, lastSealed) };
      }
      const stored = await store.runs.recent(first, { limit: 1000 });
      const entire = { from: '2026-04-05', to: ever.to, timezone: 'Asia/Saigon' };
      const expected = recount(stored, entire.timezone).filter(({ date }) => date >= entire.from);
      expect(await store.trends.daily([first], entire)).toEqual(expected);
    });

    test('waits a day where the zone begins its days before those that are sealed end', async () => {
      const { store, database } = await given.openRaw();
      const repo = await track(store);
      await store.rollups.rebuild('Etc/GMT+12');
      const purgeAt = (now: number) => store.purge(now, { runDays: 30, mayContinue: always });
      await purgeAt(Date.UTC(2026, 3, 24, 12));
      const { from } = await boundary(database);
      expect(from).toBe(Date.UTC(2026, 2, 25, 12));
      await store.rollups.rebuild('Pacific/Kiritimati');
      // There the next day is 26 hours ahead, and so began before the boundary.
      await purgeAt(Date.UTC(2026, 3, 24, 12));
      expect(await boundary(database)).toEqual({ from, lastSealed: '2026-03-24' });
      expect(await store.runs.ingest(repo, [varied(1, from - hour)], { syncedAt: noon })).toMatchObject({
        inserted: 0,
      });
      await purgeAt(Date.UTC(2026, 3, 25, 12));
      expect(await boundary(database)).toEqual({ from: Date.UTC(2026, 2, 26, 10), lastSealed: '2026-03-26' });
    });
  });

  test('facts go whose first reading never ended', async () => {
    const { store, database } = await given.openRaw();
    await track(store, 1);
    await putMerged(store, 1, { number: 1, mergedAt: noon });
    await database.query('delete from fact_sync_state');
    const stored = async () => (await database.query('select from pr_facts')).length;
    expect(await stored()).toBe(1);
    await store.purge(noon + 402 * day, { runDays: 400, mayContinue: always });
    expect(await stored()).toBe(0);
  });
});
