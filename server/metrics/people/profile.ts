import type { Verdict } from '../../domain/verdict.ts';
import { compareMedians, judgeChange } from '../kernel/comparison.ts';
import type { OpenPullRequest, PullRequest, Review } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { dayMs, isWithin, type Window } from '../kernel/window.ts';
import { getOpenState, getReadyAt, listReviewRequests } from '../pull-requests/open.ts';
import { hoursToMerge, timeToMerge, withoutNulls } from '../pull-requests/pull-requests.ts';
import { humanReviews } from '../pull-requests/reviews.ts';
import type { Subject } from './people.ts';
import { isOwn, personAvgHoursToMerge, personMedianHoursToMerge, personMergeRate } from './person.ts';
import {
  personAvgPrSize,
  personPrsMerged,
  personPrsOpened,
  personReviewsGiven,
  personReviewTurnaround,
} from './person-work.ts';

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
  /** What became of those created in the window; without what comes from reviews that could not be read. */
  funnel: { opened: number; reviewed: number | null; approved: number | null; merged: number };
}

export function ownPullRequests(
  pullRequests: readonly PullRequest[],
  window: Window,
  subject: Subject,
): OwnPullRequests {
  const { counted: opened } = personPrsOpened(window, subject).evidence(pullRequests);
  const { counted: ended } = personMergeRate(window, subject).evidence(pullRequests);
  /** null where it is unknown of any: the oldest reviews of one may all be those of bots. */
  const countReviewed = (isCounted: (review: Review) => boolean): number | null => {
    const isReviewed = (each: PullRequest) => humanReviews(each, subject.people)?.some(isCounted) ?? false;
    const isKnown = (each: PullRequest) => isReviewed(each) || (each.reviews !== null && !each.reviewsTruncated);
    return opened.every(isKnown) ? opened.filter(isReviewed).length : null;
  };
  return {
    prsOpened: opened.length,
    prsMerged: personPrsMerged(window, subject)(pullRequests).sample,
    prsClosedWithoutMerge: ended.filter(({ mergedAt }) => mergedAt === null).length,
    prsStillOpen: opened.filter(({ state }) => state === 'open').length,
    prMergeRate: personMergeRate(window, subject).reduce(ended),
    avgHoursToMerge: personAvgHoursToMerge(window, subject)(pullRequests).value,
    medianHoursToMerge: personMedianHoursToMerge(window, subject)(pullRequests).value,
    avgPrSize: personAvgPrSize(window, subject).reduce(opened),
    funnel: {
      opened: opened.length,
      reviewed: countReviewed(() => true),
      approved: countReviewed(({ state }) => state === 'approved'),
      merged: opened.filter(({ mergedAt }) => mergedAt !== null).length,
    },
  };
}

/** Whole days since each open pull request of the person became ready for review; not of drafts, nor where unknown. */
export const ownOpenDays = (pullRequests: readonly PullRequest[], now: Instant, subject: Subject): number[] =>
  pullRequests
    .filter((each) => isOwn(each, subject) && each.state === 'open' && !each.isDraft)
    .flatMap((each) => getReadyAt(each) ?? [])
    .map((readyAt) => Math.floor((now - readyAt) / dayMs));

/**
 * Whole days that each open pull request of others, whose next move is a review, has waited since one of the person was
 * requested; not where that is unknown.
 */
export const reviewWaitDays = (open: readonly OpenPullRequest[], now: Instant, subject: Subject): number[] =>
  open
    .filter((each) => !isOwn(each, subject))
    .flatMap((each) => {
      const requests = listReviewRequests(each).filter(({ login }) => isLoginOf(login, subject));
      const { waitingOn, waitingSince } = getOpenState(each, now, subject.people);
      return requests.length > 0 && waitingOn === 'reviewer' && waitingSince !== null
        ? getReviewWaitSince(waitingSince, requests)
        : [];
    })
    .map((since) => Math.floor((now - since) / dayMs));

/** Nobody makes a pull request wait before they are requested; an unknown time of a request moves nothing. */
const getReviewWaitSince = (waitingSince: Instant, requests: ReturnType<typeof listReviewRequests>): Instant =>
  Math.max(waitingSince, Math.min(...requests.map(({ requestedAt }) => requestedAt ?? waitingSince)));

const isLoginOf = (login: string, { person, people }: Subject) =>
  people.isSame({ login, avatarUrl: '', isBot: false }, person);

export interface ReviewWork {
  /** Pull requests of others reviewed in the window; null where the reviews of any could not be read. */
  reviewsGiven: number | null;
  avgReviewTurnaroundHours: number | null;
  /** First reviews behind the average. */
  reviewTurnaroundSample: number;
}

/** What the person did in the pull requests of others. */
export function reviewWork(pullRequests: readonly PullRequest[], window: Window, subject: Subject): ReviewWork {
  const turnaround = personReviewTurnaround(window, subject)(pullRequests);
  return {
    reviewsGiven: personReviewsGiven(window, subject)(pullRequests).value,
    avgReviewTurnaroundHours: turnaround.value,
    reviewTurnaroundSample: turnaround.sample,
  };
}

/** Whether the median time to merge of the last 45 days is shown to differ from that of the 45 before. */
export function judgeHalves(pullRequests: readonly PullRequest[], now: Instant, subject: Subject): Verdict {
  const [prior, recent] = (['prior', 'recent'] as const).map((half) => {
    const { counted } = personMedianHoursToMerge(findHalf(half, now), subject).evidence(pullRequests);
    return withoutNulls(counted.map(timeToMerge));
  });
  return judgeChange(compareMedians(prior ?? [], recent ?? []), 'milliseconds');
}

export interface HalfPeriod {
  prsOpened: number;
  prsMerged: number;
  avgHoursToMerge: number | null;
  medianHoursToMerge: number | null;
  reviewsGiven: number | null;
}

/** One of the two spans of time that a person is compared over. */
export const halves = ['recent', 'prior'] as const;
export type Half = (typeof halves)[number];

/** The last 45 days, and the 45 before. */
export function findHalf(half: Half, now: Instant): Window {
  const middle = now - 45 * dayMs;
  return half === 'recent' ? { from: middle, to: now } : { from: now - 90 * dayMs, to: middle - 1 };
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
  return {
    windowDays: 45,
    recent: halfPeriod(pullRequests, findHalf('recent', now), subject),
    prior: halfPeriod(pullRequests, findHalf('prior', now), subject),
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
  return pullRequests
    .filter((each) => isOwn(each, subject) && isWithin(each.createdAt, window))
    .sort((a, b) => b.createdAt - a.createdAt || b.number - a.number)
    .slice(0, count)
    .map((pullRequest) => ({ pullRequest, hoursToMerge: hoursToMerge(pullRequest) }));
}

function halfPeriod(pullRequests: readonly PullRequest[], window: Window, subject: Subject): HalfPeriod {
  const { prsOpened, prsMerged, avgHoursToMerge, medianHoursToMerge } = ownPullRequests(pullRequests, window, subject);
  const { reviewsGiven } = reviewWork(pullRequests, window, subject);
  return { prsOpened, prsMerged, avgHoursToMerge, medianHoursToMerge, reviewsGiven };
}
