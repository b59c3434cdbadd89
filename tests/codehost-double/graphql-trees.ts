import { fileOfBranch } from './graphql-commit-on-branch.ts';
import { commit, headCommit } from './graphql-commits.ts';
import type { View } from './graphql-view.ts';
import { refName } from './refs.ts';
import { fileAt, isFileId, pathsOf, treeIdOf } from './repository-files.ts';
import type { DoubleRepository } from './world.ts';

/** What an expression such as `HEAD:src` or a commit id names; null when there is nothing. */
export function objectAt(view: View, one: DoubleRepository, expression: string) {
  if (one.empty) return null;
  const named = pathsOf(one).find((path) => isFileId(one, path, expression));
  if (named !== undefined) return blobAt(view, one, named);
  const [revision = '', path] = expression.split(':');
  const branch = refWritten(one, revision);
  if (branch && path !== undefined) return blobOf(view, one, fileOfBranch(one, branch.files, path));
  const kept = one.refs.find(
    ({ files, object, commits: [own] }) => files && (own === revision || object === revision),
  )?.files;
  if (kept && path !== undefined) return kept.has(path) ? blobOf(view, one, fileOfBranch(one, kept, path)) : null;
  const known = one.commits.find((each) => each.sha === revision);
  if (!known && revision !== 'HEAD' && revision !== one.facts.defaultBranch) return null;
  if (path === undefined) return known ? commit(view, one, known) : headCommit(view, one);
  return treeAt(view, one, path.replace(/^\/|\/$/g, ''));
}

/** A ref by its qualified name; by its short one a tag comes before a branch. */
const refWritten = ({ refs }: DoubleRepository, revision: string) =>
  refs.find((ref) => refName(ref) === revision) ??
  refs.find(({ kind, name }) => kind === 'tags' && name === revision) ??
  refs.find(({ name }) => name === revision);

/** So many entries of a directory are given. */
const mostEntries = 1000;

function treeAt(view: View, one: DoubleRepository, path: string): object | null {
  const below = path === '' ? pathsOf(one) : pathsOf(one).filter((each) => each.startsWith(`${path}/`));
  if (below.length === 0) return pathsOf(one).includes(path) ? blobAt(view, one, path) : null;
  const names = [...new Set(below.map((each) => each.slice(path === '' ? 0 : path.length + 1).split('/')[0] ?? ''))];
  const oid = treeIdOf(one, path);
  const shown = names.sort().slice(0, mostEntries);
  const entries = () => shown.map((name) => entryAt(view, one, path === '' ? name : `${path}/${name}`, name));
  return { __typename: 'Tree', id: `T_${oid}`, oid, entries, repository: () => view.repository(one) };
}

function entryAt(view: View, one: DoubleRepository, path: string, name: string) {
  const isTree = !pathsOf(one).includes(path);
  return {
    name,
    path,
    type: isTree ? 'tree' : 'blob',
    mode: isTree ? 16384 : 33188,
    size: isTree ? 0 : fileAt(one, path).byteSize,
    oid: isTree ? treeIdOf(one, path) : fileAt(one, path).oid,
    extension: isTree || !name.includes('.') ? '' : name.slice(name.lastIndexOf('.')),
    object: () => treeAt(view, one, path),
  };
}

function blobAt(view: View, one: DoubleRepository, path: string) {
  return blobOf(view, one, fileAt(one, path));
}

const blobOf = (view: View, one: DoubleRepository, file: ReturnType<typeof fileAt>) => ({
  __typename: 'Blob',
  id: `B_${file.oid}`,
  ...file,
  repository: () => view.repository(one),
});
