import { open } from 'node:fs/promises';
import { unpackFolder } from '../embedded/folder-archive.ts';
import { DatabaseUnusable } from '../embedded/lock.ts';
import { createLog } from '../platform/log.ts';
import { hasTables } from '../store/emptiness.ts';
import { openStore } from '../store/orm.ts';
import { runPostgresProgram } from './postgres-programs.ts';

const kinds = { postgresql: 'PostgreSQL', embedded: 'the embedded database' } as const;

/** What was found in a database after it was restored. */
export interface Restored {
  repositories: number;
  /** The first entry of the audit log that does not follow from those before it; null when each does. */
  brokenAuditEntry: number | null;
}

/**
 * Fills an empty database from a file that `backUp` wrote, brings it to this version's shape, and checks it.
 * @throws DatabaseUnusable when the file is no backup of this kind of database, or the database is not empty.
 */
export async function restore(file: string, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<Restored> {
  const kind = databaseUrl.startsWith('pglite://') ? 'embedded' : 'postgresql';
  const made = await kindOf(file);
  if (made !== kind)
    throw new DatabaseUnusable(`${file} is a backup of ${kinds[made]}; DATABASE_URL names ${kinds[kind]}.`);
  if (kind === 'embedded') await unpackFolder(file, databaseUrl.slice('pglite://'.length));
  else await restoreServer(file, databaseUrl, env);
  return check(databaseUrl);
}

async function restoreServer(file: string, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (await hasTables(databaseUrl))
    throw new DatabaseUnusable('The database has tables already: make an empty one and name it in DATABASE_URL.');
  const allOrNothing = ['--exit-on-error', '--single-transaction', '--no-owner'];
  await runPostgresProgram('pg_restore', [...allOrNothing, file], databaseUrl, env);
}

/** By the first bytes: dumps begin with `PGDMP`, archives as gzip does. */
async function kindOf(file: string): Promise<keyof typeof kinds> {
  const handle = await open(file).catch((cause) => {
    throw new DatabaseUnusable(`${file} cannot be read.`, { cause });
  });
  const first = await handle.read(Buffer.alloc(5)).finally(() => handle.close());
  if (first.buffer.toString('latin1') === 'PGDMP') return 'postgresql';
  if (first.buffer.readUInt16BE() === 0x1f8b) return 'embedded';
  throw new DatabaseUnusable(`${file} is no backup.`);
}

async function check(databaseUrl: string): Promise<Restored> {
  const store = await openStore({
    url: databaseUrl,
    log: createLog('silent'),
    poolMax: 2,
    statementTimeoutMs: 120_000,
    migrate: true,
  });
  try {
    await store.alertDeliveries.skipIds();
    const [tracked, brokenAuditEntry] = await Promise.all([store.repositories.tracked(), store.audit.broken()]);
    return { repositories: tracked.length, brokenAuditEntry };
  } finally {
    await store.close();
  }
}
