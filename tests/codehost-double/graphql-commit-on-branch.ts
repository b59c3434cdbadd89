import { shaOf } from './delivery-builders.ts';
import type { Service } from './double.ts';
import { GraphqlRequestError } from './graphql-view.ts';
import { fileAt } from './repository-files.ts';
import { type DoubleToken, findRepository, sees } from './world.ts';
import { mayWrite, workflowRefusal } from './write-access.ts';

interface Input {
  branch: { repositoryNameWithOwner?: string | null; branchName?: string | null };
  expectedHeadOid: string;
  message: { headline: string; body?: string | null };
  fileChanges?: { additions?: { path: string; contents: string }[] | null } | null;
}

/** Adds one commit to a branch, as the token's owner. */
export function createCommitOnBranch(
  { world }: Service,
  token: DoubleToken,
  { branch, expectedHeadOid, message, fileChanges }: Input,
) {
  const name = branch.repositoryNameWithOwner ?? '';
  const found = findRepository(world, name);
  if (!found || !sees(world, token, found.repository))
    throw new GraphqlRequestError('NOT_FOUND', `Could not resolve to a Repository with the name '${name}'.`);
  const { repository } = found;
  if (repository.facts.archived)
    throw new GraphqlRequestError('UNPROCESSABLE', 'Repository was archived so is read-only.');
  const ref = repository.refs.find((one) => one.kind === 'heads' && one.name === branch.branchName);
  if (!mayWrite(world, token, repository, 'contents'))
    throw new GraphqlRequestError('FORBIDDEN', 'Resource not accessible by personal access token');
  const additions = fileChanges?.additions ?? [];
  const workflow = additions.find(({ path }) => path.startsWith('.github/workflows/'));
  if (workflow && !mayWrite(world, token, repository, 'workflows'))
    throw new GraphqlRequestError('FORBIDDEN', workflowRefusal(token, workflow.path));
  if (!ref) throw new GraphqlRequestError('NOT_FOUND', `No such branch: ${branch.branchName}.`);
  if (repository.commitRule)
    throw new GraphqlRequestError('UNPROCESSABLE', `Repository rule violations found\n\n${repository.commitRule}`);
  if (ref.commits[0] !== expectedHeadOid)
    throw new GraphqlRequestError(
      'STALE_DATA',
      `Expected branch to point to "${expectedHeadOid}" but it did not. Pull and try again.`,
    );
  const files = new Map([
    ...(ref.files ?? []),
    ...additions.map(({ path, contents }) => [path, Buffer.from(contents, 'base64').toString('utf8')] as const),
  ]);
  const oid = shaOf(JSON.stringify([expectedHeadOid, message, [...files], token.login]));
  ref.commits = [oid, ...ref.commits];
  ref.files = files;
  ref.message = message;
  return { commit: { __typename: 'Commit', id: `C_${oid}`, oid }, clientMutationId: null };
}

/** A file of a branch beside the default one. */
export function fileOfBranch(
  repository: Parameters<typeof fileAt>[0],
  files: ReadonlyMap<string, string> | undefined,
  path: string,
) {
  const text = files?.get(path);
  return fileAt(text === undefined ? repository : { ...repository, files: new Map([[path, text]]) }, path);
}
