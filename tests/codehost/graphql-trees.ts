import { shaOf } from './delivery-builders.ts';
import { commit, headCommit } from './graphql-commits.ts';
import type { View } from './graphql-view.ts';
import type { DoubleRepository } from './world.ts';

/** What an expression such as `HEAD:src` or a commit id names; null when there is nothing. */
export function objectAt(view: View, one: DoubleRepository, expression: string) {
  if (one.empty) return null;
  const [revision = '', path] = expression.split(':');
  const known = one.commits.find((each) => each.sha === revision);
  if (!known && revision !== 'HEAD' && revision !== one.facts.defaultBranch) return null;
  if (path === undefined) return known ? commit(view, one, known) : headCommit(view, one);
  return treeAt(view, one, path.replace(/^\/|\/$/g, ''));
}

/** Every file a commit ever changed is taken to be there still, beside the workflow files. */
const pathsOf = ({ commits, workflowFiles }: DoubleRepository) => [
  ...new Set([
    ...workflowFiles.map((name) => `.github/workflows/${name}`),
    ...commits.flatMap((one) => one.files.map((file) => file.path)),
  ]),
];

function treeAt(view: View, one: DoubleRepository, path: string): object | null {
  const below = path === '' ? pathsOf(one) : pathsOf(one).filter((each) => each.startsWith(`${path}/`));
  if (below.length === 0) return pathsOf(one).includes(path) ? blobAt(view, one, path) : null;
  const names = [...new Set(below.map((each) => each.slice(path === '' ? 0 : path.length + 1).split('/')[0] ?? ''))];
  const oid = shaOf(`tree ${path}`);
  const entries = () => names.sort().map((name) => entryAt(view, one, path === '' ? name : `${path}/${name}`, name));
  return { __typename: 'Tree', id: `T_${oid}`, oid, entries, repository: () => view.repository(one) };
}

function entryAt(view: View, one: DoubleRepository, path: string, name: string) {
  const isTree = !pathsOf(one).includes(path);
  return {
    name,
    path,
    type: isTree ? 'tree' : 'blob',
    mode: isTree ? 16384 : 33188,
    size: isTree ? 0 : 400,
    oid: shaOf(`${isTree ? 'tree' : 'blob'} ${path}`),
    extension: isTree || !name.includes('.') ? '' : name.slice(name.lastIndexOf('.')),
    object: () => treeAt(view, one, path),
  };
}

function blobAt(view: View, one: DoubleRepository, path: string) {
  const oid = shaOf(`blob ${path}`);
  return { __typename: 'Blob', id: `B_${oid}`, oid, byteSize: 400, repository: () => view.repository(one) };
}
