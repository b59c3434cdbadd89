import type { PullRequest } from '../kernel/delivery-facts.ts';
import { countMetric, type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { mean } from '../kernel/statistics.ts';
import { isWithin, type Window } from '../kernel/window.ts';
import { type GivenReview, reviewsGivenBy } from '../pull-requests/given-reviews.ts';
import { getSize, inHours, isMergedIn, withoutNulls } from '../pull-requests/pull-requests.ts';
import { unreadReviews } from '../pull-requests/reviews.ts';
import type { Subject } from './people.ts';
import { isOwn, ofOthers } from './person.ts';

/** One person's pull requests merged in the window, whenever they were created. */
export function personPrsMerged(window: Window, subject: Subject): Metric<PullRequest> {
  return countMetric({
    key: 'person_prs_merged',
    label: 'Pull requests merged',
    source: 'merged pull requests of this person',
    definition: 'Pull requests of this person that were merged in the window, whenever they were opened.',
    counts: (pullRequest) => (isOwn(pullRequest, subject) ? isMergedIn(pullRequest, window) : ofOthers),
  });
}

/** One person's pull requests created in the window. */
export function personPrsOpened(window: Window, subject: Subject): Metric<PullRequest> {
  return countMetric({
    key: 'person_prs_opened',
    label: 'Pull requests opened',
    source: 'opened pull requests of this person',
    definition: 'Pull requests that this person created in the window, whether open, merged or closed.',
    counts: (pullRequest) => isOpened(pullRequest, window, subject),
  });
}

/** Average of lines added and removed over the same. */
export function personAvgPrSize(window: Window, subject: Subject): Metric<PullRequest> {
  return metric({
    key: 'person_avg_pr_size',
    label: 'Lines per pull request',
    unit: 'count',
    better: 'neither',
    source: 'opened pull requests of this person',
    definition: 'Mean number of lines added and removed by the pull requests that this person created in the window.',
    counts: (pullRequest) => isOpened(pullRequest, window, subject),
    value: (opened) => mean(opened.map(getSize)),
  });
}

/** Pull requests of others that one person reviewed in the window. */
export function personReviewsGiven(window: Window, subject: Subject): Metric<PullRequest> {
  return countMetric({
    key: 'person_reviews_given',
    label: 'Pull requests reviewed',
    source: 'pull requests of others that this person reviewed',
    definition:
      'Pull requests of others in which this person approved, requested changes or commented in the window, each once, merged or not. Dismissed reviews do not count. Reviews given on Team are of pull requests merged in its period.',
    counts: (pullRequest) => isReviewed(pullRequest, window, subject),
  });
}

/** Average of review clock start to one person's first review, over those submitted in the window. */
export function personReviewTurnaround(window: Window, subject: Subject): Metric<PullRequest> {
  return metric({
    key: 'person_avg_review_turnaround_hours',
    label: 'Time to first review',
    unit: 'hours',
    better: 'lower',
    source: 'first reviews of this person',
    definition:
      'Mean time from creation, the end of drafting or the request to this person, whichever is last, to their first review of each pull request of others.',
    counts: (pullRequest) => {
      const verdict = isReviewed(pullRequest, window, subject);
      if (verdict !== true) return verdict;
      return getReviewWait(pullRequest, window, subject) !== null || 'first reviewed before the window or its creation';
    },
    value: (reviewed) => inHours(mean(withoutNulls(reviewed.map((each) => getReviewWait(each, window, subject))))),
  });
}

/** The person's oldest review of it in the window. */
export function findFirstReview(pullRequest: PullRequest, window: Window, subject: Subject): GivenReview | null {
  return reviewsGivenBy([pullRequest], window, subject).at(-1) ?? null;
}

/** How long it waited for the person's first review, in ms; null when that was not in the window. */
function getReviewWait(pullRequest: PullRequest, window: Window, subject: Subject): number | null {
  return (
    withoutNulls(reviewsGivenBy([pullRequest], window, subject).map(({ turnaroundMs }) => turnaroundMs))[0] ?? null
  );
}

function isOpened(pullRequest: PullRequest, window: Window, subject: Subject): Verdict {
  if (!isOwn(pullRequest, subject)) return ofOthers;
  return isWithin(pullRequest.createdAt, window) || 'opened outside the window';
}

function isReviewed(pullRequest: PullRequest, window: Window, subject: Subject): Verdict {
  if (isOwn(pullRequest, subject)) return 'their own';
  if (pullRequest.reviews === null) return unreadReviews;
  return findFirstReview(pullRequest, window, subject) !== null || 'no review of this person in the window';
}
