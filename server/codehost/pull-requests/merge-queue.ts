import { z } from 'zod';
import type { MergeQueueEvent, MergeQueueHistory } from '../../metrics/kernel/delivery-facts.ts';
import { Problem } from '../../platform/problem.ts';
import type { FailedRequest } from '../client/failures.ts';
import type { Transport } from '../client/transport.ts';
import { instant } from '../client/wire.ts';

/** What merge queues did with a pull request; in a list of its own, so that it takes no place of the review clock. */
export const mergeQueueFields = `
  queueItems: timelineItems(last: 20, itemTypes: [ADDED_TO_MERGE_QUEUE_EVENT, REMOVED_FROM_MERGE_QUEUE_EVENT]) {
    nodes {
      __typename
      ... on AddedToMergeQueueEvent { createdAt actor { __typename } }
      ... on RemovedFromMergeQueueEvent { createdAt reason beforeCommit { oid } }
    }
  }
  mergeCommit { oid parents(first: 1) { nodes { oid } } }`;

const wireQueueEvent = z.object({
  __typename: z.string(),
  createdAt: instant,
  actor: z.object({ __typename: z.string() }).nullish(),
  reason: z.string().nullish(),
  beforeCommit: z.object({ oid: z.string() }).nullish(),
});

/** Where one of the events cannot be read, it is not known what the queue did. */
export const wireQueueItems = z
  .object({ nodes: z.array(wireQueueEvent) })
  .nullish()
  .catch(null);

export const wireMergeCommit = z
  .object({
    oid: z.string(),
    parents: z
      .object({ nodes: z.array(z.object({ oid: z.string() })).nullish() })
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null);

/** null where the host knows no merge queues, or did not report the events. */
export function toMergeQueueHistory(
  items: z.output<typeof wireQueueItems>,
  mergeCommit: z.output<typeof wireMergeCommit>,
): MergeQueueHistory | null {
  if (!items) return null;
  return {
    events: items.nodes.flatMap(toQueueEvent),
    mergeSha: mergeCommit?.oid ?? null,
    parentSha: mergeCommit?.parents?.nodes?.[0]?.oid ?? null,
  };
}

/** What the platform says of a removal is stored verbatim, up to this length. */
const maxReason = 60;

export const toReason = (reason: string | null | undefined): string | null =>
  reason ? reason.toLowerCase().slice(0, maxReason) : null;

function toQueueEvent({ __typename, createdAt, ...event }: z.output<typeof wireQueueEvent>): MergeQueueEvent[] {
  const at = createdAt;
  if (__typename === 'AddedToMergeQueueEvent')
    return [{ kind: 'added', at, isByBot: event.actor?.__typename === 'Bot', reason: null, headSha: null }];
  if (__typename !== 'RemovedFromMergeQueueEvent') return [];
  const headSha = event.beforeCommit?.oid ?? null;
  return [{ kind: 'removed', at, isByBot: false, reason: toReason(event.reason), headSha }];
}

/** Whether the host is known not to have merge queues: until the process ends, for all tokens. */
export interface MergeQueueSupport {
  isMissing: boolean;
}

/** Sends a query once more without these fields to a host that does not know merge queues, and then always so. */
export function withoutUnknownMergeQueues(transport: Transport, support: MergeQueueSupport): Transport {
  return {
    ...transport,
    async graphql(question) {
      const reduced = { ...question, query: question.query.replace(mergeQueueFields, '') };
      if (support.isMissing) return transport.graphql(reduced);
      try {
        return await transport.graphql(question);
      } catch (error) {
        if (reduced.query === question.query || !isAboutMergeQueues(error)) throw error;
        support.isMissing = true;
        return transport.graphql(reduced);
      }
    },
  };
}

/** Whether the platform rejected a query for a field, a type or a kind of event that it does not have. */
export function isAboutMergeQueues(error: unknown): boolean {
  const message = error instanceof Problem ? ((error.cause as FailedRequest | undefined)?.error ?? '') : '';
  return /merge_?queue/i.test(message) && /doesn't exist on type|no such type|has an invalid value/i.test(message);
}
