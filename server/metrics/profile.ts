import type { PullRequest } from './delivery-facts.ts';
import type { Actor, Instant } from './facts.ts';
import type { People } from './people.ts';
import { hoursToMerge, inHours, known, sizeOf, timeToMerge } from './pull-requests.ts';
import { humanReviews, turnaroundOf } from './reviews.ts';
import { mean, median, percent, roundTo } from './statistics.ts';
import { dayMs, isWithin, type Window } from './window.ts';

/** Whose figures, and who is who. */
export interface Subject {
  person: Actor;
  people: People;
}

export interface OwnPullRequests {
  /** Created in the window. */
  prsOpened: number;
  /** Merged in the window, whenever they were created. */
  prsMerged: number;
  /** Closed in the window without a merge. */
  prsClosedWithoutMerge: number;
  /** Created in the window and still open. */
  prsStillOpen: number;
  /** Merged ÷ (merged + closed without a merge), 0–100. */
  prMergeRate: number | null;
  avgHoursToMerge: number | null;
  medianHoursToMerge: number | null;
  /** Lines added and removed by pull requests created in the window. */
  avgPrSize: number | null;
  /** What became of those created in the window. */
  funnel: { opened: number; reviewed: number; approved: number; merged: number };
}

export function ownPullRequests(
  pullRequests: readonly PullRequest[],
  window: Window,
  subject: Subject,
): OwnPullRequests {
  const own = ownOf(pullRequests, subject);
  const opened = own.filter(({ createdAt }) => isWithin(createdAt, window));
  const merged = own.filter(({ mergedAt }) => isWithin(mergedAt, window));
  const dropped = own.filter(({ mergedAt, closedAt }) => mergedAt === null && isWithin(closedAt, window));
  const times = known(merged.map(timeToMerge));
  const rate = percent(merged.length, merged.length + dropped.length);
  const size = mean(opened.map(sizeOf));
  const reviewsOf = (each: PullRequest) => humanReviews(each, subject.people);
  return {
    prsOpened: opened.length,
    prsMerged: merged.length,
    prsClosedWithoutMerge: dropped.length,
    prsStillOpen: opened.filter(({ state }) => state === 'open').length,
    prMergeRate: rate === null ? null : roundTo(rate, 0),
    avgHoursToMerge: inHours(mean(times)),
    medianHoursToMerge: inHours(median(times)),
    avgPrSize: size === null ? null : roundTo(size, 0),
    funnel: {
      opened: opened.length,
      reviewed: opened.filter((each) => reviewsOf(each).length > 0).length,
      approved: opened.filter((each) => reviewsOf(each).some(({ state }) => state === 'approved')).length,
      merged: opened.filter(({ mergedAt }) => mergedAt !== null).length,
    },
  };
}

export interface GivenReview {
  pullRequest: PullRequest;
  state: 'approved' | 'changes_requested' | 'commented';
  submittedAt: Instant;
  /** Of the person's first review of the pull request; null for later ones. */
  turnaroundMs: number | null;
}

/** Human reviews of the person in pull requests of others, submitted in the window, newest first. */
export function reviewsGivenBy(
  pullRequests: readonly PullRequest[],
  window: Window,
  { person, people }: Subject,
): GivenReview[] {
  return pullRequests
    .flatMap((pullRequest) => {
      const own = humanReviews(pullRequest, people).filter(({ reviewer }) => people.isSame(reviewer, person));
      return own.flatMap((review, index) => {
        const { state, submittedAt } = review;
        if (state === 'dismissed' || !isWithin(submittedAt, window)) return [];
        const turnaroundMs = index === 0 ? turnaroundOf(pullRequest, review, people) : null;
        return [{ pullRequest, state, submittedAt, turnaroundMs }];
      });
    })
    .sort((a, b) => b.submittedAt - a.submittedAt || b.pullRequest.number - a.pullRequest.number);
}

export interface ReviewWork {
  /** Pull requests of others reviewed in the window. */
  reviewsGiven: number;
  avgReviewTurnaroundHours: number | null;
}

export function reviewWork(given: readonly GivenReview[]): ReviewWork {
  return {
    reviewsGiven: new Set(given.map(({ pullRequest }) => pullRequest)).size,
    avgReviewTurnaroundHours: inHours(mean(known(given.map(({ turnaroundMs }) => turnaroundMs)))),
  };
}

export interface HalfPeriod {
  prsOpened: number;
  prsMerged: number;
  avgHoursToMerge: number | null;
  reviewsGiven: number;
}

/**
 * The last 45 days against the 45 before. Each figure falls into the half in which it happened: a merge by its merge,
 * not by the creation, which would leave the recent half too little time.
 */
export function periodComparison(
  pullRequests: readonly PullRequest[],
  now: Instant,
  subject: Subject,
): { windowDays: 45; recent: HalfPeriod; prior: HalfPeriod } {
  const middle = now - 45 * dayMs;
  return {
    windowDays: 45,
    recent: halfPeriod(pullRequests, { from: middle, to: now }, subject),
    prior: halfPeriod(pullRequests, { from: now - 90 * dayMs, to: middle - 1 }, subject),
  };
}

/** A pull request of a list, newest first. */
export interface RecentPullRequest {
  pullRequest: PullRequest;
  hoursToMerge: number | null;
}

/** The person's newest pull requests created in the window. */
export function recentOwn(
  pullRequests: readonly PullRequest[],
  window: Window,
  subject: Subject,
  count = 20,
): RecentPullRequest[] {
  return ownOf(pullRequests, subject)
    .filter(({ createdAt }) => isWithin(createdAt, window))
    .sort((a, b) => b.createdAt - a.createdAt || b.number - a.number)
    .slice(0, count)
    .map((pullRequest) => ({ pullRequest, hoursToMerge: hoursToMerge(pullRequest) }));
}

function halfPeriod(pullRequests: readonly PullRequest[], window: Window, subject: Subject): HalfPeriod {
  const { prsOpened, prsMerged, avgHoursToMerge } = ownPullRequests(pullRequests, window, subject);
  const { reviewsGiven } = reviewWork(reviewsGivenBy(pullRequests, window, subject));
  return { prsOpened, prsMerged, avgHoursToMerge, reviewsGiven };
}

function ownOf(pullRequests: readonly PullRequest[], { person, people }: Subject): PullRequest[] {
  return pullRequests.filter(({ author }) => people.isSame(author, person));
}
