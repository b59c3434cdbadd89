import type { PullRequest } from '../kernel/delivery-facts.ts';
import { countMetric, type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { median, quantile, roundTo } from '../kernel/statistics.ts';
import { hourMs, inUnit, isWithin, type Window } from '../kernel/window.ts';
import { ghostLogin, type People, unreadAuthor } from '../people/people.ts';
import { type Bots, byBot, isAmong, noneOfBots } from './bots.ts';
import {
  firstHumanReview,
  getTurnaround,
  isReviewedBeforeMerge,
  lastApproval,
  reviewClockStart,
  reviewsBeforeMerge,
  unreadClock,
  whyReviewUnknown,
} from './reviews.ts';

/** Which pull requests count, and who is who. */
export interface Scope {
  window: Window;
  people: People;
  /** Those of bots do not count where they are `out`, nor ever in times and in shares of people. */
  bots?: Bots | undefined;
}

/** What of a pull request says when and by whom it was merged. */
export type MergeRecord = Pick<
  PullRequest,
  'number' | 'author' | 'isAuthorUnread' | 'createdAt' | 'mergedAt' | 'htmlUrl'
>;

/** Created to merged, in ms; null when not merged, or imported with a merge before its creation. */
export function timeToMerge({ createdAt, mergedAt }: Pick<PullRequest, 'createdAt' | 'mergedAt'>): number | null {
  return mergedAt === null || mergedAt < createdAt ? null : mergedAt - createdAt;
}

/** Created to merged, one decimal. */
export function hoursToMerge(pullRequest: Pick<PullRequest, 'createdAt' | 'mergedAt'>): number | null {
  return inHours(timeToMerge(pullRequest));
}

/** Lines added and removed. */
export function getSize({ additions, deletions }: PullRequest): number {
  return additions + deletions;
}

/** Pull requests merged in the window, bots' ones too unless they are out. */
export function mergedPullRequests(scope: Scope): Metric<PullRequest> {
  return countMetric({
    key: 'prs_merged_total',
    label: 'Merged pull requests',
    source: 'merged pull requests',
    definition: `Pull requests merged in the window, ${scope.bots === 'out' ? 'excluding' : 'including'} those of bots.`,
    counts: (pullRequest) => isMergedAmong(pullRequest, scope),
  });
}

/** All that is known of one that is still open. */
export type OpenedPullRequest = Pick<PullRequest, 'number' | 'author' | 'createdAt'>;

/** Pull requests created in the window, of the sample that was chosen by it. */
export function openedPullRequests({ people, bots }: Omit<Scope, 'window'>): Metric<OpenedPullRequest> {
  return countMetric({
    key: 'prs_opened_in_window',
    label: 'Pull requests opened',
    source: 'opened pull requests',
    definition: `Pull requests created in the window, ${bots === 'out' ? 'excluding' : 'including'} those of bots, and whether open, merged or closed.`,
    counts: (pullRequest) => isAmong(pullRequest, { people, bots }) || byBot,
  });
}

/** Median of creation to merge over pull requests merged in the window; bots' ones are excluded. */
export function medianHoursToMerge(scope: Scope): Metric<PullRequest> {
  return metric({
    key: 'median_hours_to_merge',
    label: 'Time to merge',
    unit: 'hours',
    better: 'lower',
    source: 'merged pull requests of people',
    definition: 'Median time from creation to merge of merged pull requests, excluding bots.',
    counts: (pullRequest) => {
      const verdict = isMergedByHumanAuthor(pullRequest, scope);
      return verdict === true && timeToMerge(pullRequest) === null ? 'merged before it was created' : verdict;
    },
    value: (merged) => inHours(median(withoutNulls(merged.map(timeToMerge)))),
  });
}

/** Share of merged pull requests that a human other than the author looked at before the merge. */
export function reviewedShare(scope: Scope): Metric<PullRequest> {
  return metric({
    key: 'reviewed_before_merge',
    label: 'Reviewed before merge',
    unit: 'percent',
    better: 'higher',
    source: 'merged pull requests',
    definition: `Share of merged pull requests that a person other than the author reviewed before the merge. Reviews of bots do not count.${noneOfBots(scope)}`,
    counts: (pullRequest) => {
      const verdict = isMergedAmong(pullRequest, scope);
      const isKnown = isReviewedBeforeMerge(pullRequest, scope.people) !== null;
      return verdict === true && !isKnown ? whyReviewUnknown(pullRequest) : verdict;
    },
    share: (each) => isReviewedBeforeMerge(each, scope.people) === true,
  });
}

/** Share of reviewed pull requests whose first human review approves. */
export function firstPassApproval(scope: Scope): Metric<PullRequest> {
  const { people } = scope;
  return metric({
    key: 'first_pass_approval_rate',
    label: 'Approved at first review',
    unit: 'percent',
    better: 'neither',
    source: 'merged and reviewed pull requests',
    definition: `Share of reviewed and merged pull requests whose first review by a person was an approval.${noneOfBots(scope)}`,
    counts: (pullRequest) => {
      const verdict = isMergedAmong(pullRequest, scope);
      if (verdict !== true) return verdict;
      const isReviewed = isReviewedBeforeMerge(pullRequest, people);
      if (isReviewed === null) return whyReviewUnknown(pullRequest);
      return isReviewed || 'no review by a person before the merge';
    },
    share: (each) => isApprovedAtFirst(each, people),
  });
}

/** Quantile `q` of review clock start to first human review, over people's pull requests closed in the window. */
export function timeToFirstReview(scope: Scope, q = 0.5): Metric<PullRequest> {
  const measureWait = (pullRequest: PullRequest) => firstReviewWait(pullRequest, scope.people);
  return metric({
    key: `time_to_first_review_p${100 * q}_hours`,
    label: q === 0.5 ? 'Time to first review' : `Time to first review, p${100 * q}`,
    unit: 'hours',
    better: 'lower',
    source: 'closed and reviewed pull requests of people',
    definition: `${describeQuantile(q)} from creation, the end of drafting or the review request, whichever is last, to the first review by a person. Pull requests without a review, and those of bots, are excluded.`,
    counts: (pullRequest) => {
      const verdict = isClosedByHumanAuthor(pullRequest, scope);
      if (verdict !== true) return verdict;
      const first = firstHumanReview(pullRequest, scope.people);
      if (!first && (pullRequest.reviews === null || pullRequest.reviewsTruncated))
        return whyReviewUnknown(pullRequest);
      if (first && reviewClockStart(pullRequest, first, scope.people) === null) return unreadClock;
      return measureWait(pullRequest) !== null || 'no review by a person';
    },
    value: (reviewed) => inHours(quantile(withoutNulls(reviewed.map(measureWait)), q)),
  });
}

/** Review clock start to first human review, in ms; null without one, and where either could not be read. */
export function firstReviewWait(pullRequest: PullRequest, people: People): number | null {
  const first = firstHumanReview(pullRequest, people);
  return first && getTurnaround(pullRequest, first, people);
}

/** Quantile `q` of last human approval to merge, over people's pull requests merged in the window. */
export function approvalToMerge(scope: Scope, q = 0.5): Metric<PullRequest> {
  const measureWait = (pullRequest: PullRequest) => {
    const approval = lastApproval(pullRequest, scope.people);
    return approval && pullRequest.mergedAt !== null ? pullRequest.mergedAt - approval.submittedAt : null;
  };
  return metric({
    key: `time_approval_to_merge_p${100 * q}_hours`,
    label: q === 0.5 ? 'Approval to merge' : `Approval to merge, p${100 * q}`,
    unit: 'hours',
    better: 'lower',
    source: 'merged and approved pull requests of people',
    definition: `${describeQuantile(q)} from the last approval by a person to the merge. Pull requests merged without an approval, and those of bots, are excluded.`,
    counts: (pullRequest) => {
      const verdict = isMergedByHumanAuthor(pullRequest, scope);
      if (verdict !== true) return verdict;
      if (pullRequest.reviews === null || pullRequest.reviewsTruncated) return whyReviewUnknown(pullRequest);
      return measureWait(pullRequest) !== null || 'merged without an approval by a person';
    },
    value: (approved) => inHours(quantile(withoutNulls(approved.map(measureWait)), q)),
  });
}

/** Share of people's pull requests closed in the window that were closed without a merge. */
export function abandonRate(scope: Scope): Metric<PullRequest> {
  return metric({
    key: 'abandon_rate',
    label: 'Closed without merging',
    unit: 'percent',
    better: 'lower',
    source: 'closed pull requests of people',
    definition:
      'Share of merged and closed pull requests that were closed without merging. Those of bots are excluded.',
    counts: (pullRequest) => isClosedByHumanAuthor(pullRequest, scope),
    share: ({ mergedAt }) => mergedAt === null,
  });
}

/** How the definition of a time begins. */
export const describeQuantile = (q: number) => (q === 0.5 ? 'Median time' : `${100 * q}th percentile of the time`);

export function isMergedIn({ mergedAt }: Pick<PullRequest, 'mergedAt'>, window: Window): Verdict {
  if (mergedAt === null) return 'not merged';
  return isWithin(mergedAt, window) || 'merged outside the window';
}

function isMergedAmong(pullRequest: PullRequest, scope: Scope): Verdict {
  const verdict = isMergedIn(pullRequest, scope.window);
  return verdict === true ? isAmong(pullRequest, scope) || byBot : verdict;
}

export function isMergedByHumanAuthor(pullRequest: MergeRecord, { window, people }: Scope): Verdict {
  const verdict = isMergedIn(pullRequest, window);
  return verdict === true ? isByHuman(pullRequest, people) : verdict;
}

/** Whether its author is a person; a deleted account counts as one. */
export function isByHuman(
  { author, isAuthorUnread }: Pick<PullRequest, 'author' | 'isAuthorUnread'>,
  people: People,
): Verdict {
  if (isAuthorUnread) return { unknown: unreadAuthor };
  return people.isBot(author) ? byBot : true;
}

/** The login of its author, `ghost` for a deleted account; null where it could not be read. */
export const shownAuthor = ({ author, isAuthorUnread }: Pick<PullRequest, 'author' | 'isAuthorUnread'>) =>
  isAuthorUnread ? null : (author?.login ?? ghostLogin);

export function isApprovedAtFirst(pullRequest: PullRequest, people: People): boolean {
  return reviewsBeforeMerge(pullRequest, people)?.[0]?.state === 'approved';
}

/** When it stopped being open; null while it is. */
export function getEndedAt({ mergedAt, closedAt }: PullRequest): number | null {
  return mergedAt ?? closedAt;
}

/** Milliseconds as hours with one decimal. */
export function inHours(ms: number | null): number | null {
  return ms === null ? null : roundTo(inUnit(ms, hourMs), 1);
}

export function withoutNulls(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function isClosedByHumanAuthor(pullRequest: PullRequest, { window, people }: Scope): Verdict {
  const end = getEndedAt(pullRequest);
  if (end === null) return 'still open';
  if (!isWithin(end, window)) return 'closed outside the window';
  return isByHuman(pullRequest, people);
}
