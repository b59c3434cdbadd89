import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Conclusion, conclusions } from '../../server/metrics/kernel/facts.ts';
import { eachDatabase } from '../support/database.ts';
import { day, deliveries, noon, observations, run, track } from './world.ts';

const question = fc.record({
  limit: fc.integer({ min: 1, max: 15 }),
  offset: fc.integer({ min: 0, max: 15 }),
  conclusion: fc.option(fc.constantFrom<Conclusion>(...conclusions), { nil: undefined }),
});

eachDatabase((given) => {
  describe('pages of runs', () => {
    test('a page is a slice of all runs, newest first, and the total counts the same filter', async () => {
      const store = await given.open();
      let world = 0;
      const worlds = fc.tuple(
        observations().chain(deliveries),
        fc.array(question, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
      );
      await fc.assert(
        fc.asyncProperty(worlds, async ([calls, questions, recompute]) => {
          const offset = ++world * 1000;
          const repoId = await track(store, world);
          for (const call of calls)
            await store.runs.ingest(
              repoId,
              call.map((one) => ({ ...one, id: one.id + offset })),
              { syncedAt: noon },
            );
          // Sometimes from rollups, sometimes from days whose rollup is behind.
          if (recompute) await store.runs.recomputeDirty();
          const all = await store.runs.recent(repoId, { limit: 1000 });
          expect(all).toEqual(all.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id));
          for (const { limit, offset, conclusion } of questions) {
            const matching = all.filter((one) => conclusion === undefined || one.conclusion === conclusion);
            const page = await store.runs.page({ repoId, limit, offset, conclusion });
            expect(page).toEqual({ runs: matching.slice(offset, offset + limit), total: matching.length });
          }
          const { total, latestRunId, firstRunAt } = await store.runs.summary(repoId);
          expect([total, latestRunId, firstRunAt]).toEqual([
            all.length,
            all.length === 0 ? null : Math.max(...all.map((one) => one.id)),
            all.at(-1)?.createdAt ?? null,
          ]);
        }),
        { numRuns: 40 },
      );
    });

    test('repositories with a run since a moment, each once', async () => {
      const store = await given.open();
      const [one, two, quiet, none] = await Promise.all([31, 32, 33, 34].map((id) => track(store, id)));
      const put = (repoId: number | undefined, ids: number[], createdAt: number) =>
        store.runs.ingest(
          repoId as number,
          ids.map((id) => run(id, { createdAt })),
          { syncedAt: noon },
        );
      await put(one, [90_001, 90_002], noon);
      await put(two, [90_003], noon - day);
      await put(quiet, [90_004], noon - day - 1);
      const ids = [one, two, quiet, none].flatMap((id) => id ?? []);
      expect(ids).toHaveLength(4);
      expect(await store.runs.activeSince(ids, noon - day)).toEqual([one, two]);
      expect(await store.runs.activeSince(ids.slice(1), noon - day)).toEqual([two]);
      expect(await store.runs.activeSince([], noon - day)).toEqual([]);
    });

    test('one workflow alone, from a moment on', async () => {
      const store = await given.open();
      const repoId = await track(store);
      const runs = [1, 2, 3, 4].map((id) => run(id, { workflowId: id % 2, createdAt: noon + id * day }));
      await store.runs.ingest(repoId, runs, { syncedAt: noon });
      const found = await store.runs.recent(repoId, { workflowId: 0, since: noon + 3 * day, limit: 10 });
      expect(found.map((one) => one.id)).toEqual([4]);
    });
  });
});
