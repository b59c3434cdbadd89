import pg from 'pg';

export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** What a database holds when it is new: its rows, where its sequences are, and a digest of its shape. */
export interface Contents {
  rows: { table: string; rows: string }[];
  sequences: string;
  shape: string;
}

/** Reads what a new database holds, so that it can be emptied to that. */
export async function readContents(query: Query): Promise<Contents> {
  const [{ tables }] = (await query(`select coalesce(json_agg(oid::regclass::text), '[]') as tables from pg_class
    where ${ours} and relkind = 'r' and pg_relation_size(oid) > 0`)) as [{ tables: string[] }];
  const rows: Contents['rows'] = [];
  for (const table of tables) {
    const [found] = await query(`select json_agg(stored)::text as rows from ${table} stored`);
    rows.push({ table, rows: String(found?.rows) });
  }
  const [set] = await query(`select string_agg(format('perform setval(%L, %s);', sequencename, last_value), ' ')
    as sequences from pg_sequences where schemaname = 'public' and last_value is not null`);
  const [shape] = await query(shapeOf);
  return { rows, sequences: String(set?.sequences ?? ''), shape: String(shape?.shape) };
}

/** Brings the rows back that were there at first, and answers whether everything else is as it was. */
export async function empty(query: Query, { rows, sequences, shape }: Contents): Promise<boolean> {
  const refill = rows.map(
    ({ table, rows }) =>
      `insert into ${table} select * from json_populate_recordset(null::${table}, ${pg.escapeLiteral(rows)});`,
  );
  await query(`do $$
    declare
      one text;
    begin
      set local session_replication_role = replica;
      for one in select nspname from pg_namespace
        where nspname not in ('public', 'information_schema') and nspname not like 'pg_%'
      loop
        execute format('drop schema %I cascade', one);
      end loop;
      select string_agg(oid::regclass::text, ', ') from pg_class
        where ${ours} and relkind = 'r' and pg_relation_size(oid) > 0 into one;
      execute 'truncate ' || one || ' restart identity cascade';
      ${refill.join('\n')}
      ${sequences}
      delete from pg_statistic where starelid in (select oid from pg_class where ${ours});
    end $$`);
  await query('select pg_stat_force_next_flush()');
  await query('select pg_stat_reset()');
  const [now] = await query(shapeOf);
  return now?.shape === shape;
}

const ours = `relnamespace = 'public'::regnamespace`;

const shapeOf = `select md5(concat(
  (select json_agg((oid, relname, relnatts, relchecks, relpersistence, reloptions) order by oid) from pg_class where ${ours}),
  (select json_agg((oid, attname, atttypid, attnotnull, c.attrelid) order by c.attrelid, attnum)
    from pg_attribute c join pg_class on attrelid = pg_class.oid where ${ours} and attnum > 0),
  (select json_agg(oid order by oid) from pg_constraint where connamespace = 'public'::regnamespace),
  (select json_agg((oid, tgenabled) order by oid) from pg_trigger where not tgisinternal),
  (select json_agg((oid, xmin) order by oid) from pg_proc where pronamespace = 'public'::regnamespace),
  (select json_agg((setdatabase, setrole, setconfig)) from pg_db_role_setting),
  (select json_agg(rolname order by oid) from pg_roles), (select json_agg(nspname order by oid) from pg_namespace),
  (select json_agg(extname order by oid) from pg_extension))) as shape`;
