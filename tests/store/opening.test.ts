import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DatabaseUnusable } from '../../server/embedded/lock.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { isDatabaseUnavailable } from '../../server/store/failure.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { noon, run, track } from './world.ts';

/** Runs SQL on a database that no store has open. */
async function directly(url: string, statement: string) {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 1000 });
  const rows = await toDatabase(connection.orm).query<Record<string, unknown>>(statement);
  await connection.close();
  return rows;
}

eachDatabase((given) => {
  const onServer = given.name === 'postgresql' ? test : () => {};
  const onEmbedded = given.name === 'embedded' ? test : () => {};

  describe('opening', () => {
    test('what was stored is there the next time', async () => {
      const url = await given.empty();
      const first = await openTestStore(url);
      const repo = await track(first);
      await first.runs.ingest(repo, [run(1)], { syncedAt: noon });
      await first.close();
      const second = await openTestStore(url, { migrate: false });
      expect(await second.runs.summary(repo)).toMatchObject({ total: 1, latestRunId: 1 });
      await second.close();
    });

    onEmbedded('its files are for their owner alone, also where they were not', async () => {
      const url = await given.empty();
      const folder = fileURLToPath(url.replace('pglite:', 'file:'));
      await (await openTestStore(url)).close();
      for (const one of [folder, join(folder, 'data'), join(folder, 'data', 'PG_VERSION')]) chmodSync(one, 0o755);
      const store = await openTestStore(url);
      const repo = await track(store);
      await store.runs.ingest(repo, [run(1)], { syncedAt: noon });
      await store.close();
      const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
      const open = entries.filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0);
      expect(open.map(({ name }) => name)).toEqual([]);
      expect([entries.length > 900, statSync(folder).mode & 0o777]).toEqual([true, 0o700]);
      await directly(url, 'create table made_later (id int)');
      const after = readdirSync(folder, { withFileTypes: true, recursive: true });
      expect(after.length).toBeGreaterThan(entries.length);
      for (const { parentPath, name } of after)
        expect([name, statSync(join(parentPath, name)).mode & 0o077]).toEqual([name, 0]);
    });

    test('a database of a newer version is rejected', async () => {
      const url = await given.empty();
      await (await openTestStore(url)).close();
      await directly(url, `insert into schema_migrations (name) values ('Migration29990101000000_flying')`);
      for (const migrate of [true, false]) {
        const opening = openTestStore(url, { migrate });
        await expect(opening).rejects.toThrow(DatabaseUnusable);
        await expect(opening).rejects.toThrow(/newer version of the service \(Migration29990101000000_flying\)/);
      }
      await directly(url, `delete from schema_migrations where name like '%flying'`);
      await (await openTestStore(url)).close();
    });

    test('a database from before the first migration of today is rejected as that', async () => {
      const url = await given.empty();
      await directly(url, 'create table schema_migrations (id serial, name varchar(255), executed_at timestamptz)');
      await directly(url, `insert into schema_migrations (name) values ('Migration20261121010000_repositories')`);
      for (const migrate of [true, false])
        await expect(openTestStore(url, { migrate })).rejects.toThrow(
          /begun by a version that can no longer be upgraded \(Migration20261121010000_repositories\): begin an empty one/,
        );
      const left = await directly(url, `select tablename from pg_tables where schemaname = 'public'`);
      expect(left).toEqual([{ tablename: 'schema_migrations' }]);
    });

    test('a database that nobody migrated is rejected when migrating is not allowed', async () => {
      const url = await given.empty();
      await expect(openTestStore(url, { migrate: false })).rejects.toThrow();
    });

    test('a migration that fails leaves nothing behind', async () => {
      const url = await given.empty();
      await directly(url, 'create table settings (x int)');
      await expect(openTestStore(url)).rejects.toThrow(/settings/);
      const left = await directly(url, `select tablename from pg_tables where schemaname = 'public' order by 1`);
      expect(left.map((row) => row.tablename)).toEqual(['schema_migrations', 'settings']);
    });

    onServer('replicas that start together migrate once', async () => {
      const url = await given.empty();
      const stores = await Promise.all([1, 2, 3, 4].map(() => openTestStore(url, { poolMax: 1 })));
      const applied = await directly(url, 'select name from schema_migrations');
      expect(applied).toHaveLength(new Set(applied.map((row) => row.name)).size);
      await Promise.all(stores.map((store) => store.close()));
    });

    onServer('leases of other processes survive a start', async () => {
      const url = await given.empty();
      const first = await openTestStore(url);
      await first.leases.acquire('sync', 'a');
      const second = await openTestStore(url);
      expect(await second.leases.acquire('sync', 'b')).toBe(false);
      await Promise.all([first.close(), second.close()]);
    });

    onEmbedded('leases of the embedded database end with its process', async () => {
      const url = await given.empty();
      const first = await openTestStore(url);
      await first.leases.acquire('sync', 'a');
      await first.close();
      const second = await openTestStore(url);
      expect(await second.leases.acquire('sync', 'b')).toBe(true);
      await second.close();
    });
  });
});

test('a server that is not there is distinguished from a wrong statement', async () => {
  const absent = await openTestStore('postgres://nobody@127.0.0.1:9/none').catch((error: unknown) => error);
  expect(isDatabaseUnavailable(absent)).toBe(true);
  const store = await openTestStore('pglite://memory');
  const wrong = await store.trends.daily([1], { from: 'x', to: 'y', timezone: 'UTC' }).catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(Error);
  expect(isDatabaseUnavailable(wrong)).toBe(false);
  await store.close();
});
