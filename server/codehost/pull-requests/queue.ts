import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { MissingFields } from '../client/failures.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { readableItems } from '../client/readable-items.ts';
import { instant, integer, shownAddress, shownText } from '../client/wire.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';
import type { MergeQueue } from '../delivery/merge-queue.ts';
import { isAboutMergeQueues } from './merge-queue.ts';

const freshMs = 60_000;

/** Reads the merge queue of a branch, or of the default branch; null where it has none, or the host knows no queues. */
export async function readQueue(context: DeliveryContext, name: RepositoryName, branch: string | null) {
  const { value, stale, asOf } = await context.reader.remember(
    { key: `merge queue ${nameKey(name)} ${branch ?? ''}`, freshMs: () => freshMs },
    () =>
      requestQueue(context, name, branch).catch((error: unknown) => {
        if (isAboutMergeQueues(error)) return { queue: null, defaultBranch: null, isSupported: false };
        throw error;
      }),
  );
  return { ...value, stale, asOf };
}

function requestQueue(context: DeliveryContext, name: RepositoryName, branch: string | null) {
  const now = context.clock.now();
  const inRepository = repositoryIn(context, name, {
    defaultBranchRef: z.object({ name: z.string() }).nullish(),
    mergeQueue: wireQueue.nullish(),
  });
  return requestAll(context.transport, {
    operation: 'merge queue',
    query,
    variables: { ...repositoryVariables(name), branch },
    read(data, errors) {
      const { defaultBranchRef, mergeQueue } = inRepository(data, errors);
      if (!mergeQueue?.entries && errors.some(({ path }) => path?.includes('mergeQueue')))
        throw new MissingFields(['mergeQueue'], errors);
      return {
        queue: mergeQueue ? toQueue(mergeQueue, now) : null,
        defaultBranch: defaultBranchRef?.name ?? null,
        isSupported: true,
      };
    },
  });
}

const query = `
query MergeQueue($owner: String!, $name: String!, $branch: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    defaultBranchRef { name }
    mergeQueue(branch: $branch) {
      url
      configuration {
        checkResponseTimeout maximumEntriesToBuild maximumEntriesToMerge minimumEntriesToMerge
        minimumEntriesToMergeWaitTime mergeMethod mergingStrategy
      }
      entries(first: 100) {
        totalCount
        nodes { position state enqueuedAt estimatedTimeToMerge pullRequest { number title url } }
      }
    }
  }
}`;

const count = integer.nullish();

const wireQueue = z.object({
  url: shownAddress,
  configuration: z
    .object({
      checkResponseTimeout: count,
      maximumEntriesToBuild: count,
      maximumEntriesToMerge: count,
      minimumEntriesToMerge: count,
      minimumEntriesToMergeWaitTime: count,
      mergeMethod: z.string().nullish(),
      mergingStrategy: z.string().nullish(),
    })
    .nullish(),
  entries: z
    .object({
      totalCount: integer,
      nodes: readableItems(
        z
          .object({
            position: integer,
            state: z.string(),
            enqueuedAt: instant,
            estimatedTimeToMerge: integer.nullish(),
            pullRequest: z.object({ number: integer, title: shownText, url: shownAddress }),
          })
          .nullable(),
      ).nullish(),
    })
    .nullish(),
});

function toQueue({ url, configuration, entries }: z.output<typeof wireQueue>, now: Instant): MergeQueue {
  const listed = (entries?.nodes?.items ?? []).flatMap((one) => one ?? []);
  return {
    url,
    configuration: configuration
      ? {
          checksTimeoutMinutes: configuration.checkResponseTimeout ?? null,
          maxBuilds: configuration.maximumEntriesToBuild ?? null,
          maxMerge: configuration.maximumEntriesToMerge ?? null,
          minMerge: configuration.minimumEntriesToMerge ?? null,
          minWaitMinutes: configuration.minimumEntriesToMergeWaitTime ?? null,
          strategy: configuration.mergingStrategy?.toLowerCase() ?? null,
          method: configuration.mergeMethod?.toLowerCase() ?? null,
        }
      : null,
    total: entries?.totalCount ?? 0,
    entries: listed
      .map(({ position, state, enqueuedAt, estimatedTimeToMerge, pullRequest }) => ({
        number: pullRequest.number,
        title: pullRequest.title ?? null,
        htmlUrl: pullRequest.url,
        position,
        state: readState(state),
        enteredAt: enqueuedAt,
        estimatedAt: estimatedTimeToMerge == null ? null : now + estimatedTimeToMerge * 1000,
      }))
      .sort((a, b) => a.position - b.position),
  };
}

const states = new Map<string, MergeQueue['entries'][number]['state']>([
  ['QUEUED', 'queued'],
  ['AWAITING_CHECKS', 'awaiting_checks'],
  ['MERGEABLE', 'mergeable'],
  ['UNMERGEABLE', 'unmergeable'],
  ['LOCKED', 'locked'],
]);

/** A state that is new counts as waiting. */
const readState = (state: string) => states.get(state) ?? 'queued';
