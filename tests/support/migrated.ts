import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Migration } from '@mikro-orm/migrations';
import { inject } from 'vitest';
import { migrations } from '../../migrations/list.ts';
import { emptyArchive } from '../../server/embedded/database.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { migrate } from '../../server/store/migrate.ts';
import { createMigrated } from './created-databases.ts';

/** The address of a database in memory that has this version's shape from the start, made once for each shape. */
export async function migratedMemory(): Promise<string> {
  archive ??= cached('.tar', makeArchive);
  return `pglite://memory:${await archive}`;
}

/** The address of a database of this version's shape: on PostgreSQL where there is one, as that takes half the time. */
export function migratedAny(): Promise<string> {
  const socket = inject('postgres');
  return socket === null ? migratedMemory() : createMigrated(socket);
}

/** A folder with an embedded database of this version's shape, to be copied; made once for each shape. */
export function migratedFolder(): Promise<string> {
  folder ??= cached('', makeFolder);
  return folder;
}

/** The table of what was applied, as `migrate` makes it. */
const migrationList = `create table schema_migrations (
  id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6))`;

let archive: Promise<string> | undefined;
let folder: Promise<string> | undefined;

/** What is named after this version's shape, beside the archive of an empty database. */
async function cached(extension: string, make: (draft: string) => Promise<void>): Promise<string> {
  const empty = await emptyArchive();
  const shape = createHash('sha256')
    .update(`${empty}\n${JSON.stringify([migrationList, steps])}`)
    .digest('hex')
    .slice(0, 16);
  const path = `${dirname(empty)}/migrated-${shape}${extension}`;
  if (existsSync(path)) return path;
  const draft = `${path}.${process.pid}`;
  await make(draft);
  try {
    renameSync(draft, path);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
    rmSync(draft, { recursive: true });
  }
  return path;
}

async function makeArchive(draft: string): Promise<void> {
  const database = await PGlite.create({ loadDataDir: new Blob([readFileSync(await emptyArchive())]) });
  await database.exec(migrationList);
  for (const { name, statements } of steps) {
    for (const statement of statements) await database.exec(statement);
    await database.query('insert into schema_migrations (name) values ($1)', [name]);
  }
  // Otherwise each start from the archive does all of this again from the log.
  await database.exec('checkpoint');
  const archive = await database.dumpDataDir('none');
  await database.close();
  writeFileSync(draft, Buffer.from(await archive.arrayBuffer()));
}

async function makeFolder(draft: string): Promise<void> {
  const log = createLog('silent');
  const connection = await connect({ url: `pglite://${draft}`, log, poolMax: 1, statementTimeoutMs: 60_000 });
  await migrate(connection.orm);
  // Half of the files to copy are those from which PostgreSQL makes databases; this one makes none.
  for (const name of ['template0', 'template1'])
    for (const statement of [`alter database ${name} is_template false`, `drop database ${name}`])
      await connection.orm.em.execute(statement);
  await connection.close();
}

/** What a migration would run. Ours only add SQL, and ask nothing of their surroundings. */
function statementsOf(step: (typeof migrations)[number]['class']): string[] {
  const statements: string[] = [];
  const recorder = Object.create(step.prototype) as Migration;
  recorder.addSql = (sql) => {
    if (typeof sql !== 'string') throw new Error('A migration of ours adds text');
    statements.push(sql);
  };
  recorder.up();
  return statements;
}

const steps = migrations.map(({ name, class: step }) => ({ name, statements: statementsOf(step) }));
