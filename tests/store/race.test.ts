import { describe, expect, test } from 'vitest';
import type { WorkflowRun } from '../../server/metrics/facts.ts';
import type { Database, Queries } from '../../server/store/database.ts';
import { rollups } from '../../server/store/rollups.ts';
import { trends } from '../../server/store/trends.ts';
import { workflowRuns } from '../../server/store/workflow-runs.ts';
import { eachDatabase } from '../support/database.ts';
import { expectedAttempts, recount } from './recount.ts';
import { hour, minute, noon, run, track } from './world.ts';

const window = { from: '2026-01-01', to: '2026-12-31', timezone: 'UTC' };

/** Many states of few runs, so that writers meet. */
const states = (offset: number): WorkflowRun[] =>
  Array.from({ length: 600 }, (_, i) => {
    const id = offset + (i % 60);
    const attempt = 1 + (((i * 31) % 7) % 3);
    const createdAt = noon + (i % 60) * 5 * hour;
    const status = (['queued', 'in_progress', 'completed'] as const)[(i * 17) % 3] ?? 'queued';
    const updatedAt = createdAt + attempt * hour + ((i * 13) % 11) * minute;
    return run(id, {
      attempt,
      createdAt,
      status,
      updatedAt,
      startedAt: createdAt + attempt * hour,
      conclusion: 'failure',
    });
  });

/** Reads rollups and facts of the same instant. */
async function readTogether(database: Database, repoId: number) {
  return database.transaction(async (queries: Queries) => {
    await queries.query('set transaction isolation level repeatable read');
    const inside: Database = { ...database, ...queries };
    const rolled = rollups(inside);
    const daily = await trends(inside, rolled).daily([repoId], window);
    return { daily, runs: await workflowRuns(inside, rolled).recent(repoId, { limit: 1000 }) };
  });
}

eachDatabase((given) => {
  describe('writers, recomputers and readers at once', () => {
    test('every read equals the facts of its instant, and the end is the same as without company', async () => {
      const { store, database } = await given.openRaw();
      const repos = [await track(store, 1), await track(store, 2)];
      const worlds = repos.map((_, index) => states(index * 1000));
      const writers = repos.flatMap((repo, index) =>
        [0, 1, 2].map(async (writer) => {
          const seen = worlds[index] as WorkflowRun[];
          for (let start = 0; start < seen.length; start += 15) {
            // Each writer brings everything, from another place on.
            const from = (start + writer * 200) % seen.length;
            await store.runs.ingest(repo, seen.slice(from, from + 15), { syncedAt: noon });
          }
        }),
      );
      let writing = true;
      let reads = 0;
      const others = [1, 2].flatMap(() => [
        (async () => {
          while (writing) await store.runs.recomputeDirty();
        })(),
        (async () => {
          while (writing) {
            const { daily, runs } = await readTogether(database, repos[reads++ % 2] as number);
            expect(daily).toEqual(recount(runs, 'UTC'));
          }
        })(),
      ]);
      await Promise.all(writers).finally(() => {
        writing = false;
      });
      await Promise.all(others);
      await store.runs.recomputeDirty();
      for (const [index, repo] of repos.entries()) {
        const attempts = await store.runs.attempts(repo, { since: 0 });
        const found = attempts.map(({ id, attempt, status, updatedAt, completedAt }) => ({
          ...{ id, attempt, status, updatedAt, completedAt },
        }));
        expect(found.sort((a, b) => a.id - b.id || a.attempt - b.attempt)).toEqual(
          expectedAttempts(worlds[index] ?? []),
        );
        const { daily, runs } = await readTogether(database, repo);
        expect(daily).toEqual(recount(runs, 'UTC'));
      }
      expect(reads).toBeGreaterThan(2);
    }, 60_000);

    test('a change of the zone among writers leaves no day behind', async () => {
      const { store, database } = await given.openRaw();
      const repo = await track(store, 1);
      const seen = states(0);
      const write = async () => {
        for (let start = 0; start < seen.length; start += 10)
          await store.runs.ingest(repo, seen.slice(start, start + 10), { syncedAt: noon });
      };
      const turn = async () => {
        for (const zone of ['Asia/Saigon', 'America/New_York', 'UTC']) {
          await store.rollups.rebuild(zone);
          await store.runs.recomputeDirty();
        }
      };
      await Promise.all([write(), turn()]);
      await store.runs.recomputeDirty();
      const { daily, runs } = await readTogether(database, repo);
      expect(daily).toEqual(recount(runs, 'UTC'));
    }, 60_000);
  });
});
