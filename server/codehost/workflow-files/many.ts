import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { repositoryParams } from '../client/names.ts';
import { readableItems } from '../client/readable-items.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';

/** An entry of a directory. */
export interface TreeFile {
  name: string;
  oid: string;
  /** `blob`, `tree` or `commit`. */
  type: string;
  mode: number;
}

/** A file's content as the platform gives it. */
export const wireBlob = z.object({
  isTruncated: z.boolean().nullish(),
  isBinary: z.boolean().nullish(),
  text: z.string().nullish(),
});
export type Blob = z.output<typeof wireBlob>;
export const blobFields = 'isBinary isTruncated text';

/** Every entry of a directory with more of them than other lists give; the platform's limit is 100,000. */
export async function readTree(
  { transport }: DeliveryContext,
  name: RepositoryName,
  treeId: string,
): Promise<{ files: TreeFile[]; complete: boolean }> {
  const { fresh } = await transport.rest({
    operation: 'entries of a directory',
    route: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
    params: { ...repositoryParams(name), tree_sha: treeId },
    read: (data) => wireTree.parse(data),
  });
  if (!fresh) return { files: [], complete: false };
  const { tree, truncated } = fresh.value;
  return { files: tree.items, complete: !truncated && tree.excluded === null };
}

const wireTree = z.object({
  tree: readableItems(
    z
      .object({ path: z.string(), sha: z.string(), type: z.string(), mode: z.string() })
      .transform(({ path, sha, type, mode }) => ({ name: path, oid: sha, type, mode: Number.parseInt(mode, 8) })),
  ),
  truncated: z.boolean(),
});

const blobsPerRequest = 100;

/** Contents by their ids, a hundred a request; those that were not given are excluded. */
export async function readBlobs(
  context: DeliveryContext,
  name: RepositoryName,
  files: readonly TreeFile[],
): Promise<Map<string, Blob>> {
  const ids = [...new Set(files.map(({ oid }) => oid))];
  const batches = Array.from({ length: Math.ceil(ids.length / blobsPerRequest) }, (_, index) =>
    ids.slice(index * blobsPerRequest, (index + 1) * blobsPerRequest),
  );
  return new Map((await Promise.all(batches.map((batch) => requestBlobs(context, name, batch)))).flat());
}

async function requestBlobs(context: DeliveryContext, name: RepositoryName, ids: string[]): Promise<[string, Blob][]> {
  const keys = ids.map((_, index) => `b${index}`);
  const inRepository = repositoryIn(context, name, Object.fromEntries(keys.map((key) => [key, wireBlob.nullish()])));
  return requestAll(context.transport, {
    operation: 'texts of workflow files',
    query: `
query WorkflowTexts($owner: String!, $name: String!${keys.map((key) => `, $${key}: GitObjectID!`).join('')}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    ${keys.map((key) => `${key}: object(oid: $${key}) { ... on Blob { ${blobFields} } }`).join('\n    ')}
  }
}`,
    variables: Object.assign(repositoryVariables(name), ...ids.map((id, index) => ({ [`b${index}`]: id }))),
    read(data, errors) {
      const found: Record<string, unknown> = inRepository(data, errors);
      return ids.flatMap((id, index): [string, Blob][] => {
        const blob = found[`b${index}`] as Blob | null | undefined;
        return blob ? [[id, blob]] : [];
      });
    },
  });
}
