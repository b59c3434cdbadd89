import { isForeignDirectory, isGeneratedFile } from '../../metrics/runs/modules.ts';

/** A path whose history is requested, and the directory its commits count for ('' is the root). */
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
 * Chooses the paths that distinguish the directories of a tree, at most 80. A directory's history holds all below it,
 * so that of one with directories of its own is put together from those and from the files beside them.
 * Below the root it looks two levels deep, elsewhere one. Generated files and vendored directories are
 * distinguished.
 */
export function trackedPaths(
  entries: readonly TreeEntry[],
  below: string,
): { paths: TrackedPath[]; ignored: TrackedPath[]; complete: boolean } {
  const ignored: TrackedPath[] = [];
  const directories: TrackedPath[] = [];
  const files: TrackedPath[] = [];
  const place = (entry: TreeEntry, parent: string) => {
    const { name, type, object } = entry;
    const path = parent === '' ? name : `${parent}/${name}`;
    const inner = object?.entries ?? [];
    if (isIgnored(entry)) ignored.push({ path, directory: path });
    else if (type === 'blob') files.push({ path, directory: parent });
    else if (inner.some((one) => one.type === 'tree' && !isIgnored(one))) for (const one of inner) place(one, path);
    else if (type === 'tree') directories.push({ path, directory: path });
  };
  for (const entry of entries) place(entry, below);
  const all = [...directories, ...files];
  return { paths: all.slice(0, maxPaths), ignored, complete: all.length <= maxPaths };
}

const maxPaths = 80;

const isIgnored = ({ name, type }: { name: string; type: string }) =>
  type === 'tree' ? isForeignDirectory(name) : isGeneratedFile(name);
