import { Migrator } from '@mikro-orm/migrations';
import { type MetadataStorage, MikroORM } from '@mikro-orm/postgresql';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { type EmbeddedDatabase, openFolder, openMemory } from '../embedded/database.ts';
import type { Log } from '../platform/log.ts';
import { entities } from './entities/all.ts';
import { migrationSettings } from './migrate.ts';

export interface ConnectionOptions {
  /** `postgres://…`, `postgresql://…`, `pglite://<folder>`, `pglite://memory` or `pglite://memory:<archive>`. */
  url: string;
  log: Log;
  /** Connections to PostgreSQL; the embedded database has one. */
  poolMax: number;
  /** PostgreSQL ends interactive statements that take longer; the embedded database cannot. */
  statementTimeoutMs: number;
  /** How a database in memory is opened: tests use one again. */
  openMemory?: typeof openMemory;
}

export interface Connection {
  orm: MikroORM;
  embedded: boolean;
  close(): Promise<void>;
}

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const embedded = options.url.startsWith('pglite://') ? await openEmbedded(options.url.slice(9), options) : null;
  const orm = createOrm(options, embedded ? embeddedPool(embedded) : serverPool(options));
  await orm.connect();
  return {
    orm,
    embedded: embedded !== null,
    async close() {
      await orm.close();
      await embedded?.close();
    },
  };
}

let discovered: MetadataStorage | undefined;

/** To discover what the entities consist of takes longer than all else of a connection, and is done once. */
function createOrm({ log }: ConnectionOptions, pool: object): MikroORM {
  const orm: MikroORM = new MikroORM({
    entities: [...entities],
    extensions: [Migrator],
    ensureDatabase: false,
    dbName: 'postgres',
    migrations: migrationSettings,
    // Switching foreign keys off needs a superuser.
    schemaGenerator: { disableForeignKeys: false },
    logger: (message) => log.debug({ database: message }),
    driverOptions: { ...pool, onPoolCreated: keepWhenEnding },
    discovery: { skipSyncDiscovery: discovered !== undefined },
  });
  if (discovered) {
    orm.driver.setMetadata(discovered);
    // As its constructor does with what it discovers itself.
    orm.em = Object.assign(orm.driver.createEntityManager(), { global: true }) as MikroORM['em'];
  }
  discovered ??= orm.getMetadata();
  return orm;
}

type Checkout = Parameters<Pool['connect']>[0];

/**
 * Gives no connection away once the pool is to end. The query builder loses one that it still waited for (kysely 0.29.6),
 * and a pool does not end before it has all of its connections back.
 */
function keepWhenEnding(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: Checkout) => Promise<PoolClient>;
  const connectUntilEnding = async () => {
    const client = await connect();
    if (!pool.ending) return client;
    client.release();
    throw new Error('Connection terminated: the database was closed.');
  };
  // Its own `query` calls it with a callback, and gives the connection back.
  pool.connect = ((callback?: Checkout) => (callback ? connect(callback) : connectUntilEnding())) as Pool['connect'];
}

function openEmbedded(place: string, { log, openMemory: inMemory = openMemory }: ConnectionOptions) {
  const memory = /^memory(?::(?<archive>.+))?$/.exec(place);
  return memory ? inMemory(memory.groups?.archive) : openFolder(place, log);
}

const embeddedPool = (embedded: EmbeddedDatabase) => ({
  user: 'postgres',
  database: 'postgres',
  stream: () => embedded.connect(),
  max: 1,
  idleTimeoutMillis: 0,
});

const serverPool = ({ url, poolMax, statementTimeoutMs }: ConnectionOptions) => ({
  // The driver's own reading of the address knows sockets and certificates; the ORM's does not.
  connectionString: url,
  max: poolMax,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  application_name: 'delivery-analytics',
  // By the pool: the query builder's hook never gives back a connection that is lost in it.
  onConnect: (client: ClientBase) => prepareSession(client, statementTimeoutMs),
});

/** Set by a statement, because poolers in front of a server reject them as startup parameters. */
async function prepareSession(client: ClientBase, statementTimeoutMs: number) {
  const settings = {
    // Compiling a statement or starting workers for it costs many times what our short ones take.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    // Whoever is paused within a transaction does not keep others waiting for its locks for longer.
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 10_000,
  };
  const statements = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`);
  await client.query(statements.join('; '));
}
