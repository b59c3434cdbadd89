import { MessageChannel } from 'node:worker_threads';
import pg from 'pg';
import { type EmbeddedDatabase, openMemory } from '../../server/embedded/database.ts';
import { EmbeddedSocket } from '../../server/embedded/socket.ts';

/** An embedded database that is open, as it was made: what it held, and what it consists of. */
interface Prepared {
  database: EmbeddedDatabase;
  archive: string;
  rows: { table: string; rows: string }[];
  sequences: string;
  shape: string;
  uses: number;
}

/** Databases of a pool that nobody uses now. */
type IdleMemories = Prepared[];

const shared: IdleMemories = [];
/** So many stay open in a worker that nobody uses, and so often is one used: its log only grows. */
const mostIdle = 2;
const mostUses = 40;

/**
 * Opens the database of an archive in memory, or uses one again that was closed: to empty one takes a tenth of the time.
 * What changed the shape is not used again, nor is an empty database, from which only tests of migrating begin.
 */
export const reusedMemory = (archive?: string): Promise<EmbeddedDatabase> => openReused(shared, archive);

/** The same of a pool of its own, which nobody else fills or uses up. */
export function createMemories(): typeof reusedMemory {
  const idle: IdleMemories = [];
  return (archive) => openReused(idle, archive);
}

async function openReused(idle: IdleMemories, archive?: string): Promise<EmbeddedDatabase> {
  if (archive === undefined) return openMemory();
  const place = idle.findLastIndex((one) => one.archive === archive);
  const [found = await prepare(archive)] = place < 0 ? [] : idle.splice(place, 1);
  found.uses += 1;
  let closing: Promise<void> | undefined;
  return {
    connect: () => (closing ? closedSocket() : found.database.connect()),
    close: () => (closing ??= putBack(found, idle)),
  };
}

async function prepare(archive: string): Promise<Prepared> {
  const database = await openMemory(archive);
  return speak(database, async (query) => {
    const [{ tables }] = (await query(`select coalesce(json_agg(oid::regclass::text), '[]') as tables from pg_class
      where ${ours} and relkind = 'r' and pg_relation_size(oid) > 0`)) as [{ tables: string[] }];
    const rows: Prepared['rows'] = [];
    for (const table of tables) {
      const [found] = await query(`select json_agg(stored)::text as rows from ${table} stored`);
      rows.push({ table, rows: String(found?.rows) });
    }
    const [set] = await query(`select string_agg(format('perform setval(%L, %s);', sequencename, last_value), ' ')
      as sequences from pg_sequences where schemaname = 'public' and last_value is not null`);
    const sequences = String(set?.sequences ?? '');
    const [shape] = await query(shapeOf);
    return { database, archive, rows, sequences, shape: String(shape?.shape), uses: 0 };
  });
}

async function putBack(used: Prepared, idle: IdleMemories): Promise<void> {
  const isAsItWas =
    used.uses < mostUses && idle.length < mostIdle && (await speak(used.database, (query) => empty(query, used)));
  if (isAsItWas) idle.push(used);
  else await used.database.close();
}

/** Brings the rows back that were there at first, and answers whether everything else is as it was. */
async function empty(query: Query, { rows, sequences, shape }: Prepared): Promise<boolean> {
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

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Lets statements run on an embedded database that nobody else uses meanwhile. */
export async function speak<T>(database: EmbeddedDatabase, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => database.connect() as never });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}

const closedSocket = () =>
  new EmbeddedSocket(new MessageChannel().port1).destroy(new Error('The embedded database is closed.'));
