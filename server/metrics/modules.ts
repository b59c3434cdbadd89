import type { Commit } from './delivery-facts.ts';

/** Directories of the files that say something about who knows the code, without repeats; `''` is the top. */
export function directoriesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.filter((path) => !isIgnoredFile(path)).map(directoryOf))].filter(isOwnCode);
}

/**
 * Which commits touched which module. A module is two directories deep; one that holds more than 40 % of `total`
 * commits and has at least two directories is split one level deeper, down to five. A commit counts once in each.
 */
export function modulesOf(
  commits: readonly Commit[],
  directories: ReadonlyMap<string, readonly string[]>,
  total: number,
): Map<string, Commit[]> {
  const touches = commits.flatMap((commit) =>
    (directories.get(commit.sha) ?? []).filter(isOwnCode).map((directory) => ({ commit, parts: partsOf(directory) })),
  );
  return split(touches, 2, total);
}

interface Touch {
  commit: Commit;
  parts: string[];
}

const deepest = 5;
const foreign: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'dist', 'build']);
const lockfiles: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'Gemfile.lock',
  'Pipfile.lock',
  'poetry.lock',
  'uv.lock',
  'composer.lock',
  'go.sum',
  'packages.lock.json',
  'mix.lock',
  'pubspec.lock',
  'Podfile.lock',
  'flake.lock',
  'gradle.lockfile',
]);

function split(touches: readonly Touch[], depth: number, total: number): Map<string, Commit[]> {
  const modules = new Map<string, Commit[]>();
  const groups = Map.groupBy(touches, ({ parts }) => parts.slice(0, depth).join('/') || '(root)');
  for (const [module, group] of groups) {
    const commits = [...new Set(group.map(({ commit }) => commit))];
    const children = new Set(group.flatMap(({ parts }) => parts[depth] ?? []));
    const isSplit = depth < deepest && 100 * commits.length > 40 * total && children.size >= 2;
    const parts = isSplit ? split(group, depth + 1, total) : new Map([[module, commits]]);
    for (const [name, own] of parts) modules.set(name, own);
  }
  return modules;
}

function isIgnoredFile(path: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1);
  return lockfiles.has(file) || file.endsWith('.snap') || /\.min\.[^.]+$/.test(file);
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isOwnCode(directory: string): boolean {
  return !partsOf(directory).some((part) => foreign.has(part));
}

function partsOf(directory: string): string[] {
  return directory.split('/').filter((part) => part !== '');
}
