import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Forces a folder, and with `deep` everything below it, to disk. */
export async function syncTree(folder: string, { deep = true } = {}) {
  const entries = deep ? await readdir(folder, { withFileTypes: true, recursive: true }) : [];
  for (const entry of entries) await sync(join(entry.parentPath, entry.name));
  await sync(folder);
}

async function sync(path: string) {
  const handle = await open(path);
  await handle.sync();
  await handle.close();
}
