import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { type EmbeddedDatabase, openFolder, openMemory } from '../embedded/database.ts';
import type { Log } from '../platform/log.ts';
import { JobRun } from './entities/job-run.ts';
import { RepositoryRow } from './entities/repository.ts';
import { SessionRow } from './entities/session.ts';
import { SettingRow } from './entities/setting.ts';
import { SyncCursor } from './entities/sync-cursor.ts';
import { migrationSettings } from './migrate.ts';

export interface ConnectionOptions {
  /** `postgres://…`, `postgresql://…`, `pglite://<folder>` or `pglite://memory`. */
  url: string;
  log: Log;
  /** Connections to PostgreSQL; the embedded database has one. */
  poolMax: number;
  /** PostgreSQL ends interactive statements that take longer; the embedded database cannot. */
  statementTimeoutMs: number;
}

export interface Connection {
  orm: MikroORM;
  embedded: boolean;
  close(): Promise<void>;
}

export async function connect(options: ConnectionOptions): Promise<Connection> {
  const embedded = options.url.startsWith('pglite://') ? await openEmbedded(options.url.slice(9)) : null;
  const orm = new MikroORM({
    entities: [RepositoryRow, SyncCursor, SessionRow, SettingRow, JobRun],
    extensions: [Migrator],
    ensureDatabase: false,
    dbName: 'postgres',
    migrations: migrationSettings,
    logger: (message) => options.log.debug({ database: message }),
    driverOptions: embedded ? embeddedPool(embedded) : serverPool(options),
  });
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

const openEmbedded = (place: string) => (place === 'memory' ? openMemory() : openFolder(place));

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
  statement_timeout: statementTimeoutMs,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  application_name: 'delivery-analytics',
});
