import { z } from 'zod';
import type { PullRequest, ReviewClockEvent } from '../../metrics/kernel/delivery-facts.ts';
import { maybeInstant } from '../client/wire.ts';

/** What moves the review clock: as much as a list gives, as each push of a rebased branch takes a place. */
export const clockFields = `
  timelineItems(
    last: 100
    itemTypes: [READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT, REVIEW_REQUESTED_EVENT, HEAD_REF_FORCE_PUSHED_EVENT]
  ) {
    pageInfo { hasPreviousPage }
    nodes {
      __typename
      ... on ReadyForReviewEvent { createdAt }
      ... on ConvertToDraftEvent { createdAt }
      ... on HeadRefForcePushedEvent { createdAt }
      ... on ReviewRequestedEvent {
        createdAt
        requestedReviewer { ... on User { login } ... on Bot { login } ... on Mannequin { login } }
      }
    }
  }`;

const wireEvent = z.object({
  __typename: z.string(),
  createdAt: maybeInstant,
  requestedReviewer: z.object({ login: z.string().nullish() }).nullish(),
});

/** Without one of them, the review clock cannot be determined. */
export const wireClockItems = z
  .object({ pageInfo: z.object({ hasPreviousPage: z.boolean() }), nodes: z.array(wireEvent) })
  .nullish()
  .catch(null);

/** Oldest first, with a mark where the list is cut; null where it could not be read. */
export function toClock(items: z.output<typeof wireClockItems>): PullRequest['clock'] {
  if (!items) return null;
  const events = items.nodes.flatMap(toClockEvent);
  if (!items.pageInfo.hasPreviousPage) return events;
  // Where no time of those read is known, nothing is known of any time.
  const at = events.length > 0 ? Math.min(...events.map((event) => event.at)) : Number.MAX_SAFE_INTEGER;
  return [{ kind: 'earlier_unread', at, login: null }, ...events];
}

function toClockEvent({ __typename, createdAt, requestedReviewer }: z.output<typeof wireEvent>): ReviewClockEvent[] {
  const kind = eventKinds[__typename];
  if (!kind || createdAt === null) return [];
  return [{ kind, at: createdAt, login: requestedReviewer?.login ? plain(requestedReviewer.login) : null }];
}

const eventKinds: Record<string, ReviewClockEvent['kind']> = {
  ReadyForReviewEvent: 'ready_for_review',
  ConvertToDraftEvent: 'converted_to_draft',
  ReviewRequestedEvent: 'review_requested',
  HeadRefForcePushedEvent: 'pushed',
};

/** The newest commit approximates the last usual push, which the platform does not list. */
export function withLastPush(clock: PullRequest['clock'], committedAt: number | undefined): PullRequest['clock'] {
  if (committedAt === undefined || clock === null) return clock;
  return [...clock, { kind: 'pushed' as const, at: committedAt, login: null }].sort((one, other) => one.at - other.at);
}

/** A login without the mark of a bot. */
export const plain = (login: string) => login.replace(/\[bot\]$/, '');
