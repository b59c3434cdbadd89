import type { z } from 'zod';
import {
  type ContributorRow,
  type ContributorSample,
  contributorRows,
  mergeTotals,
  sampleRoster,
} from '../metrics/contributors.ts';
import type { People } from '../metrics/people.ts';
import {
  firstPassApproval,
  medianHoursToMerge,
  reviewedShare,
  type Scope,
  selfMergedShare,
} from '../metrics/pull-requests.ts';
import { type ReviewPair, reviewLoad, reviewPairs } from '../metrics/review-pairs.ts';
import { firstHumanReview } from '../metrics/reviews.ts';
import type { ContributorsReport } from './contributors-schema.ts';

type Report = z.input<typeof ContributorsReport>;

/** What answers about contributors say of a sample: its people, totals and pairs. */
export function contributorFigures(sample: ContributorSample, scope: Scope, knowsOpeners: boolean) {
  const { people } = scope;
  const totals = mergeTotals(sample.merged, people);
  const pairs = reviewPairs(sample, people);
  return {
    contributors: contributorRows(sample, people).map((row) => rowItem(row, knowsOpeners)),
    ...totalsItem(totals),
    ...headlinesOf(sample, scope),
    review_pairs: pairs,
    reviewer_matrix: pairs,
    review_load: loadOf(pairs, sample, people),
    reviewsTruncatedPrs: totals.reviewsTruncatedPrs,
  };
}

const totalsItem = (totals: ReturnType<typeof mergeTotals>) => ({
  prs_merged_total: totals.prsMergedTotal,
  prs_human_reviewed: totals.prsHumanReviewed,
  prs_no_human_review: totals.prsNoHumanReview,
  prs_merged_by_people: totals.prsMergedByPeople,
  prs_self_merged: totals.prsSelfMerged,
  prs_self_merged_including_bots: totals.prsSelfMergedIncludingBots,
  median_hours_to_merge_including_bots: totals.medianHoursToMergeIncludingBots,
  bot_prs: { merged: totals.botPrs.merged, no_human_review: totals.botPrs.noHumanReview },
  bot_reviews: totals.botReviews,
  bus_factor: totals.busFactor,
  period_days: totals.periodDays,
});

const rowItem = (row: ContributorRow, knowsOpeners: boolean): Report['contributors'][number] => ({
  login: row.login,
  avatar_url: row.avatarUrl,
  is_bot: row.isBot,
  linked_logins: row.linkedLogins,
  prs_merged: row.prsMerged,
  prs_opened: knowsOpeners ? row.prsOpened : null,
  reviewed_prs: row.reviewedPrs,
  first_pass_approval_rate: row.firstPassApprovalRate,
  avg_hours_to_merge: row.avgHoursToMerge,
  median_hours_to_merge: row.medianHoursToMerge,
  avg_pr_size: row.avgPrSize,
  reviews_given: row.reviewsGiven,
  review_events: row.reviewEvents,
  comment_count: row.commentCount,
  avg_review_turnaround_hours: row.avgReviewTurnaroundHours,
  self_merge_count: row.selfMergeCount,
});

/** The four numbers that can be opened, over everything that was merged. */
const headlinesOf = ({ merged }: ContributorSample, scope: Scope) => ({
  median_hours_to_merge: medianHoursToMerge(scope)(merged).value,
  reviewed_before_merge_pct: reviewedShare(scope)(merged).value,
  self_merged_pct: selfMergedShare(scope)(merged).value,
  first_pass_approval_rate: firstPassApproval(scope)(merged).value,
});

function loadOf(pairs: readonly ReviewPair[], sample: ContributorSample, people: People): Report['review_load'] {
  const names = sampleRoster(sample, people);
  const reviewed = new Map<string, number>();
  for (const pullRequest of sample.reviewed) {
    const login = pullRequest.author && names.get(people.keyOf(pullRequest.author))?.login;
    if (login && firstHumanReview(pullRequest, people)) reviewed.set(login, (reviewed.get(login) ?? 0) + 1);
  }
  const { overloaded, soleReviewer } = reviewLoad(pairs, reviewed);
  return { overloaded, sole_reviewer: soleReviewer };
}
