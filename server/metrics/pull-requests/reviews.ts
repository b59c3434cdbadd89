import type { PullRequest, Review, ReviewClockEvent } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import type { People } from '../people/people.ts';

/**
 * Reviews in the sense of every figure: approved, changes requested or commented, by neither a bot nor the author.
 * A dismissed one does not count. Oldest first; null where the reviews could not be read.
 */
export function humanReviews({ reviews, author }: PullRequest, people: People): Review[] | null {
  if (reviews === null) return null;
  return reviews
    .filter(
      ({ state, reviewer }) => state !== 'dismissed' && !people.isBot(reviewer) && !people.isSame(reviewer, author),
    )
    .sort(byTime);
}

/** Why a pull request whose reviews could not be read is in no figure about reviews. */
export const unreadReviews = { unknown: 'reviews could not be read' };

/** The same where only the oldest were read, for figures of the last ones, and where none of them is by a person. */
export const cutReviews = { unknown: 'not all of its reviews were read' };

/** The same of its review clock, for figures of waits. */
export const unreadClock = { unknown: 'the times of its review clock could not be read' };

/** The human reviews that came before or at the merge; of a pull request that was not merged, all. null as above. */
export function reviewsBeforeMerge(pullRequest: PullRequest, people: People): Review[] | null {
  const { mergedAt } = pullRequest;
  const isBefore = ({ submittedAt }: Review) => mergedAt === null || submittedAt <= mergedAt;
  return humanReviews(pullRequest, people)?.filter(isBefore) ?? null;
}

/**
 * Whether it had such a review; null where the reviews could not be read, or only the oldest of them and none is one:
 * the first fifty may be those of bots.
 */
export function isReviewedBeforeMerge(pullRequest: PullRequest, people: People): boolean | null {
  const reviews = reviewsBeforeMerge(pullRequest, people);
  if (reviews?.length === 0 && pullRequest.reviewsTruncated) return null;
  return reviews && reviews.length > 0;
}

/** Why that is not known, where it is not. */
export const whyReviewUnknown = ({ reviews }: PullRequest) => (reviews === null ? unreadReviews : cutReviews);

/** null without one, and where the reviews could not be read. */
export function firstHumanReview(pullRequest: PullRequest, people: People): Review | null {
  return humanReviews(pullRequest, people)?.[0] ?? null;
}

/** The last human approval that was read, not later than the merge; null without one, and where the reviews could not be read. */
export function lastApproval(pullRequest: PullRequest, people: People): Review | null {
  return reviewsBeforeMerge(pullRequest, people)?.findLast(({ state }) => state === 'approved') ?? null;
}

/**
 * When the wait for this review began: creation, or the last time before it that the pull request became ready for
 * review or the reviewer was requested by name. null where the clock could not be read, or not so far back.
 */
export function reviewClockStart(pullRequest: PullRequest, review: Review, people: People): Instant | null {
  if (pullRequest.clock === null) return null;
  const { reviewer, submittedAt } = review;
  const isRequested = (login: string | null) =>
    reviewer !== null && login !== null && people.isSame({ login, avatarUrl: '', isBot: false }, reviewer);
  const moves = pullRequest.clock.filter(
    ({ kind, at, login }) =>
      at <= submittedAt && (kind === 'ready_for_review' || (kind === 'review_requested' && isRequested(login))),
  );
  if (moves.length === 0 && isClockCut(pullRequest.clock)) return null;
  return Math.max(pullRequest.createdAt, ...moves.map(({ at }) => at));
}

/** Whether there was more on the review clock than was read. */
export const isClockCut = (clock: readonly ReviewClockEvent[]): boolean =>
  clock.some(({ kind }) => kind === 'earlier_unread');

/** Clock start to review, in ms; null as above, and for an imported review that is older than its pull request. */
export function getTurnaround(pullRequest: PullRequest, review: Review, people: People): number | null {
  const start = reviewClockStart(pullRequest, review, people);
  return start === null || start > review.submittedAt ? null : review.submittedAt - start;
}

/**
 * Head commits that got a human review, not later than the merge, those of a commit that is gone as one; null where the
 * reviews, or the commit of one, could not be read.
 */
export function reviewRounds(pullRequest: PullRequest, people: People): number | null {
  const reviews = reviewsBeforeMerge(pullRequest, people);
  if (reviews?.some(({ isCommitUnread }) => isCommitUnread)) return null;
  return reviews && new Set(reviews.map(({ commitSha }) => commitSha)).size;
}

/** By submission, then by id: the order of every list of reviews. */
export function byTime(a: Review, b: Review): number {
  if (a.submittedAt !== b.submittedAt) return a.submittedAt - b.submittedAt;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
