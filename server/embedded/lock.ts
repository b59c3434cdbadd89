import { DatabaseSync } from 'node:sqlite';

/** The database cannot be used by this process; the message is one sentence for the person who started it. */
export class DatabaseUnusable extends Error {}

/**
 * Keeps a file for one process until the returned function is called or the process ends, however it ends.
 * @throws DatabaseUnusable when another process holds it.
 */
export function holdLock(file: string): () => void {
  // Node has no file locks of its own. SQLite's exclusive lock is the kernel's, bound to the file itself: it
  // cannot outlive its process, needs no process id, and is seen by containers that share the volume.
  const holder = new DatabaseSync(file, { timeout: 0 });
  try {
    holder.exec('begin exclusive');
  } catch (error) {
    holder.close();
    if (isBusy(error)) throw inUse(file);
    throw error;
  }
  return () => holder.close();
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5;

const inUse = (file: string) =>
  new DatabaseUnusable(
    `Another process already uses the embedded database: it holds ${file}. Stop that process first.`,
  );
