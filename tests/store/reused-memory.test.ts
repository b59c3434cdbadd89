import { expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { createStore } from '../../server/store/orm.ts';
import { openTestStore } from '../support/database.ts';
import { migratedMemory } from '../support/migrated.ts';
import { createMemories } from '../support/reused-memory.ts';
import { noon, run, track } from './world.ts';

const log = createLog('silent');
const entry = {
  category: 'access' as const,
  action: 'user.groups',
  actor: { id: 1, login: 'ann' },
  targetType: 'user',
  target: 'bo',
  before: null,
  after: null,
  requestId: null,
  note: null,
};

const openMemory = createMemories();

async function opened() {
  const options = {
    log,
    poolMax: 1,
    statementTimeoutMs: 60_000,
    url: await migratedMemory(),
    openMemory,
  };
  const { orm, close } = await connect(options);
  const database = toDatabase(orm);
  return { database, store: createStore(database, log, close), close };
}

type Opened = Awaited<ReturnType<typeof opened>>;

/** Every row of every table, and where every sequence stands. */
async function contentOf({ database: { query } }: Opened) {
  const content: Record<string, unknown> = {};
  const relations = `select oid::regclass::text as name, relkind = 'S' as "isSequence" from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1`;
  for (const { name, isSequence } of await query<{ name: string; isSequence: boolean }>(relations)) {
    const rows = isSequence
      ? `select last_value, is_called from ${name}`
      : `select to_jsonb(stored) from ${name} stored`;
    content[name] = (await query(rows)).map((row) => JSON.stringify(row)).sort();
  }
  return content;
}

/** Process that serves the database: the same one where it is used again. */
const identity = async ({ database }: Opened) =>
  (await database.query<{ at: string }>('select pg_postmaster_start_time()::text as at'))[0]?.at;

test('a database in memory that is used again holds what a new one does', async () => {
  const first = await opened();
  const [before, begun] = [await contentOf(first), await identity(first)];
  const repoId = await track(first.store, 1);
  await first.store.runs.ingest(repoId, [run(1), run(2, { attempt: 2 })], { syncedAt: noon });
  await first.store.rollups.rebuild('Asia/Saigon');
  await first.database.query(`delete from group_permissions where group_name = 'dev'`);
  await first.store.audit.append(entry, noon);
  for (const one of ['create schema aside', 'create table aside.one (id int)', 'analyze'])
    await first.database.query(one);
  await first.database.query('set statement_timeout to 77');
  expect(await contentOf(first)).not.toEqual(before);
  await first.close();
  const second = await opened();
  expect(await identity(second)).toBe(begun);
  expect(await contentOf(second)).toEqual(before);
  const left = `select current_setting('statement_timeout') as timeout, to_regnamespace('aside') as aside,
    (select count(*)::int from pg_stats where schemaname = 'public') as statistics`;
  expect(await second.database.query(left)).toEqual([{ timeout: '0', aside: null, statistics: 0 }]);
  await second.close();
});

test('one with another shape is not used again', async () => {
  const first = await opened();
  const begun = await identity(first);
  await first.database.query('alter table users add column nickname text');
  await first.close();
  const second = await opened();
  expect(await identity(second)).not.toBe(begun);
  await second.close();
  await expect(second.database.query('select 1')).rejects.toThrow();
  const store = await openTestStore(await migratedMemory());
  expect(await store.repositories.find({ id: 1 })).toBeNull();
  await store.close();
});
