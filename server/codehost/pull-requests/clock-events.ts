import { z } from 'zod';
import type { PullRequest, ReviewClockEvent } from '../../metrics/kernel/delivery-facts.ts';
import { maybeInstant } from '../client/wire.ts';

/** Something of the timeline that moves the review clock. */
export const wireEvent = z.object({
  __typename: z.string(),
  createdAt: maybeInstant,
  requestedReviewer: z.object({ login: z.string().nullish() }).nullish(),
});

export function toClockEvent({
  __typename,
  createdAt,
  requestedReviewer,
}: z.output<typeof wireEvent>): ReviewClockEvent[] {
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
