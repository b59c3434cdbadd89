import { describe, expect, test } from 'vitest';
import type { Conclusion, WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { recount } from './recount.ts';
import { day, hour, minute, noon, readBackTo, repository, run, track } from './world.ts';

const year = { from: '2026-01-01', to: '2026-12-31' };

/** Runs of many days, lengths and endings; the same every time. */
const history = (count: number, { first = 1, spacing = 5 * hour } = {}): WorkflowRun[] =>
  Array.from({ length: count }, (_, i) => {
    const endings: Conclusion[] = [
      'success',
      'success',
      'failure',
      'cancelled',
      'timed_out',
      'skipped',
      'startup_failure',
    ];
    const createdAt = Date.UTC(2026, 0, 3) + i * spacing;
    const startedAt = createdAt + ((i * 37) % 600) * 1000;
    return run(first + i, {
      createdAt,
      startedAt,
      updatedAt: startedAt + (((i * 7919) % 5000) + 1) * 1000,
      conclusion: endings[i % endings.length] ?? null,
    });
  });

eachDatabase((given) => {
  describe('trends', () => {
    let shared: Promise<Store> | undefined;
    let worlds = 0;

    test('days are cut in the zone requested', async () => {
      const store = await given.open();
      const repo = await track(store);
      const nearMidnight = Date.UTC(2026, 2, 10, 16, 59, 59);
      const runs = [run(1, { createdAt: nearMidnight }), run(2, { createdAt: nearMidnight + 1000 })];
      await store.runs.ingest(repo, runs, { syncedAt: noon });
      const dates = async (timezone: string) =>
        (await store.trends.daily([repo], { ...year, timezone })).map(({ date, total }) => [date, total]);
      expect(await dates('Asia/Saigon')).toEqual([
        ['2026-03-10', 1],
        ['2026-03-11', 1],
      ]);
      expect(await dates('UTC')).toEqual([['2026-03-10', 2]]);
    });

    test.each([
      ['Asia/Saigon', Date.UTC(2026, 2, 10)],
      ['Europe/Berlin', Date.UTC(2026, 2, 28, 20)],
      ['Europe/Berlin', Date.UTC(2026, 9, 24, 20)],
      ['America/Havana', Date.UTC(2026, 2, 8)],
      ['America/Havana', Date.UTC(2026, 10, 1)],
      ['Africa/Cairo', Date.UTC(2026, 3, 23, 18)],
      ['Africa/Cairo', Date.UTC(2026, 9, 29, 18)],
      ['Australia/Lord_Howe', Date.UTC(2026, 3, 4)],
      ['Asia/Kathmandu', Date.UTC(2026, 5, 1)],
    ])('rollups, live days and pages of %s agree around %d', async (timezone, from) => {
      shared ??= given.openForAll();
      const store = await shared;
      const repo = await track(store, ++worlds);
      const runs = Array.from({ length: 200 }, (_, i) => run(worlds * 1000 + i, { createdAt: from + i * 13 * minute }));
      await store.rollups.rebuild(timezone);
      await store.runs.ingest(repo, runs, { syncedAt: noon });
      const stored = await store.runs.recent(repo, { limit: 1000 });
      const live = await store.trends.daily([repo], { ...year, timezone });
      await store.runs.recomputeDirty();
      const clean = await store.trends.daily([repo], { ...year, timezone });
      expect(live).toEqual(recount(stored, timezone));
      expect(clean).toEqual(live);
      for (const offset of [0, 50, 99, 130, 199])
        expect((await store.runs.page({ repoId: repo, limit: 7, offset })).runs).toEqual(
          stored.slice(offset, offset + 7),
        );
    });

    test('rollups and live days give the same figures, for one repository and for several', async () => {
      const store = await given.open();
      const repos = [await track(store, 1), await track(store, 2)];
      await store.runs.ingest(repos[0] as number, history(400), { syncedAt: noon });
      await store.runs.ingest(repos[1] as number, history(300, { first: 10_000, spacing: 3 * hour }), {
        syncedAt: noon,
      });
      const ask = async () => [
        await store.trends.daily(repos.slice(0, 1), { ...year, timezone: 'UTC' }),
        await store.trends.daily(repos, { ...year, timezone: 'UTC' }),
        await store.trends.quarterly(repos, { ...year, timezone: 'UTC' }),
      ];
      const live = await ask();
      const stored = (await Promise.all(repos.map((id) => store.runs.recent(id, { limit: 1000 })))).flat();
      const exact = recount(stored, 'UTC');
      await store.runs.recomputeDirty();
      expect(await ask()).toEqual(live);
      for (const [index, one] of (live[1] ?? []).entries()) {
        const { medianDurationMs, p90DurationMs, p95DurationMs, ...rest } = exact[index] as (typeof exact)[number];
        expect(one).toMatchObject(rest);
        expect([medianDurationMs, p90DurationMs, p95DurationMs]).not.toContain(null);
      }
    });

    test('the only run of a day or quarter is its median and its percentiles, of several repositories too', async () => {
      const store = await given.open();
      const repos = [await track(store, 1), await track(store, 2), await track(store, 3)];
      const only = 61_234;
      const runs = [run(1, { createdAt: noon, startedAt: noon, updatedAt: noon + only })];
      await store.runs.ingest(repos[0] as number, runs, { syncedAt: noon });
      const window = { ...year, timezone: 'UTC' };
      const quantiles = { medianDurationMs: only, p90DurationMs: only, p95DurationMs: only };
      for (const recomputed of [false, true]) {
        if (recomputed) await store.runs.recomputeDirty();
        for (const some of [repos, repos.slice(0, 1)]) {
          expect(await store.trends.daily(some, window)).toMatchObject([quantiles]);
          expect(await store.trends.quarterly(some, window)).toMatchObject([quantiles]);
        }
      }
    });

    test('the percentile of a long window is within 2.5 percent', async () => {
      const store = await given.open();
      const repo = await track(store);
      await store.runs.ingest(repo, history(2000, { spacing: hour }), { syncedAt: noon });
      await store.runs.recomputeDirty();
      const durations = (await store.runs.recent(repo, { limit: 5000 }))
        .filter((one) => one.createdAt < Date.UTC(2026, 3, 1))
        .flatMap((one) => one.durationMs ?? [])
        .sort((a, b) => a - b);
      const [first] = await store.trends.quarterly([repo], { ...year, timezone: 'UTC' });
      for (const [found, q] of [
        [first?.medianDurationMs, 0.5],
        [first?.p90DurationMs, 0.9],
        [first?.p95DurationMs, 0.95],
      ] as const) {
        const exact = durations[Math.ceil(q * durations.length) - 1] as number;
        expect(Math.abs((found ?? 0) / exact - 1), String(q)).toBeLessThan(0.025);
      }
    });

    test('quarters are cut in the zone, and averages weigh every run the same', async () => {
      const store = await given.open();
      const repo = await track(store);
      const newYear = Date.UTC(2025, 11, 31, 17);
      const taking = (id: number, createdAt: number, minutes: number) =>
        run(id, { createdAt, startedAt: createdAt, updatedAt: createdAt + minutes * minute });
      const runs = [
        taking(1, newYear - 1, 1),
        taking(2, newYear, 2),
        taking(3, newYear + day, 3),
        taking(4, newYear + day, 7),
      ];
      await store.runs.ingest(repo, runs, { syncedAt: noon });
      const window = { from: '2025-10-01', to: '2026-03-31', timezone: 'Asia/Saigon' };
      const rows = await store.trends.quarterly([repo], window);
      expect(rows.map(({ year, quarter, total, avgDurationMs }) => [year, quarter, total, avgDurationMs])).toEqual([
        [2025, 4, 1, minute],
        [2026, 1, 3, 4 * minute],
      ]);
    });

    test('nothing known is an empty list, and a mean of nothing is unknown', async () => {
      const store = await given.open();
      const repo = await track(store);
      expect(await store.trends.daily([], { ...year, timezone: 'UTC' })).toEqual([]);
      expect(await store.trends.daily([repo], { ...year, timezone: 'UTC' })).toEqual([]);
      await store.runs.ingest(repo, [run(1, { status: 'queued', conclusion: null, startedAt: null })], {
        syncedAt: noon,
      });
      expect(await store.trends.daily([repo], { ...year, timezone: 'UTC' })).toEqual([
        {
          date: '2026-03-10',
          total: 1,
          success: 0,
          failure: 0,
          cancelled: 0,
          other: 1,
          avgDurationMs: null,
          avgQueueMs: null,
          medianDurationMs: null,
          p90DurationMs: null,
          p95DurationMs: null,
        },
      ]);
    });

    test('a change of the zone is answered exactly at once, and is partial until the rollups are cut anew', async () => {
      const store = await given.open();
      const repo = await track(store);
      await readBackTo(store, repo, 0);
      await store.runs.ingest(repo, history(200), { syncedAt: noon });
      await store.runs.recomputeDirty();
      expect(await store.trends.coverage([repo])).toMatchObject({ partial: false, syncedThrough: noon });
      expect(await store.rollups.rebuild('America/New_York')).toBe(true);
      expect(await store.rollups.rebuild('America/New_York')).toBe(false);
      const stored = await store.runs.recent(repo, { limit: 1000 });
      const ask = () => store.trends.daily([repo], { ...year, timezone: 'America/New_York' });
      expect(await ask()).toEqual(recount(stored, 'America/New_York'));
      expect((await store.trends.coverage([repo])).partial).toBe(true);
      await store.runs.recomputeDirty();
      expect(await ask()).toEqual(recount(stored, 'America/New_York'));
      expect((await store.trends.coverage([repo])).partial).toBe(false);
    });

    test('a late correction of when a run was created moves it to its day, and back it does not go', async () => {
      const store = await given.open();
      const repo = await track(store);
      const reported = async () =>
        (await store.trends.daily([repo], { ...year, timezone: 'UTC' })).map(({ date, total }) => [date, total]);
      const seen = (createdAt: number, updatedAt: number) =>
        store.runs.ingest(repo, [run(1, { createdAt, updatedAt }), run(2)], { syncedAt: noon });
      await seen(noon, noon + hour);
      await store.runs.recomputeDirty();
      expect(await reported()).toEqual([['2026-03-10', 2]]);
      await seen(noon - 3 * day, noon + 2 * hour);
      const moved = [
        ['2026-03-07', 1],
        ['2026-03-10', 1],
      ];
      expect(await reported()).toEqual(moved);
      await store.runs.recomputeDirty();
      expect(await reported()).toEqual(moved);
      expect(await seen(noon, noon + hour)).toEqual({ inserted: 0, changed: 0 });
      expect(await reported()).toEqual(moved);
    });

    test('coverage is that of the least known repository', async () => {
      const store = await given.open();
      const repos = [await track(store, 1), await track(store, 2)];
      const [first, second] = repos as [number, number];
      const cursor = { syncedThrough: noon, backfilledTo: 0, deepAt: null, resume: null };
      await store.cursors.put(first, cursor);
      expect((await store.trends.coverage(repos)).partial).toBe(true);
      await store.cursors.put(second, { ...cursor, syncedThrough: noon - day });
      await store.runs.ingest(second, [run(5, { createdAt: noon - 3 * day })], { syncedAt: noon });
      expect(await store.trends.coverage(repos)).toEqual({
        syncedThrough: noon - day,
        firstRunAt: noon - 3 * day,
        someKnownFrom: 0,
        allKnownFrom: 0,
        partial: false,
      });
      await readBackTo(store, second, noon - 9 * day);
      const known = { someKnownFrom: 0, allKnownFrom: noon - 9 * day };
      expect(await store.trends.coverage(repos)).toMatchObject(known);
      // What a backfill has read counts, also while it waits for what is new.
      const part = { from: noon - 90 * day, page: 1, through: noon, afterwards: null };
      const backfill = { ...part, kind: 'backfill' as const, readDownTo: noon - 20 * day };
      const forward = { ...part, kind: 'forward' as const, readDownTo: noon, afterwards: backfill };
      for (const resume of [backfill, forward]) {
        await store.cursors.put(second, { ...cursor, backfilledTo: noon - 9 * day, resume });
        const begun = { allKnownFrom: noon - 20 * day, partial: true };
        expect(await store.trends.coverage(repos)).toMatchObject(begun);
      }
      await readBackTo(store, second, noon - 9 * day);
      // A repository that is younger than what was read of it is known as a whole.
      await store.repositories.track({ ...repository(3), createdAt: noon - day }, 'ann', noon);
      const young = await track(store, 4);
      await store.repositories.track({ ...repository(4), createdAt: noon - day }, 'ann', noon);
      await readBackTo(store, young, noon - 2 * day);
      expect(await store.trends.coverage([...repos, young])).toMatchObject(known);
    });
  });
});
