import type { Migrator } from '@mikro-orm/migrations';
import { afterEach, expect, test } from 'vitest';
import { migrations } from '../../migrations/list.ts';
import { createLog } from '../../server/platform/log.ts';
import { type Connection, connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { migrate } from '../../server/store/migrate.ts';
import { eachDatabase } from '../support/database.ts';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** A value of each type; ids are 1, so that rows refer to each other. */
const values: Record<string, string> = {
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1',
  float4: '1',
  float8: '1',
  bool: 'true',
  text: 'x',
  varchar: 'x',
  date: '2026-11-20',
  timestamptz: '2026-11-20T10:00:00Z',
  jsonb: '[]',
  bytea: '\\x01',
  uuid: '00000000-0000-4000-8000-000000000001',
  _int2: '{3}',
  _int4: '{3}',
  _int8: '{3}',
  _text: '{x}',
};

/** Where a check or a later migration expects more than the type. */
const particular: Record<string, string> = {
  'alert_events.delivery_status': 'sent',
  'alert_events.source': 'sync',
  'alert_rules.channel': 'email',
  'alert_rules.scope_kind': 'repo',
  'digest_sends.kind': 'daily',
  'digest_sends.status': 'sent',
  'distinct_pairs.b_key': 'y',
  'group_permissions.group_name': 'dev',
  'identity_links.alias_key': 'y',
  'sync_cursors.resume': '{"cut":5,"before":{"cut":7}}',
  'user_groups.group_name': 'dev',
  'workflow_jobs.status': 'completed',
  'workflow_jobs.detail': 'full',
};

/** What a migration takes away because it keeps it in another form, or because nothing reads it. */
const replaced = [
  'sync_cursors.resume',
  'repo_day.hist_b',
  'repo_day.hist_n',
  'org_day.hist_b',
  'org_day.hist_n',
  'org_day.p95_ms',
  'otlp_destinations.parked',
  'otlp_outbox.tries',
];

const wantedByNobody = 'Migration20261130193800_wanted_by_nobody';

const opened: Connection[] = [];
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
});

const readColumns = ({ query }: Database) =>
  query<Column>(`select table_name as "table", column_name as "column", udt_name as type
    from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
    where table_schema = 'public' and is_generated = 'NEVER' and table_name <> 'schema_migrations' order by 1, 2`);

/** Puts a row into each table, without what triggers would make of it. */
async function fill(database: Database) {
  const byTable = Map.groupBy(await readColumns(database), ({ table }) => table);
  const rows = [...byTable].map(([table, columns]) => {
    const names = columns.map(({ column }) => `"${column}"`).join();
    const given = columns.map(({ column, type }) => `'${particular[`${table}.${column}`] ?? values[type]}'`).join();
    return `insert into "${table}" (${names}) overriding system value values (${given})
      on conflict do nothing;`;
  });
  await database.script(
    `set session_replication_role = replica; ${rows.join('\n')} set session_replication_role = origin`,
  );
}

/** Every stored value as JSON, by table and column. */
async function readAll(database: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of new Set((await readColumns(database)).map((column) => column.table))) {
    const rows = await database.query<{ row: object }>(`select to_jsonb(stored) as row from "${table}" stored`);
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) {
        const key = `${table}.${column}`;
        all[key] = [...(all[key] ?? []), JSON.stringify(value)];
      }
  }
  return all;
}

eachDatabase((given) => {
  test('a database of the first release, with a row in each table, is upgraded step by step with nothing lost', async () => {
    const url = given.name === 'embedded' ? 'pglite://memory' : await given.empty();
    const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
    opened.push(connection);
    const database = toDatabase(connection.orm);
    const migrator = connection.orm.migrator as Migrator;
    const [baseline, ...later] = migrations.map(({ name }) => name);
    await migrator.up({ migrations: [String(baseline)] });
    await fill(database);
    const filled = Object.keys(await readAll(database)).map((name) => name.split('.')[0]);
    expect(new Set(filled)).toEqual(new Set((await readColumns(database)).map(({ table }) => table)));
    for (const name of later) {
      const before = await readAll(database);
      await migrator.up({ migrations: [name] });
      const after = await readAll(database);
      const lost = Object.keys(before).filter((key) => before[key]?.some((value) => !after[key]?.includes(value)));
      expect([name, lost.filter((key) => !replaced.includes(key))]).toEqual([name, []]);
    }
    await migrate(connection.orm);
    const last = await readAll(database);
    expect(last).toMatchObject({
      'sync_cursors.resume': [JSON.stringify({ before: { readDownTo: 7 }, readDownTo: 5 })],
      'attempt_costs.jobs': ['1'],
      'repo_day.steps': ['3e+24'],
      'org_day.steps': ['3e+24'],
    });
  });

  test('logs that nobody requested are kept where their migration is taken back', async () => {
    const url = given.name === 'embedded' ? 'pglite://memory' : await given.empty();
    const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
    opened.push(connection);
    const database = toDatabase(connection.orm);
    const migrator = connection.orm.migrator as Migrator;
    await migrate(connection.orm);
    await database.script(`set session_replication_role = replica;
      insert into attempt_logs (run_id, run_attempt, repo_id, ended_at, read_at) values
        (1, 1, 1, '2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z'), (2, 1, 1, '2026-11-20T11:00:00Z', null);
      set session_replication_role = origin`);
    const names = migrations.map(({ name }) => name);
    await migrator.down({ migrations: names.slice(names.indexOf(wantedByNobody)).reverse() });
    const rows = await database.query<{ at: string }>(
      `select to_char(requested_at at time zone 'UTC', 'HH24') as at from attempt_logs order by run_id`,
    );
    expect(rows.map(({ at }) => at)).toEqual(['12', '11']);
  });
});
