import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { eachDatabase } from '../support/database.ts';
import { expectedAttempts, recount } from './recount.ts';
import { day, deliveries, hour, minute, noon, observations, run, track, unseen } from './world.ts';

eachDatabase((given) => {
  describe('taking runs in', () => {
    test('what went in comes out', async () => {
      const store = await given.open();
      const repo = await track(store);
      const one = run(9_007_199_254_740_000, { headBranch: 'a,b {"c"} \\ ü', conclusion: 'timed_out' });
      expect(await store.runs.ingest(repo, [one], { syncedAt: noon })).toEqual({ inserted: 1, changed: 0 });
      expect(await store.runs.recent(repo, { limit: 10 })).toEqual([
        {
          ...one,
          completedAt: noon + 11 * minute,
          durationMs: 10 * minute,
          jobWaitMs: null,
          queueWaitMs: minute,
          syncedAt: noon,
        },
      ]);
    });

    test('titles are not stored', async () => {
      const store = await given.open();
      const repo = await track(store);
      await store.runs.ingest(repo, [run(1, { displayTitle: 'Secret plan' })], { syncedAt: noon });
      expect((await store.runs.recent(repo, { limit: 1 }))[0]?.displayTitle).toBeNull();
    });

    test('the same again changes nothing', async () => {
      const store = await given.open();
      const repo = await track(store);
      const runs = [run(1), run(2, { status: 'in_progress', conclusion: null }), run(3, { attempt: 2 })];
      await store.runs.ingest(repo, runs, { syncedAt: noon });
      await store.runs.recomputeDirty();
      expect(await store.runs.ingest(repo, runs, { syncedAt: noon + hour })).toEqual({ inserted: 0, changed: 0 });
      expect(await store.runs.recomputeDirty()).toBe(0);
    });

    test('the same again writes nothing to the log of the database', async () => {
      const { store, database } = await given.openRaw();
      const repo = await track(store);
      const runs = Array.from({ length: 1500 }, (_, i) =>
        run(i + 1, { createdAt: noon + i * minute, attempt: 1 + (i % 2) }),
      );
      await store.runs.ingest(repo, runs, { syncedAt: noon });
      const written = async () =>
        Number((await database.query<{ at: string }>(`select pg_current_wal_insert_lsn() - '0/0' as at`))[0]?.at);
      const again = async () => {
        const before = await written();
        await store.runs.ingest(repo, runs, { syncedAt: noon + hour });
        return (await written()) - before;
      };
      // Others write to the same server; one quiet moment is enough, and none comes if this writes itself.
      let growth = await again();
      for (let i = 0; i < 100 && growth > 0; i++) growth = await again();
      expect(growth).toBe(0);
    });

    test('new and known runs are looked up by their key, never by reading the whole table', async () => {
      const { store, database } = await given.openRaw();
      const repo = await track(store);
      const take = (first: number) =>
        store.runs.ingest(
          repo,
          Array.from({ length: 400 }, (_, i) => run(first + i, { attempt: 1 + (i % 2) })),
          { syncedAt: noon },
        );
      const scans = async () => {
        await database.query('select pg_stat_force_next_flush()');
        const [row] = await database.query<{ tables: number; entries: number }>(
          `select (select sum(seq_scan)::int from pg_stat_user_tables where relname like 'workflow_run%') as tables,
            (select sum(idx_tup_read)::int from pg_stat_user_indexes where relname like 'workflow_run%') as entries`,
        );
        return row ?? { tables: Number.NaN, entries: Number.NaN };
      };
      const empty = await scans();
      for (let round = 0; round < 8; round++) await take(1 + 300 * round);
      const read = (await scans()).entries - empty.entries;
      expect(read, 'entries of indexes, also before anything is known of the table').toBeLessThan(20_000);
      await database.query('analyze');
      const before = await scans();
      for (let round = 8; round < 15; round++) await take(1 + 300 * round);
      const after = await scans();
      expect(after.tables).toBe(before.tables);
      expect(after.entries - before.entries).toBeLessThan(20_000);
    });

    test('a late "requested" does not overwrite "completed"', async () => {
      const store = await given.open();
      const repo = await track(store);
      const requested = run(1, { status: 'requested', conclusion: null, startedAt: null, updatedAt: noon });
      await store.runs.ingest(repo, [run(1)], { syncedAt: noon });
      await store.runs.ingest(repo, [requested], { syncedAt: noon });
      // Of the same moment, the further state stands.
      await store.runs.ingest(repo, [{ ...requested, updatedAt: run(1).updatedAt }], { syncedAt: noon });
      expect((await store.runs.recent(repo, { limit: 1 }))[0]).toMatchObject({
        status: 'completed',
        conclusion: 'success',
      });
    });

    test('a re-run after 26 days is the run, and the first attempt stays', async () => {
      const store = await given.open();
      const repo = await track(store);
      const again = run(1, { attempt: 2, startedAt: noon + 26 * day, updatedAt: noon + 26 * day + hour });
      await store.runs.ingest(repo, [run(1, { conclusion: 'failure' })], { syncedAt: noon });
      expect(await store.runs.missingAttempts(repo, 0, 10)).toEqual([]);
      await store.runs.ingest(repo, [again], { syncedAt: noon });
      const [latest] = await store.runs.recent(repo, { limit: 1 });
      expect(latest).toMatchObject({ attempt: 2, durationMs: hour, queueWaitMs: null, createdAt: noon });
      const attempts = await store.runs.attempts(repo, { since: 0 });
      expect(attempts.map((one) => [one.attempt, one.conclusion])).toEqual([
        [1, 'failure'],
        [2, 'success'],
      ]);
    });

    test('durations beyond 32 bits are stored, impossible ones are unknown', async () => {
      const store = await given.open();
      const repo = await track(store);
      const lasting = (id: number, ms: number) => run(id, { startedAt: noon, updatedAt: noon + ms });
      await store.runs.ingest(repo, [lasting(1, 30 * day), lasting(2, 36 * day), lasting(3, -1)], { syncedAt: noon });
      const runs = await store.runs.recent(repo, { limit: 3 });
      expect(runs.map((one) => one.durationMs)).toEqual([null, null, 30 * day]);
    });

    test('completion is the first moment seen as completed, whatever came first', async () => {
      const store = await given.open();
      const repo = await track(store);
      const ended = [20, 11, 40].map((m) => run(1, { updatedAt: noon + m * minute }));
      for (const one of ended) await store.runs.ingest(repo, [one], { syncedAt: noon });
      expect((await store.runs.recent(repo, { limit: 1 }))[0]).toMatchObject({
        completedAt: noon + 11 * minute,
        updatedAt: noon + 40 * minute,
        durationMs: 10 * minute,
      });
    });

    test('a refreshed unfinished run goes to the end of the line', async () => {
      const store = await given.open();
      const repo = await track(store);
      const open = [1, 2, 3].map((id) => run(id, { status: 'queued', conclusion: null }));
      await store.runs.ingest(repo, open, { syncedAt: noon });
      await store.runs.ingest(repo, open.slice(0, 1), { syncedAt: noon + hour });
      expect((await store.runs.unfinished(repo, 0, 2)).map((one) => one.id).sort()).toEqual([2, 3]);
      await store.runs.gone(repo, 2);
      expect((await store.runs.unfinished(repo, 0, 5)).map((one) => one.id)).toEqual([3, 1]);
    });

    test('missing earlier attempts are named until they are known', async () => {
      const store = await given.open();
      const repo = await track(store);
      await store.runs.ingest(repo, [run(1, { attempt: 3 })], { syncedAt: noon });
      expect(await store.runs.missingAttempts(repo, 0, 10)).toEqual([
        { id: 1, attempt: 1 },
        { id: 1, attempt: 2 },
      ]);
      await store.runs.ingest(repo, [run(1)], { syncedAt: noon });
      expect(await store.runs.missingAttempts(repo, 0, 10)).toEqual([{ id: 1, attempt: 2 }]);
    });

    test('a run that is reported for two repositories is in the one that was reported last', async () => {
      const store = await given.open();
      const [one, two] = [await track(store, 1), await track(store, 2)];
      const tell = (repo: number, minutes: number, differing = {}) =>
        store.runs.ingest(repo, [run(1, { updatedAt: noon + minutes * minute, ...differing }), run(repo + 10)], {
          syncedAt: noon,
        });
      const homes = async () => {
        await store.runs.recomputeDirty();
        const totals = await Promise.all([one, two].map((id) => store.trends.daily([id], week)));
        expect(totals.map(([first]) => first?.total)).toEqual(
          (await Promise.all([one, two].map((id) => store.runs.summary(id)))).map(({ total }) => total),
        );
        const runs = await Promise.all([one, two].map((id) => store.runs.recent(id, { limit: 9 })));
        return runs.map((of) => of.some(({ id }) => id === 1));
      };
      const week = { from: '2026-03-08', to: '2026-03-14', timezone: 'UTC' };
      await tell(one, 20);
      await tell(two, 19);
      expect(await homes()).toEqual([true, false]);
      await tell(two, 21);
      expect(await homes()).toEqual([false, true]);
      await tell(one, 22, { attempt: 2 });
      expect(await homes()).toEqual([true, false]);
    });

    test('every attempt ends in its latest state, with its first completion', async () => {
      const store = await given.open();
      let repo = 0;
      const calls = observations().chain((seen) => fc.tuple(fc.constant(seen), deliveries(seen)));
      await fc.assert(
        fc.asyncProperty(calls, async ([seen, deliveries]) => {
          const offset = ++repo * 1000;
          const id = await track(store, repo);
          for (const call of deliveries)
            await store.runs.ingest(
              id,
              call.map((one) => ({ ...one, id: one.id + offset })),
              { syncedAt: noon },
            );
          const attempts = await store.runs.attempts(id, { since: 0 });
          const states = attempts
            .map(({ id, attempt, status, updatedAt, completedAt }) => ({
              id: id - offset,
              attempt,
              status,
              updatedAt,
              completedAt,
            }))
            .sort((a, b) => a.id - b.id || a.attempt - b.attempt);
          expect(states).toEqual(expectedAttempts(seen));
          const latest = await store.runs.recent(id, { limit: 100 });
          for (const one of latest)
            expect(one.attempt).toBe(Math.max(...seen.filter((s) => s.id + offset === one.id).map((s) => s.attempt)));
          const window = { from: '2026-01-01', to: '2026-12-31' };
          for (const timezone of ['UTC', 'Asia/Saigon'])
            expect(await store.trends.daily([id], { ...window, timezone })).toEqual(recount(latest, timezone));
          await store.runs.recomputeDirty();
          expect(await store.trends.daily([id], { ...window, timezone: 'UTC' })).toEqual(recount(latest, 'UTC'));
        }),
        { numRuns: 40 },
      );
    });

    test('the state depends on what was seen, not on its order, repetition or grouping', async () => {
      const store = await given.open();
      let repo = 0;
      const stateAfter = async (calls: WorkflowRun[][]) => {
        const id = await track(store, ++repo);
        // Run ids are the platform's and unique: each world gets its own.
        const own = (one: WorkflowRun) => run(one.id + repo * 1000, { ...one, id: one.id + repo * 1000 });
        for (const call of calls) await store.runs.ingest(id, call.map(own), { syncedAt: noon });
        await store.runs.recomputeDirty();
        const bare = (runs: Awaited<ReturnType<typeof store.runs.recent>>) =>
          unseen(runs).map(({ htmlUrl: _, ...one }) => ({ ...one, id: one.id - repo * 1000, runNumber: 0 }));
        return {
          runs: bare(await store.runs.recent(id, { limit: 100 })),
          attempts: bare(await store.runs.attempts(id, { since: 0 })),
          days: await store.trends.daily([id], { from: '2026-01-01', to: '2026-12-31', timezone: 'UTC' }),
        };
      };
      const worlds = observations().chain((seen) => fc.tuple(deliveries(seen), deliveries(seen)));
      await fc.assert(
        fc.asyncProperty(worlds, async ([one, other]) => {
          expect(await stateAfter(one)).toEqual(await stateAfter(other));
        }),
        { numRuns: 40 },
      );
    });
  });
});
