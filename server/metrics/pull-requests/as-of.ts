import type { PullRequest } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import type { People } from '../people/people.ts';
import { getReadyAt } from './open.ts';
import { getEndedAt } from './pull-requests.ts';
import { firstHumanReview } from './reviews.ts';

/**
 * The pull request as it was then, by its reviews and its end; null before its creation. A closing that was
 * followed by a reopening, and the opinion of a review that was dismissed later, are not stored and so not seen.
 */
export function toPullRequestAt(pullRequest: PullRequest, at: Instant): PullRequest | null {
  if (pullRequest.createdAt > at) return null;
  const hadEnded = (getEndedAt(pullRequest) ?? Number.POSITIVE_INFINITY) <= at;
  const reviews = pullRequest.reviews?.filter(({ submittedAt }) => submittedAt <= at) ?? null;
  const ending = hadEnded ? {} : ({ state: 'open', closedAt: null, mergedAt: null, mergedBy: null } as const);
  return {
    ...pullRequest,
    ...ending,
    isDraft: wasDraft(pullRequest, at),
    reviews,
    // Of the oldest alone, one of later shows that all until then were read.
    reviewsTruncated: pullRequest.reviewsTruncated && reviews?.length === pullRequest.reviews?.length,
    // What came before is no better known for looking at an earlier time.
    clock: pullRequest.clock?.filter(({ kind, at: moved }) => moved <= at || kind === 'earlier_unread') ?? null,
  };
}

/** How long somebody waited for a person to look at a pull request. */
export interface ReviewWait {
  /** When it became ready for review, or else the latest that may have been. */
  readyAt: Instant;
  /** So long, or so long at least; 0 where it is not known whether anybody waited. */
  ms: number;
  /** false where the reviews, those beyond the oldest where none of these is by a person, or the review clock as far back as that, could not be read. */
  isKnown: boolean;
}

/**
 * From when it was ready for review to the first review by a person, or to now where there is none yet. null where
 * nobody waits or waited: a draft, one that ended before a review, one that was reviewed while it was a draft.
 */
export function firstReviewWait(pullRequest: PullRequest, now: Instant, people: People): ReviewWait | null {
  const then = toPullRequestAt(pullRequest, now);
  if (then === null) return null;
  const end = getEndedAt(then);
  if (then.reviews === null) return { readyAt: end ?? now, ms: 0, isKnown: false };
  const review = firstHumanReview(then, people);
  if (review === null && then.reviewsTruncated) return { readyAt: end ?? now, ms: 0, isKnown: false };
  const until = review?.submittedAt ?? now;
  if (end !== null && (review === null || until > end)) return null;
  const waiting = toPullRequestAt(then, until);
  if (waiting === null) return null;
  const known = getReadyAt(waiting);
  const latest = Math.min(until, getReadSince(waiting) ?? until);
  // Before what was read nothing is known of drafts either.
  if (waiting.isDraft && (known !== null || latest < until)) return null;
  const readyAt = known ?? latest;
  return { readyAt, ms: until - readyAt, isKnown: known !== null };
}

/** From when on its review clock was read, where that is cut. */
const getReadSince = ({ clock }: PullRequest): Instant | undefined =>
  clock?.find(({ kind }) => kind === 'earlier_unread')?.at;

/** The first later change of that shows what it was changed from; without a known one it still is what it was. */
function wasDraft({ clock, isDraft }: PullRequest, at: Instant): boolean {
  const [next] = (clock ?? [])
    .filter(({ kind }) => kind === 'converted_to_draft' || kind === 'ready_for_review')
    .filter((change) => change.at > at)
    .sort((a, b) => a.at - b.at);
  return next ? next.kind === 'ready_for_review' : isDraft;
}
