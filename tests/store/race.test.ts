import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Database, Queries } from '../../server/store/database.ts';
import { rollups } from '../../server/store/rollups.ts';
import type { StoredRun } from '../../server/store/stored-run.ts';
import { trends } from '../../server/store/trends.ts';
import { workflowRuns } from '../../server/store/workflow-runs.ts';
import { eachDatabase } from '../support/database.ts';
import { wrongOrgDays } from './org-days.ts';
import { expectedAttempts, recount, recountMany } from './recount.ts';
import { day, hour, minute, noon, repository, run, track } from './world.ts';

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

/** Reads rollups and facts of the same instant, and expects them to agree. */
async function readTogether(database: Database, repoIds: number[]) {
  return database.transaction(async (queries: Queries) => {
    await queries.query('set transaction isolation level repeatable read');
    const inside: Database = { ...database, ...queries };
    const rolled = rollups(inside);
    const daily = await trends(inside, rolled).daily(repoIds, window);
    const runs: StoredRun[] = [];
    for (const id of repoIds) runs.push(...(await workflowRuns(inside, rolled).recent(id, { limit: 1000 })));
    expect(daily).toEqual((repoIds.length === 1 ? recount : recountMany)(runs, 'UTC'));
    const [count] = await queries.query<{ rows: number }>('select count(*)::int as rows from org_day');
    return { runs: runs.length, orgDays: count?.rows ?? 0 };
  });
}

/** Expects the days of stored runs to agree with them at one instant, and answers the days that runs have left. */
function readSealed(database: Database, repoIds: number[]) {
  return database.transaction(async (queries: Queries) => {
    await queries.query('set transaction isolation level repeatable read');
    const inside: Database = { ...database, ...queries };
    const rolled = rollups(inside);
    const [kept] = await queries.query<{ first: string; from: number }>(
      `select sealed_before::text as first, date_part('epoch', kept_from) * 1000 as from from rollup_zone`,
    );
    if (!kept) throw new Error('There is no zone.');
    const daily = await trends(inside, rolled).daily(repoIds, window);
    const runs: StoredRun[] = [];
    for (const id of repoIds) runs.push(...(await workflowRuns(inside, rolled).recent(id, { limit: 1000 })));
    const counted = recountMany(
      runs.filter(({ createdAt }) => createdAt >= kept.from),
      'UTC',
    );
    const isSealed = ({ date }: { date: string }) => kept.first !== '-infinity' && date < kept.first;
    expect(daily.filter((one) => !isSealed(one))).toEqual(counted);
    return daily.filter(isSealed);
  });
}

eachDatabase((given) => {
  describe('writers, recomputers and readers at once', () => {
    test('every read equals the facts of its instant, and the end is the same as without company', async () => {
      const { store, database } = await given.openRaw();
      const repos = [await track(store, 1), await track(store, 2), await track(store, 3)];
      const [first, second, third] = repos as [number, number, number];
      const request = [[first], [first, second, third], [first, second], [third], [second, third]];
      const worlds = repos.map((_, index) => states(index * 1000));
      const writers = repos.flatMap((repo, index) =>
        [0, 1].map(async (writer) => {
          const seen = worlds[index] as WorkflowRun[];
          for (let start = 0; start < seen.length; start += 15) {
            // Each writer brings everything, from another place on.
            const from = (start + writer * 300) % seen.length;
            await store.runs.ingest(repo, seen.slice(from, from + 15), { syncedAt: noon });
          }
        }),
      );
      let writing = true;
      let reads = 0;
      let fromOrgDays = 0;
      const others = [1, 2].flatMap(() => [
        (async () => {
          while (writing) await store.runs.recomputeDirty();
        })(),
        (async () => {
          while (writing) {
            const { orgDays } = await readTogether(database, request[reads++ % request.length] ?? []);
            if (orgDays > 0) fromOrgDays++;
          }
        })(),
      ]);
      const moving = async () => {
        for (let turn = 0; writing; turn++) {
          // Away to another owner and back, or out of sight and back.
          if (turn % 2 === 0) await store.repositories.track({ ...repository(3), owner: 'Other' }, 'ann', noon);
          else await store.repositories.untrack(second);
          await setTimeout(turn % 20);
          await Promise.all([track(store, 2), track(store, 3)]);
          await setTimeout(turn % 30);
        }
      };
      others.push(moving());
      await Promise.all(writers).finally(() => {
        writing = false;
      });
      await Promise.all(others);
      await store.runs.recomputeDirty();
      for (const [index, repo] of repos.entries()) {
        const attempts = await store.runs.attempts(repo, { since: 0 });
        const found = attempts.map(({ id, attempt, status, updatedAt, completedAt }) => ({
          id,
          attempt,
          status,
          updatedAt,
          completedAt,
        }));
        expect(found.sort((a, b) => a.id - b.id || a.attempt - b.attempt)).toEqual(
          expectedAttempts(worlds[index] ?? []),
        );
        await readTogether(database, [repo]);
      }
      for (const ids of request) await readTogether(database, ids);
      expect(reads).toBeGreaterThan(2);
      expect(fromOrgDays).toBeGreaterThan(0);
      expect(await wrongOrgDays(database)).toEqual([]);
    });

    test('a change of the zone among writers leaves no day behind', async () => {
      const { store, database } = await given.openRaw();
      const [repo, sibling] = [await track(store, 1), await track(store, 2)];
      await store.runs.ingest(sibling, states(1000), { syncedAt: noon });
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
      expect((await readTogether(database, [repo])).runs).toBe(60);
      expect(await readTogether(database, [repo, sibling])).toMatchObject({ runs: 120 });
      expect(await wrongOrgDays(database)).toEqual([]);
    });

    test('a purge among writers and recomputers takes no day from what is reported, and lets none change it', async () => {
      const { store, database } = await given.openRaw();
      const repos = [await track(store, 1), await track(store, 2)];
      const worlds = repos.map((_, index) => states(index * 1000));
      // The older half is there, so that there is something to purge from the beginning.
      for (const [index, repo] of repos.entries())
        await store.runs.ingest(repo, worlds[index]?.filter(({ createdAt }) => createdAt < noon + 6 * day) ?? [], {
          syncedAt: noon,
        });
      let isWriting = true;
      const writers = repos.map(async (repo, index) => {
        const seen = worlds[index] as WorkflowRun[];
        for (let start = 0; start < seen.length; start += 15)
          await store.runs.ingest(repo, seen.slice(start, start + 15), { syncedAt: noon });
      });
      const sealed = new Map<string, unknown>();
      const look = async () => {
        for (const day of await readSealed(database, repos)) {
          if (!sealed.has(day.date)) sealed.set(day.date, day);
          expect(day).toEqual(sealed.get(day.date));
        }
      };
      const others = [
        async () => store.runs.recomputeDirty(),
        async () => look(),
        async (turn: number) => {
          await store.purge(noon + (30 + (turn % 10)) * day, { runDays: 30, mayContinue: () => true });
        },
      ].map(async (work) => {
        for (let turn = 0; isWriting; turn++) await work(turn);
      });
      await Promise.all(writers).finally(() => {
        isWriting = false;
      });
      await Promise.all(others);
      await store.runs.recomputeDirty();
      await store.purge(noon + 40 * day, { runDays: 30, mayContinue: () => true });
      await look();
      expect(sealed.size).toBe(10);
      expect(await wrongOrgDays(database)).toEqual([]);
    });
  });
});
