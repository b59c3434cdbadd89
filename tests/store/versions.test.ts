import { describe, expect, test } from 'vitest';
import type { Database, Queries } from '../../server/store/database.ts';
import { serviceStatements } from '../../server/store/statements.ts';
import { type Scope, versions } from '../../server/store/versions.ts';
import { eachDatabase, postgresDatabase, type TestDatabase } from '../support/database.ts';
import { noon, run, track } from './world.ts';

async function opened(given: TestDatabase) {
  const { store, database } = await given.openRaw();
  const version = async (scope: Scope) => (await store.versions.read([scope])).get(scope);
  return { store, database, version };
}

eachDatabase((given) => {
  describe('versions of what is stored', () => {
    test('move with the facts of a repository, and with those of no other', async () => {
      const { store, version } = await opened(given);
      const one = await track(store, 101);
      await track(store, 102);
      const look = async () => [await version('repo:101'), await version('repo:102'), await version('facts')];
      const before = await look();
      await store.runs.ingest(one, [run(1)], { syncedAt: noon });
      const after = await look();
      expect(after[0]).not.toBe(before[0]);
      expect(after[1]).toBe(before[1]);
      expect(after[2]).not.toBe(before[2]);
    });

    test('stay when the same facts are stored again', async () => {
      const { store, version } = await opened(given);
      const one = await track(store, 101);
      await store.runs.ingest(one, [run(1)], { syncedAt: noon });
      await store.runs.recomputeDirty();
      const before = await version('facts');
      await store.runs.ingest(one, [run(1)], { syncedAt: noon });
      expect(await version('facts')).toBe(before);
    });

    test('move when a repository is renamed, and with what is deleted beneath it', async () => {
      const { store, database, version } = await opened(given);
      const one = await track(store, 101);
      await store.runs.ingest(one, [run(1)], { syncedAt: noon });
      const seen = new Set([await version('repo:101')]);
      await database.query(`update repos set name = 'renamed' where id = $1`, [one]);
      seen.add(await version('repo:101'));
      await database.query('delete from repos where id = $1', [one]);
      seen.add(await version('repo:101'));
      expect(seen.size).toBe(3);
    });

    test('of settings and links move with them alone', async () => {
      const { store, database, version } = await opened(given);
      const look = async () => [await version('settings'), await version('links'), await version('facts')];
      const before = await look();
      const by = { actor: { id: 1, login: 'ann' }, requestId: 'request', now: noon };
      await store.settings.put('workday', { value: { from: 9 }, by });
      const saved = await look();
      await database.query(
        `insert into distinct_pairs (a_key, b_key, a, b, created_by, created_at) values ('ann', 'bo', 'ann', 'bo', 'ann', now())`,
      );
      const linked = await look();
      expect(saved).toEqual([expect.any(String), before[1], before[2]]);
      expect(linked).toEqual([saved[0], expect.any(String), before[2]]);
    });

    test('of settings move when every day is counted in a new zone, once', async () => {
      const { store, version } = await opened(given);
      await store.runs.ingest(await track(store, 101), [run(1)], { syncedAt: noon });
      await store.runs.recomputeDirty();
      await store.rollups.rebuild('Asia/Tokyo');
      const before = await version('settings');
      await store.runs.recomputeDirty();
      const after = await version('settings');
      expect(after).not.toBe(before);
      await store.runs.recomputeDirty();
      expect(await version('settings')).toBe(after);
    });

    test('stay when the transaction is rolled back', async () => {
      const { store, database, version } = await opened(given);
      const one = await track(store, 101);
      const before = await version('repo:101');
      const failed = database.transaction(async ({ query }) => {
        await query(`update repos set name = 'renamed' where id = $1`, [one]);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await version('repo:101')).toBe(before);
    });

    test('are never those of before, also when rows are merged', async () => {
      const { store, database, version } = await opened(given);
      const one = await track(store, 101);
      const seen: (string | undefined)[] = [];
      for (let turn = 0; turn < 6; turn++) {
        await database.query('update repos set name = $2 where id = $1', [one, `name-${turn}`]);
        seen.push(await version('repo:101'));
        if (turn % 2 === 1) expect(await store.versions.merge()).toBeGreaterThan(0);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(await store.versions.merge()).toBe(0);
    });

    test('that are wanted at once are read together, and none is older than the call', async () => {
      const { store, database, version } = await opened(given);
      const one = await track(store, 101);
      for (let turn = 0; turn < 20; turn++) {
        const reads = [version('facts'), version('repo:101')];
        await database.query('update repos set name = $2 where id = $1', [one, `name-${turn}`]);
        const after = version('repo:101');
        await Promise.all(reads);
        expect(await after).toBe(await version('repo:101'));
      }
    });
  });
});

postgresDatabase((given) => {
  test('versions are read though an earlier statement does not come back', async () => {
    const { database } = await opened(given);
    const held = Promise.withResolvers<void>();
    let statements = 0;
    const late: Database = {
      ...database,
      prepared: async (...parameters: Parameters<Database['prepared']>) => {
        if (++statements === 1) await held.promise;
        return database.prepared(...parameters) as never;
      },
    };
    const { read } = versions(late);
    const first = read(['facts']);
    await expect.poll(() => statements).toBe(1);
    await read(['facts']);
    held.resolve();
    await first;
    expect(statements).toBe(2);
  });

  test('a version moves with each commit, in whichever order transactions began, and around a merge', async () => {
    const { store, database, version } = await opened(given);
    const ids = await Promise.all([1, 2, 3, 4].map((id) => track(store, id)));
    const seen = [await version('facts')];
    const begun = ids.map((id) => {
      const mayCommit = Promise.withResolvers<void>();
      const changed = Promise.withResolvers<void>();
      const committed = database.transaction(async ({ query }) => {
        await query(`update repos set name = 'renamed' where id = $1`, [id]);
        changed.resolve();
        await mayCommit.promise;
      });
      return { mayCommit, changed, committed };
    });
    await Promise.all(begun.map(({ changed }) => changed.promise));
    for (const [at, { mayCommit, committed }] of begun.toReversed().entries()) {
      expect(await version('facts')).toBe(seen.at(-1));
      mayCommit.resolve();
      await committed;
      seen.push(await version('facts'));
      if (at % 2 === 0) continue;
      await store.versions.merge();
      seen.push(await version('facts'));
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('a version does not come back when others commit around a merge', async () => {
    const { store, database, version } = await opened(given);
    for (const id of [101, 102, 103]) await track(store, id);
    await store.versions.merge();
    await rename(database, 101);
    const early = await begin(database, ({ query }) => query(renaming, [102]));
    const merge = await begin(database, ({ run }) => run(serviceStatements.merge_changes));
    await rename(database, 103);
    const seen = await version('facts');
    await merge.commit();
    await early.commit();
    expect(await version('facts')).not.toBe(seen);
  });
});

const renaming = `update repos set name = name || '-renamed' where codehost_repo_id = $1`;

const rename = (database: Database, id: number) => database.query(renaming, [id]);

/** A transaction that has done its work, and commits when it may. */
async function begin(database: Database, work: (queries: Queries) => Promise<unknown>) {
  const [done, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = database.transaction(async (queries) => {
    await work(queries);
    done.resolve();
    await mayCommit.promise;
  });
  await done.promise;
  return {
    commit() {
      mayCommit.resolve();
      return committed;
    },
  };
}
