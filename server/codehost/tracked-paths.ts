import { isForeignDirectory, isGeneratedFile } from '../metrics/modules.ts';

/** A path whose history is asked for, and the directory its commits count for ('' is the root). */
export interface TrackedPath {
  path: string;
  directory: string;
}

export interface TreeEntry {
  name: string;
  type: string;
  object?: { entries?: { name: string; type: string }[] | null | undefined } | null | undefined;
}

/**
 * Chooses the paths that tell the directories of a tree apart, at most 80. A directory's history holds all below it,
 * so that of one with directories of its own is put together from those and from the files beside them.
 * Below the root it looks two levels deep, elsewhere one. Generated files and vendored directories are left out.
 */
export function trackedPaths(
  entries: readonly TreeEntry[],
  below: string,
): { paths: TrackedPath[]; complete: boolean } {
  const directories: TrackedPath[] = [];
  const files: TrackedPath[] = [];
  const place = ({ name, type, object }: TreeEntry, parent: string) => {
    const path = parent === '' ? name : `${parent}/${name}`;
    const inner = object?.entries?.filter((one) => !isIgnored(one)) ?? [];
    if (type === 'blob') files.push({ path, directory: parent });
    else if (inner.some((one) => one.type === 'tree')) for (const one of inner) place(one, path);
    else if (type === 'tree') directories.push({ path, directory: path });
  };
  for (const entry of entries) if (!isIgnored(entry)) place(entry, below);
  const all = [...directories, ...files];
  return { paths: all.slice(0, mostPaths), complete: all.length <= mostPaths };
}

const mostPaths = 80;

const isIgnored = ({ name, type }: { name: string; type: string }) =>
  type === 'tree' ? isForeignDirectory(name) : isGeneratedFile(name);
