import type { PullRequest } from '../../kernel/delivery-facts.ts';
import type { Instant } from '../../kernel/facts.ts';
import { dayMs, hourMs, isWithin } from '../../kernel/window.ts';
import type { People } from '../../people/people.ts';
import { getReadyAt } from '../../pull-requests/open.ts';
import { firstHumanReview, getTurnaround, humanReviews } from '../../pull-requests/reviews.ts';
import { measureRuns, type StoredRuns } from './measure-runs.ts';
import type { OutcomeKey } from './outcomes.ts';

/** Why an outcome of a pull request is not known. */
export type OutcomeGap =
  | 'too_recent'
  | 'not_ended'
  | 'not_merged'
  | 'clock_not_known'
  | 'reviews_not_known'
  | 'links_not_known'
  | 'runs_not_known'
  | 'branch_shared'
  | 'no_conclusive_runs';

/** A value, shares from 0 to 1, or why there is none. */
export type MeasuredOutcome = number | OutcomeGap;

/** A merged pull request that names another one by number or merge commit. */
export interface NamingPullRequest {
  target: number;
  mergedAt: Instant;
  isRevert: boolean;
  /** Whether it puts something right, by the test of estimated failures. */
  isFailureFix: boolean;
}

export interface OutcomeSources {
  people: People;
  now: Instant;
  /** null where it is not known which pull requests name which. */
  naming: readonly NamingPullRequest[] | null;
  /** null where none are known. */
  runs: StoredRuns | null;
  /** The pull requests of the repository: of two that had one head branch at a time nobody knows whose a run is. */
  others: readonly PullRequest[];
}

const followUp = 30 * dayMs;
/** The shortest follow-up that is fixed. */
export const reviewFollowUp = 14 * dayMs;

/** What came of a pull request, as far as stored facts say; contract of the three answers, section 3.4. */
export function measureOutcomes(
  pullRequest: PullRequest,
  sources: OutcomeSources,
): Record<OutcomeKey, MeasuredOutcome> {
  const readyAt = getReadyAt(pullRequest);
  return {
    ...(readyAt === null ? withoutClock : measureCourse(pullRequest, readyAt, sources)),
    ...measureAftermath(pullRequest, sources),
    ...measureRuns(pullRequest, sources),
  };
}

type Course = Record<'merged_30d' | 'first_review_hours' | 'review_rounds' | 'time_to_merge_hours', MeasuredOutcome>;

const withoutClock: Course = {
  merged_30d: 'clock_not_known',
  first_review_hours: 'clock_not_known',
  review_rounds: 'clock_not_known',
  time_to_merge_hours: 'clock_not_known',
};

/** Nothing is said before the whole follow-up has passed, so that those merged fast are not the only ones that count. */
function measureCourse(pullRequest: PullRequest, readyAt: Instant, { people, now }: OutcomeSources): Course {
  const { mergedAt } = pullRequest;
  const isFollowed = now >= readyAt + followUp;
  const isMerged = mergedAt !== null && mergedAt <= readyAt + followUp;
  const hoursToMerge = isMerged ? Math.max(0, mergedAt - readyAt) / hourMs : 'not_merged';
  return {
    merged_30d: isFollowed ? Number(isMerged) : 'too_recent',
    first_review_hours: now >= readyAt + reviewFollowUp ? hoursToReview(pullRequest, people) : 'too_recent',
    review_rounds: isFollowed ? countRounds(pullRequest, readyAt + followUp, people) : 'too_recent',
    time_to_merge_hours: isFollowed ? hoursToMerge : 'too_recent',
  };
}

/** One that nobody reviewed in time counts as long as it was waited for. */
function hoursToReview(pullRequest: PullRequest, people: People): MeasuredOutcome {
  if (pullRequest.reviews === null) return 'reviews_not_known';
  const first = firstHumanReview(pullRequest, people);
  if (first === null) return reviewFollowUp / hourMs;
  const wait = getTurnaround(pullRequest, first, people);
  return wait === null ? 'clock_not_known' : Math.min(wait, reviewFollowUp) / hourMs;
}

/** Head commits that people reviewed before the end. */
function countRounds(pullRequest: PullRequest, until: Instant, people: People): MeasuredOutcome {
  const reviews = humanReviews(pullRequest, people);
  if (reviews === null || reviews.some(({ isCommitUnread }) => isCommitUnread)) return 'reviews_not_known';
  const end = Math.min(until, pullRequest.closedAt ?? until);
  return new Set(reviews.filter(({ submittedAt }) => submittedAt <= end).map(({ commitSha }) => commitSha)).size;
}

type Aftermath = Record<'reverted_30d' | 'rework_30d', MeasuredOutcome>;

/** A revert marks what it names for good, whether it is reverted itself or not. */
function measureAftermath({ number, mergedAt }: PullRequest, { naming, now }: OutcomeSources): Aftermath {
  const both = (value: MeasuredOutcome): Aftermath => ({ reverted_30d: value, rework_30d: value });
  if (mergedAt === null) return both('not_merged');
  if (now < mergedAt + followUp) return both('too_recent');
  if (naming === null) return both('links_not_known');
  const inTime = naming.filter(
    (one) => one.target === number && isWithin(one.mergedAt, { from: mergedAt, to: mergedAt + followUp }),
  );
  const isReverted = inTime.some(({ isRevert }) => isRevert);
  return {
    reverted_30d: Number(isReverted),
    rework_30d: Number(isReverted || inTime.some(({ isFailureFix }) => isFailureFix)),
  };
}
