import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Migration } from '@mikro-orm/migrations';
import { migrations } from '../../migrations/list.ts';
import { emptyArchive } from '../../server/embedded/database.ts';

/** The address of a database in memory that has this version's shape from the start, made once for each shape. */
export async function migratedMemory(): Promise<string> {
  made ??= make();
  return `pglite://memory:${await made}`;
}

let made: Promise<string> | undefined;

async function make(): Promise<string> {
  const empty = await emptyArchive();
  const steps = migrations.map(({ name, class: step }) => ({ name, statements: statementsOf(step) }));
  const shape = createHash('sha256')
    .update(`${empty}\n${JSON.stringify(steps)}`)
    .digest('hex')
    .slice(0, 16);
  const file = `${dirname(empty)}/migrated-${shape}.tar`;
  if (existsSync(file)) return file;
  const database = await PGlite.create({ loadDataDir: new Blob([readFileSync(empty)]) });
  // The table of what was applied, as `migrate` makes it.
  await database.exec(`create table schema_migrations (
    id serial primary key, name varchar(255), executed_at timestamptz default current_timestamp)`);
  for (const { name, statements } of steps) {
    for (const statement of statements) await database.exec(statement);
    await database.query('insert into schema_migrations (name) values ($1)', [name]);
  }
  const archive = await database.dumpDataDir('none');
  await database.close();
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await archive.arrayBuffer()));
  renameSync(draft, file);
  return file;
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
