import { expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { databaseOf } from '../../server/store/database.ts';
import { migrate } from '../../server/store/migrate.ts';
import { migratedMemory } from '../support/migrated.ts';

const parts = {
  columns: `select table_name, column_name, data_type, column_default, is_nullable, collation_name
    from information_schema.columns where table_schema = 'public' order by 1, 2`,
  indexes: `select indexdef from pg_indexes where schemaname = 'public' order by 1`,
  constraints: `select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`,
  triggers: 'select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1',
  functions: `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  applied: 'select name from schema_migrations order by name',
};

async function shapeOf(url: string, isEmpty: boolean) {
  const connection = await connect({ log: createLog('silent'), poolMax: 1, statementTimeoutMs: 30_000, url });
  if (isEmpty) await migrate(connection.orm);
  const { query } = databaseOf(connection.orm);
  const shape: Record<string, unknown> = {};
  for (const [part, sql] of Object.entries(parts)) shape[part] = await query(sql);
  await connection.close();
  return shape;
}

test('the database that other tests start from has the shape that the migrations make', async () => {
  const migrated = await shapeOf(await migratedMemory(), false);
  expect(migrated).toEqual(await shapeOf('pglite://memory', true));
  for (const part of Object.values(migrated)) expect((part as unknown[]).length).toBeGreaterThan(0);
});
