import type { Commit } from '../kernel/delivery-facts.ts';

/**
 * Which commits touched which module. A module is two directories deep; one that holds more than 40 % of `total`
 * commits and has at least two directories is split one level deeper, down to five. A commit counts once in each.
 */
export function groupByModule(
  commits: readonly Commit[],
  directories: ReadonlyMap<string, readonly string[]>,
  total: number,
): Map<string, Commit[]> {
  const touches = commits.flatMap((commit) =>
    (directories.get(commit.sha) ?? []).filter(isOwnCode).map((directory) => ({ commit, parts: splitPath(directory) })),
  );
  return split(touches, shallowest, total);
}

interface Touch {
  commit: Commit;
  parts: string[];
}

/** How many directories deep a module is at first, and at most. */
const [shallowest, deepest] = [2, 5];
const foreign: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'dist', 'build']);

const generated =
  /\.lockb?$|^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|gradle\.lockfile|packages\.lock\.json)$|\.min\.[^.]+$|\.snap$/i;

function split(touches: readonly Touch[], depth: number, total: number): Map<string, Commit[]> {
  const modules = new Map<string, Commit[]>();
  const groups = Map.groupBy(touches, ({ parts }) => parts.slice(0, depth).join('/') || '(root)');
  for (const [module, group] of groups) {
    const commits = [...new Set(group.map(({ commit }) => commit))];
    const children = new Set(group.flatMap(({ parts }) => parts[depth] ?? []));
    const isSplit = depth < deepest && holdsTooMany(commits.length, total) && children.size >= 2;
    const parts = isSplit ? split(group, depth + 1, total) : new Map([[module, commits]]);
    for (const [name, own] of parts) modules.set(name, own);
  }
  return modules;
}

/** Whether a directory of so many of all commits is split up where that can be done. */
export const holdsTooMany = (commits: number, total: number): boolean => 100 * commits > 40 * total;

/** Whether a module of this directory can be split one level deeper. */
export function isSplittable(directory: string): boolean {
  const depth = splitPath(directory).length;
  return depth >= shallowest && depth < deepest;
}

/** Whether a file of this name is written by a tool: a lock file, a minified file, a snapshot. */
export const isGeneratedFile = (name: string): boolean => generated.test(name);

/** Whether a directory of this name holds what others wrote, or what a build made. */
export const isForeignDirectory = (name: string): boolean => foreign.has(name);

function isOwnCode(directory: string): boolean {
  return !splitPath(directory).some(isForeignDirectory);
}

function splitPath(directory: string): string[] {
  return directory.split('/').filter((part) => part !== '');
}
