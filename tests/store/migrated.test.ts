import { expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { entities } from '../../server/store/entities/all.ts';
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
  const connection = await connect({ log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000, url });
  if (isEmpty) await migrate(connection.orm);
  const { query } = toDatabase(connection.orm);
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

/** What entities cannot say; it stands in `server/store/sql`. */
const beside = {
  functions: [
    'attempt_job_wait_ms',
    'audit_log_chain',
    'audit_log_hash',
    'audit_log_refuse',
    'identity_links_refuse_chain',
    'insert_deliveries',
    'notify_processes',
    'otlp_is_paused',
    'otlp_is_sampled',
    'otlp_knows_jobs',
    'otlp_note_attempts',
    'otlp_note_attempts_of',
    'otlp_note_jobs',
    'otlp_takes',
    'record_change',
    'record_changed_accounts',
    'record_changed_facts',
    'record_changed_repositories',
    'record_changes_of',
    'run_duration_ms',
    'run_queue_wait_ms',
    'upsert_runs',
  ],
  triggers: [
    'audit_log_append_only',
    'audit_log_chain',
    'identity_links_no_chain',
    'otlp_insert',
    'otlp_update',
    'recorded_change',
    'recorded_delete',
    'recorded_insert',
    'recorded_update',
    'sessions_ended',
  ],
  unlogged: ['rate_limits'],
};

test('the migrations make what the entities say, and what is listed here', async () => {
  const connection = await connect({
    log: createLog('silent'),
    poolMax: 1,
    statementTimeoutMs: 60_000,
    url: await migratedMemory(),
  });
  const { query } = toDatabase(connection.orm);
  const names = async (sql: string) => (await query<{ name: string }>(sql)).map(({ name }) => name);
  expect({
    functions: await names(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    ),
    triggers: await names('select distinct tgname as name from pg_trigger where not tgisinternal order by 1'),
    unlogged: await names(`select relname as name from pg_class where relpersistence = 'u' and relkind = 'r'`),
  }).toEqual(beside);
  const tables = await names(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const modelled: string[] = entities.map(({ meta }) => meta.tableName);
  expect(tables).toEqual([...modelled, 'schema_migrations'].sort());
  for (const name of beside.functions) await query(`drop function ${name} cascade`);
  await query('drop table schema_migrations');
  expect(await connection.orm.schema.getUpdateSchemaSQL()).toBe('');
  await query('alter table users add column nickname text');
  expect(await connection.orm.schema.getUpdateSchemaSQL()).toContain('nickname');
  await connection.close();
});
