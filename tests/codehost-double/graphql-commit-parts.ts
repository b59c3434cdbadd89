import { type DoubleCommit, newestFirst } from './delivery.ts';
import { shaOf } from './delivery-builders.ts';
import { connection, type Paging } from './graphql-connection.ts';
import type { View } from './graphql-view.ts';
import type { DoubleRepository } from './world.ts';

/** What a commit reports beside its own fields: its signature, its pull requests, and what stood in the tree after it. */
export function commitParts(view: View, one: DoubleRepository, given: DoubleCommit) {
  const { sha, signature } = given;
  const batch = () =>
    one.pullRequests.filter(({ mergeSha, commits }) => mergeSha === sha || commits.some((each) => each.sha === sha));
  return {
    signature: signature ? { __typename: 'GpgSignature', isValid: signature === 'VALID', state: signature } : null,
    associatedPullRequests: (args: Paging) =>
      connection(batch(), args, ({ number }) => ({ __typename: 'PullRequest', id: `PR_${number}`, number })),
    file: ({ path }: { path: string }) => entryAt(view, one, filesAfter(one, given), path.replace(/\/$/, '')),
  };
}

/** Files by path with the id of their content. Workflow files that nothing added were there from the start. */
function filesAfter({ commits, workflowFiles }: DoubleRepository, given: DoubleCommit): Map<string, string> {
  const line = newestFirst(commits).reverse();
  const position = line.indexOf(given);
  const history = position < 0 ? line.filter((one) => one.committedAt <= given.committedAt) : line;
  const files = new Map(workflowFiles.map((name) => [`.github/workflows/${name}`, shaOf(`first ${name}`)]));
  for (const one of history.slice(0, position < 0 ? history.length : position + 1))
    for (const { path, removed } of one.files)
      if (removed) files.delete(path);
      else files.set(path, shaOf(`${path} of ${one.sha}`));
  return files;
}

function entryAt(view: View, one: DoubleRepository, files: Map<string, string>, path: string): object | null {
  const below = [...files].filter(([each]) => each.startsWith(`${path}/`));
  const own = files.get(path);
  if (own === undefined && below.length === 0) return null;
  const oid = own ?? shaOf(below.flat().join(' '));
  const names = [...new Set(below.map(([each]) => each.slice(path.length + 1).split('/')[0] ?? ''))].sort();
  const place = { id: `${own ? 'B' : 'T'}_${oid}`, oid, repository: () => view.repository(one) };
  const inside = () => names.map((name) => entryAt(view, one, files, `${path}/${name}`));
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    name,
    path,
    oid,
    type: own ? 'blob' : 'tree',
    mode: own ? 33188 : 16384,
    object: () => (own ? { __typename: 'Blob', ...place } : { __typename: 'Tree', ...place, entries: inside }),
  };
}
