import type { EntityManager, InferKyselyDB, MikroORM, PostgreSqlConnection } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Statement } from '../platform/source-files.ts';
import type { entities } from './entities/all.ts';
import type { ConnectionCounts } from './monitoring.ts';

const kyselyOptions = { columnNamingStrategy: 'property', convertValues: true } as const;

/** Every table with its columns, named like the properties of the entities. Instants are epoch milliseconds. */
export type Tables = InferKyselyDB<(typeof entities)[number], typeof kyselyOptions>;

/** The ways to query one connection, or one of the pool. */
export interface Queries {
  /** Typed queries. */
  db: Kysely<Tables>;
  /** The unit of work: a fresh one outside of a transaction, the transaction's own inside. */
  entities(): EntityManager;
  /** Runs a statement of `store/sql`; instants in its parameters are epoch milliseconds. */
  run<Row>(statement: Statement, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>;
  /** Runs SQL with numbered parameters. Big integers come back as text unless cast. */
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queries {
  /** Commits when `work` returns, rolls back when it throws. Inside it use only the queries handed in. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs SQL that may bring its own begin and commit: a failure within leaves no transaction behind. */
  script<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Runs a statement that each session plans once: what every request asks, where one plan is good for all parameters. */
  prepared<Row>(statement: Statement, parameters: Readonly<Record<string, unknown>>): Promise<Row[]>;
  /** Connections of the pool, and what waits for one. */
  connections(): Promise<ConnectionCounts>;
}

/** Runs statements as they are written, and gives rows as the database does. */
type Connection = Pick<Kysely<Tables>, 'executeQuery'>;

export function toDatabase(orm: MikroORM): Database {
  const pool = orm.em.getKysely<Tables>();
  return {
    ...toQueries(orm.em, () => orm.em.fork()),
    // Not by the ORM's own: a connection that is lost within one of these is never given back to the pool.
    transaction: (work) =>
      pool.transaction().execute(async (transaction) => {
        const em = orm.em.fork();
        em.setTransactionContext(transaction);
        const result = await work(toQueries(em, () => em));
        await em.flush();
        return result;
      }),
    script: (sql, parameters) => pool.connection().execute((connection) => runScript(connection, sql, parameters)),
    // By the driver: the query builder gives statements no name.
    async prepared<Row>({ name, text, parameters }: Statement, values: Readonly<Record<string, unknown>>) {
      const driver = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
      return (await driver.query({ name, text, values: valuesOf(parameters, values) })).rows as Row[];
    },
    async connections() {
      const driver = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
      const { totalCount, idleCount, waitingCount } = driver;
      return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
  };
}

function toQueries(em: EntityManager, entities: () => EntityManager): Queries {
  const raw = em.getKysely<Tables>();
  const query = <Row>(sql: string, parameters: readonly unknown[] = []) => execute<Row>(raw, sql, parameters);
  return {
    db: em.getKysely<Tables>(kyselyOptions),
    entities,
    query,
    run: ({ text, parameters }, values = {}) => query(text, valuesOf(parameters, values)),
  };
}

/** A parameter that nobody gave would be null to the database. */
const valuesOf = (names: readonly string[], values: Readonly<Record<string, unknown>>) =>
  names.map((name) => {
    if (!Object.hasOwn(values, name)) throw new Error(`The statement needs the parameter ${name}.`);
    return values[name];
  });

/** The pool hands a connection on as it was left; one that is broken it drops by itself. */
async function runScript<Row>(connection: Connection, sql: string, parameters: readonly unknown[] = []) {
  try {
    return await execute<Row>(connection, sql, parameters);
  } catch (error) {
    await execute(connection, 'rollback', []).catch(() => undefined);
    throw error;
  }
}

async function execute<Row>(connection: Connection, sql: string, parameters: readonly unknown[]): Promise<Row[]> {
  return (await connection.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;
}

/** JSON without what the database rejects in a text, NUL and half a surrogate pair: they become U+FFFD. */
export const storable = (json: string) =>
  json.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\\ufffd');

/** Any value as `jsonb`. The ORM's own conversion takes null for no value, and keeps what the database rejects. */
export const jsonb = (value: unknown): RawBuilder<unknown> => sql`${storable(JSON.stringify(value))}::jsonb`;

/** A pattern of LIKE for lower-case texts that contain this one, in any case. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
