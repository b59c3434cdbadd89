import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { packFolder } from '../embedded/folder-archive.ts';
import { DatabaseUnusable } from '../embedded/lock.ts';
import { syncTree } from '../embedded/sync-tree.ts';
import { runPostgresProgram } from './postgres-programs.ts';

/**
 * Writes the database to a new file, which appears only when it is complete and on disk: a dump of PostgreSQL in its
 * custom format, which may be in use, or an archive of the embedded database, which may not. Answers its size in bytes.
 * @throws DatabaseUnusable when the file exists or the database cannot be read.
 */
export async function backUp(file: string, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<number> {
  const target = resolve(file);
  if (existsSync(target)) throw new DatabaseUnusable(`${file} exists already: name another file.`);
  const folder = dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${basename(target)}.${randomUUID()}`);
  try {
    if (databaseUrl.startsWith('pglite://')) await packFolder(databaseUrl.slice('pglite://'.length), draft);
    else await runPostgresProgram('pg_dump', ['--format=custom', `--file=${draft}`], databaseUrl, env);
    await chmod(draft, 0o600);
    await syncTree(draft, { deep: false });
    await rename(draft, target);
    await syncTree(folder, { deep: false });
  } finally {
    await rm(draft, { force: true });
  }
  const { size } = await stat(target);
  return size;
}
