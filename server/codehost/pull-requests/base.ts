import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { MissingFields } from '../client/failures.ts';
import { rateLimitCost } from '../client/graphql-pages.ts';
import type { PartError } from '../client/transport.ts';
import { instant } from '../client/wire.ts';

/** A pull request that exists on the platform. */
export interface OpenedPullRequest {
  number: number;
  htmlUrl: string;
  createdAt: Instant;
  isDraft: boolean;
}

/** A repository as it is at this moment, for whoever is about to open a pull request. */
export interface PullRequestBase {
  defaultBranch: string;
  /** Head of the default branch. */
  headOid: string;
  isArchived: boolean;
  isPublic: boolean;
  /** Whether the caller may push to it. */
  mayPush: boolean;
  /** Scopes of a classic token, which may be none; null for a token that does not show them. */
  scopes: readonly string[] | null;
  /** By path, on the default branch. */
  files: ReadonlyMap<string, { blobId: string; text: string | null }>;
  /** The branch of that name; null where there is none. */
  branch: {
    oid: string;
    parent: string | null;
    changedFiles: number | null;
    blobIds: ReadonlyMap<string, string>;
  } | null;
  /** An open pull request from that branch of this repository. */
  pullRequest: (OpenedPullRequest & { title: string; body: string; headOid: string; baseBranch: string }) | null;
}

/** What is read, of so many files. */
export const baseQuery = (paths: number): string => {
  const each = (line: (index: number) => string) => Array.from({ length: paths }, (_, index) => line(index)).join('\n');
  return `query ($owner: String!, $name: String!, $ref: String!, $head: String!, ${Array.from({ length: paths }, (_, index) => `$base${index}: String!, $own${index}: String!`).join(', ')}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    isArchived visibility viewerPermission
    defaultBranchRef { name target { oid } }
    branch: ref(qualifiedName: $ref) {
      target { ... on Commit { oid changedFilesIfAvailable parents(first: 1) { nodes { oid } } } }
    }
    pullRequests(headRefName: $head, states: OPEN, first: 100) {
      nodes { number url createdAt isDraft title body headRefOid baseRefName isCrossRepository }
    }
    ${each((index) => `base${index}: object(expression: $base${index}) { ... on Blob { oid text isBinary isTruncated } }`)}
    ${each((index) => `own${index}: object(expression: $own${index}) { ... on Blob { oid } }`)}
  }
}`;
};

const blob = z.object({ oid: z.string().optional(), text: z.string().nullish(), isTruncated: z.boolean().nullish() });

const baseSchema = z.object({
  repository: z
    .looseObject({
      isArchived: z.boolean(),
      visibility: z.string(),
      viewerPermission: z.string().nullable(),
      defaultBranchRef: z.object({ name: z.string(), target: z.object({ oid: z.string() }).nullable() }).nullable(),
      branch: z
        .object({
          target: z
            .object({
              oid: z.string(),
              changedFilesIfAvailable: z.int().nullish(),
              parents: z.object({ nodes: z.array(z.object({ oid: z.string() })) }),
            })
            .nullable(),
        })
        .nullable(),
      pullRequests: z.object({
        nodes: z.array(
          z
            .object({
              number: z.int(),
              url: z.string(),
              createdAt: instant,
              isDraft: z.boolean(),
              title: z.string(),
              body: z.string(),
              headRefOid: z.string(),
              baseRefName: z.string(),
              isCrossRepository: z.boolean(),
            })
            .transform(({ isCrossRepository, url, headRefOid, baseRefName, ...rest }) => ({
              isCrossRepository,
              found: { ...rest, htmlUrl: url, headOid: headRefOid, baseBranch: baseRefName },
            })),
        ),
      }),
    })
    .nullish(),
});

export function toBase(
  data: unknown,
  errors: PartError[],
  paths: readonly string[],
  scopes: string | null,
): PullRequestBase {
  const { repository } = baseSchema.parse(data);
  if (!repository) throw new MissingFields(['repository'], errors);
  const head = repository.defaultBranchRef;
  if (!head?.target) throw new MissingFields(['repository.defaultBranchRef'], errors);
  const blobs = (name: string) =>
    paths.flatMap((path, index) => {
      const found = blob.nullish().parse(repository[`${name}${index}`]);
      return found?.oid ? [{ path, blobId: found.oid, text: found.isTruncated ? null : (found.text ?? null) }] : [];
    });
  const target = repository.branch?.target;
  // Forks have branches of the same names.
  const own = repository.pullRequests.nodes.find(({ isCrossRepository }) => !isCrossRepository);
  return {
    defaultBranch: head.name,
    headOid: head.target.oid,
    isArchived: repository.isArchived,
    isPublic: repository.visibility === 'PUBLIC',
    mayPush: ['ADMIN', 'MAINTAIN', 'WRITE'].includes(repository.viewerPermission ?? ''),
    scopes: scopes === null ? null : scopes.split(',').flatMap((scope) => scope.trim() || []),
    files: new Map(blobs('base').map(({ path, ...file }) => [path, file])),
    branch: target
      ? {
          oid: target.oid,
          parent: target.parents.nodes[0]?.oid ?? null,
          changedFiles: target.changedFilesIfAvailable ?? null,
          blobIds: new Map(blobs('own').map(({ path, blobId }) => [path, blobId])),
        }
      : null,
    pullRequest: own?.found ?? null,
  };
}
