import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';

/** Runs SQL with numbered parameters. Instants travel as milliseconds, big integers come back as text unless cast. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** The database as the rooms of the store use it: SQL for facts and rollups, entities for the small tables. */
export interface Database extends Queries {
  /** Commits when `work` returns, rolls back when it throws. Inside it use only the queries handed in. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs SQL that may bring its own begin and commit: a failure within leaves no transaction behind. */
  script<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** A fresh unit of work. */
  entities(): EntityManager;
}

export function databaseOf(orm: MikroORM): Database {
  const pool = orm.em.getKysely<unknown>();
  return {
    ...queriesOf(pool),
    transaction: (work) => pool.transaction().execute((transaction) => work(queriesOf(transaction))),
    script: (sql, parameters) =>
      pool.connection().execute((connection) => scripted(queriesOf(connection), sql, parameters)),
    entities: () => orm.em.fork(),
  };
}

/** The pool hands a connection on as it was left; one that is broken it drops by itself. */
async function scripted<Row>({ query }: Queries, sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  try {
    return await query<Row>(sql, parameters);
  } catch (error) {
    await query('rollback').catch(() => undefined);
    throw error;
  }
}

const queriesOf = (connection: Kysely<unknown>): Queries => ({
  async query<Row>(sql: string, parameters: readonly unknown[] = []) {
    return (await connection.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;
  },
});
