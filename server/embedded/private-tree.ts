import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The permissions that only the owner of a file has. */
export const ownerOnly = (mode: number): number => mode & ~0o077;

/**
 * Takes a folder, and everything below it, from all users but its owner; what symbolic links lead to stays as it is.
 * Answers the paths that this process may not change or read, such as what another user owns.
 */
export async function makePrivate(folder: string): Promise<string[]> {
  const failedPaths = new Set<string>();
  const unlessDenied = (path: string) => (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM' && error.code !== 'EACCES') throw error;
    failedPaths.add(path);
  };
  const visit = async (path: string) => {
    await chmod(path, 0o700).catch(unlessDenied(path));
    const entries = await readdir(path, { withFileTypes: true }).catch(unlessDenied(path));
    for (const entry of entries ?? []) {
      const below = join(path, entry.name);
      if (entry.isDirectory()) await visit(below);
      else if (!entry.isSymbolicLink()) await chmod(below, 0o600).catch(unlessDenied(below));
    }
  };
  await visit(folder);
  return [...failedPaths];
}
