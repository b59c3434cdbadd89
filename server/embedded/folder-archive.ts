import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseUnusable, holdLock } from './lock.ts';
import { syncTree } from './sync-tree.ts';

const run = promisify(execFile);

/**
 * Packs the embedded database of a folder into a compressed tar archive.
 * @throws DatabaseUnusable when there is none, or another process uses it.
 */
export async function packFolder(folder: string, archive: string): Promise<void> {
  const home = resolve(folder);
  if (!existsSync(join(home, 'data'))) throw new DatabaseUnusable(`There is no embedded database in ${folder}.`);
  const release = holdLock(join(home, 'lock'));
  try {
    await run('tar', ['--create', '--gzip', '--file', archive, '--directory', home, 'data']);
  } finally {
    release();
  }
}

/**
 * Unpacks such an archive into a folder; the database appears there only when it is complete and on disk.
 * @throws DatabaseUnusable when the folder has a database already, or the archive cannot be unpacked.
 */
export async function unpackFolder(archive: string, folder: string): Promise<void> {
  const home = resolve(folder);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const release = holdLock(join(home, 'lock'));
  const draft = join(home, 'restoring');
  try {
    if (existsSync(join(home, 'data')))
      throw new DatabaseUnusable(`There is a database in ${folder} already: move it away, or name another folder.`);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await run('tar', ['--extract', '--gzip', '--file', archive, '--directory', draft]).catch(rejectDamaged);
    await syncTree(draft);
    await rename(join(draft, 'data'), join(home, 'data'));
    await syncTree(home, { deep: false });
  } finally {
    await rm(draft, { recursive: true, force: true });
    release();
  }
}

function rejectDamaged(cause: unknown): never {
  throw new DatabaseUnusable('The backup is damaged or incomplete: it cannot be unpacked.', { cause });
}
