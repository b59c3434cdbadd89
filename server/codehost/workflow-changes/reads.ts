import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { graphqlAccount } from '../accounts/graphql-people.ts';
import {
  asListing,
  createConnectionSchema,
  noItems,
  pageInfoField,
  rateLimitCost,
  readPages,
} from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { integer, shownAddress } from '../client/wire.ts';
import {
  type DeliveryContext,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
} from '../delivery/context.ts';
import { branchWith, commitFields, commitReader } from '../repositories/commits-wire.ts';
import type { ActorOf } from '../runs/wire.ts';
import type { WorkflowChange, WorkflowChangeReads } from './client.ts';
import { changedFiles, type DirectoryFiles, isWorkflowFile, noDirectory, workflowDirectory } from './files.ts';

/** Reads of what happened to the workflow files. */
export const createWorkflowChanges = (context: DeliveryContext): WorkflowChangeReads => ({
  async workflowChanges(name, max) {
    const read = await context.reader.remember(
      { key: `workflow changes ${nameKey(name)} ${max}`, freshMs: () => 5 * minuteMs },
      () => readChanges(context, name, max),
    );
    return asListing(read);
  },
});

/** Commits that touched the directory beside its workflows are read too, and excluded again. */
const spare = 10;
const maxPages = 5;

async function readChanges(context: DeliveryContext, name: RepositoryName, max: number) {
  const inRepository = repositoryIn(
    context,
    name,
    branchWith({ history: createConnectionSchema(changeReader(context.toActor)) }),
  );
  const first = Math.min(100, max + spare);
  const found = await readPages(
    context.transport,
    {
      operation: 'workflow changes',
      query,
      variables: { ...repositoryVariables(name), directory: workflowDirectory },
      first,
      read: (data, errors) => inRepository(data, errors).defaultBranchRef?.target?.history ?? noItems,
    },
    { maxItems: maxPages * first, enough: (items) => changesIn(items).length >= max, identity: ({ sha }) => sha },
  );
  const changes = changesIn(found.items).sort((one, other) => other.committedAt - one.committedAt);
  const isComplete = found.totalCount !== null && found.items.length >= found.totalCount && !found.partial;
  return { ...found, items: changes.slice(0, max), totalCount: isComplete ? changes.length : null };
}

const changesIn = (commits: WorkflowChange[]) => commits.filter(({ files }) => files === null || files.length > 0);

/** One level of a directory's content, after a commit and in its parents: what differs was changed. */
const query = `
query WorkflowChanges($owner: String!, $name: String!, $directory: String!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    defaultBranchRef { target { ... on Commit { history(path: $directory, first: $first, after: $after) {
      totalCount
      ${pageInfoField}
      nodes {
        ...CommitFields
        messageHeadline
        url
        committer { user { ...Account } }
        signature { isValid state }
        associatedPullRequests(first: 1) { nodes { number } }
        directory: file(path: $directory) { ...Content }
        before: parents(first: 3) { totalCount nodes { directory: file(path: $directory) { ...Content } } }
      }
    } } } }
  }
}
fragment Content on TreeEntry { object { ... on Tree { entries { name oid type } } } }
${commitFields}`;

/** Without the directory there are no files in it; with a directory that was not answered they are unknown. */
const content = z
  .object({
    object: z
      .object({ entries: z.array(z.object({ name: z.string(), oid: z.string(), type: z.string() })).nullish() })
      .nullish(),
  })
  .nullish()
  .transform((wire): DirectoryFiles => {
    if (!wire) return noDirectory;
    const files = wire.object?.entries?.filter(({ name, type }) => type === 'blob' && isWorkflowFile(name));
    return files ? new Map(files.map(({ name, oid }) => [`${workflowDirectory}/${name}`, oid])) : null;
  });

const wireChange = z.object({
  messageHeadline: z.string().catch(''),
  url: shownAddress,
  committer: z.object({ user: graphqlAccount }).nullish(),
  signature: z.object({ isValid: z.boolean(), state: z.string() }).nullish(),
  isSignatureUnread: z.literal(true).optional(),
  associatedPullRequests: z.object({ nodes: z.array(z.object({ number: integer }).nullable()).nullish() }).nullish(),
  directory: content,
  before: z.object({ totalCount: integer, nodes: z.array(z.object({ directory: content }).nullable()).nullish() }),
});

const changeReader = (toActor: ActorOf) =>
  commitReader(toActor)
    .and(wireChange)
    .transform((wire): WorkflowChange => {
      const { before } = wire;
      const parents = (before.nodes ?? []).map((parent): DirectoryFiles => parent?.directory ?? null);
      const hasAllParents = parents.length === before.totalCount;
      return {
        sha: wire.sha,
        message: wire.messageHeadline,
        author: wire.author,
        isAuthorUnread: wire.isAuthorUnread,
        authorName: wire.authorName,
        committer: toActor(wire.committer?.user ?? null),
        authoredAt: wire.authoredAt,
        committedAt: wire.committedAt,
        verified: isSignatureValid(wire),
        pullRequest: wire.associatedPullRequests?.nodes?.[0]?.number ?? null,
        htmlUrl: wire.url,
        files: hasAllParents ? changedFiles(wire.directory, parents) : null,
      };
    });

/** Signatures that could not be checked, or read, are neither good nor bad. */
function isSignatureValid({ signature, isSignatureUnread }: z.output<typeof wireChange>): boolean | null {
  if (isSignatureUnread) return null;
  if (!signature) return false;
  return unchecked.has(signature.state) ? null : signature.isValid;
}

const unchecked: ReadonlySet<string> = new Set(['GPGVERIFY_ERROR', 'GPGVERIFY_UNAVAILABLE']);
