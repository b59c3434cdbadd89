import { type Answer, expectRejected, type Handler, notFound, ok, type RestRequest } from './answers.ts';
import { fileAt, pathsOf, treeIdOf } from './repository-files.ts';
import { within } from './rest-repositories.ts';
import type { DoubleRepository } from './world.ts';

/** Directories by their ids, whole up to 100,000 entries. */
export const treeHandlers: Record<string, Handler> = {
  'git/get-tree': (request) => within(request, (repository) => treeOf(request, repository)),
};

function treeOf({ base, path, params }: RestRequest, repository: DoubleRepository): Answer {
  if (repository.empty) return expectRejected(409, 'Git Repository is empty.');
  const paths = pathsOf(repository);
  const folders = new Set(['', ...paths.flatMap(foldersOf)]);
  const folder = [...folders].find((one) => treeIdOf(repository, one) === params.tree_sha);
  if (folder === undefined) return notFound();
  const start = folder === '' ? 0 : folder.length + 1;
  const below = [...paths, ...folders].filter((one) => one !== '' && one.startsWith(folder === '' ? '' : `${folder}/`));
  const own = [...new Set(below.filter((one) => !one.slice(start).includes('/')))].sort();
  const tree = own.map((one) => {
    const isFolder = folders.has(one);
    const sha = isFolder ? treeIdOf(repository, one) : fileAt(repository, one).oid;
    const kind = isFolder ? { mode: '040000', type: 'tree' } : { mode: '100644', type: 'blob' };
    return { path: one.slice(start), ...kind, sha, url: `${base}${path}/${sha}` };
  });
  return ok({ sha: params.tree_sha, url: `${base}${path}`, tree, truncated: false });
}

const foldersOf = (path: string): string[] =>
  path.split('/').flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('/')]));
