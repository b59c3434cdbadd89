import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import {
  createConnectionSchema,
  pageInfoField,
  rateLimitCost,
  readPages,
  requestAll,
} from '../client/graphql-pages.ts';
import type { Transport } from '../client/transport.ts';

/** A commit that a file names with a repository. */
export interface NamedCommit extends RepositoryName {
  commit: string;
}

/** Whether the default branches lead to commits, all in one request; false when not, or not known. */
export async function areOnDefaultBranch(transport: Transport, requested: readonly NamedCommit[]): Promise<boolean[]> {
  const variables = Object.fromEntries(
    requested.flatMap(({ owner, repo, commit }, index) => [
      [`o${index}`, owner],
      [`n${index}`, repo],
      [`h${index}`, commit],
    ]),
  ) as Record<string, string>;
  const fields = requested.map(
    (_, index) =>
      `b${index}: repository(owner: $o${index}, name: $n${index}) {
    defaultBranchRef { compare(headRef: $h${index}) { status } }
  }`,
  );
  const declared = Object.keys(variables).map((name) => `$${name}: String!`);
  return requestAll(transport, {
    operation: 'commits on default branches',
    query: `query OnDefaultBranch(${declared.join(', ')}) {\n  ${rateLimitCost}\n  ${fields.join('\n  ')}\n}`,
    variables,
    read(data) {
      const found = z.record(z.string(), z.unknown()).parse(data);
      return requested.map((_, index) => leads(wireDefault.parse(found[`b${index}`])?.defaultBranchRef?.compare));
    },
  });
}

const refsPerRequest = 25;
/** Four requests for branches and four for tags at most. */
const maxRefs = 100;

/** Whether any branch or tag leads to a commit; null when not all of them could be compared with it. */
export async function isReachable(transport: Transport, named: NamedCommit): Promise<boolean | null> {
  const isOnOne = await isOnAny(transport, named, 'refs/heads/');
  return isOnOne === false ? isOnAny(transport, named, 'refs/tags/') : isOnOne;
}

/** Whether any branch leads to a commit, the default branch first; null when not all of them could be compared with it. */
export async function isOnBranch(transport: Transport, named: NamedCommit): Promise<boolean | null> {
  const [isOnDefault] = await areOnDefaultBranch(transport, [named]);
  return isOnDefault || isOnAny(transport, named, 'refs/heads/');
}

async function isOnAny(
  transport: Transport,
  { owner, repo, commit }: NamedCommit,
  prefix: 'refs/heads/' | 'refs/tags/',
): Promise<boolean | null> {
  const { items, partial } = await readPages(
    transport,
    {
      operation: 'refs that lead to a commit',
      query: reachQuery,
      variables: { owner, name: repo, prefix, commit },
      first: refsPerRequest,
      read: (data) => wireRefs.parse(data).repository.refs,
    },
    { maxItems: maxRefs, enough: (refs) => refs.some(({ compare }) => leads(compare)), identity: ({ name }) => name },
  );
  if (items.some(({ compare }) => leads(compare))) return true;
  return partial || items.some(({ compare }) => !compare) ? null : false;
}

const comparison = z.object({ status: z.string() }).nullish();
const wireDefault = z
  .object({ defaultBranchRef: z.object({ compare: comparison }).nullish() })
  .nullish()
  .catch(null);
const wireRefs = z.object({
  repository: z.object({ refs: createConnectionSchema(z.object({ name: z.string(), compare: comparison })) }),
});

/** A ref leads to a commit that is its own, or lies behind it. */
const leads = (compared: z.output<typeof comparison>): boolean =>
  compared?.status === 'BEHIND' || compared?.status === 'IDENTICAL';

const reachQuery = `
query RefsThatLead($owner: String!, $name: String!, $prefix: String!, $commit: String!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    refs(refPrefix: $prefix, first: $first, after: $after) {
      nodes { name compare(headRef: $commit) { status } }
      ${pageInfoField}
    }
  }
}`;
