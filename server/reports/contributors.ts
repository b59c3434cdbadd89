import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import {
  type ContributorRow,
  type ContributorSample,
  contributorRows,
  mergeTotals,
  sampleRoster,
} from '../metrics/contributors.ts';
import type { RepositoryName } from '../metrics/facts.ts';
import type { People } from '../metrics/people.ts';
import { firstPassApproval, medianHoursToMerge, reviewedShare, selfMergedShare } from '../metrics/pull-requests.ts';
import { type ReviewPair, reviewLoad, reviewPairs } from '../metrics/review-pairs.ts';
import { firstHumanReview } from '../metrics/reviews.ts';
import { type ContributorDays, type ContributorReading, readContributors } from './contributors-reading.ts';
import type { ContributorsReport } from './contributors-schema.ts';
import { iso } from './instants.ts';
import { noteListing } from './notes.ts';
import { repositoryFacts } from './repository-facts.ts';

interface ContributorsInput extends RepositoryName {
  days?: ContributorDays | undefined;
}

/** Who merged and who reviewed: in a window, or among the last 60 closed pull requests. */
export async function contributorsReport(
  { days, ...name }: ContributorsInput,
  context: Context,
  reply: Reply,
): Promise<z.input<typeof ContributorsReport>> {
  const facts = await repositoryFacts(name, context, reply);
  const reading = await readContributors(facts, days ?? null, context);
  const { sample, coverage, stale, asOf, source } = reading;
  const { people } = facts;
  const partial = !coverage.complete;
  noteListing(reply, { partial, stale, asOf, totalCount: null });
  const totals = mergeTotals(sample.merged, people);
  const pairs = reviewPairs(sample, people);
  const isWindow = reading.window !== null;
  const fetched = isWindow ? sample.merged.length : sample.reviewed.length;
  return {
    window_days: reading.days,
    contributors: contributorRows(sample, people).map((row) => rowItem(row, reading.knowsOpeners)),
    ...totalsItem(totals),
    prs_opened_in_window: reading.opened,
    ...headlinesOf(reading, people),
    review_pairs: pairs,
    reviewer_matrix: pairs,
    review_load: loadOf(pairs, sample, people),
    fetched_prs: fetched,
    total_prs_analysed: sample.merged.length,
    total_prs_attempted: coverage.expected ?? fetched,
    partial,
    coverage: {
      ...coverage,
      reviews_truncated_prs: totals.reviewsTruncatedPrs,
      search_slices: isWindow ? null : 0,
    },
    generated_at: iso(asOf),
    data_source: source,
  };
}

type Report = z.input<typeof ContributorsReport>;

const totalsItem = (totals: ReturnType<typeof mergeTotals>) => ({
  prs_merged_total: totals.prsMergedTotal,
  prs_human_reviewed: totals.prsHumanReviewed,
  prs_no_human_review: totals.prsNoHumanReview,
  prs_self_merged: totals.prsSelfMerged,
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
function headlinesOf(reading: ContributorReading, people: People) {
  const { merged } = reading.sample;
  const scope = { window: reading.window ?? always, people };
  return {
    median_hours_to_merge: medianHoursToMerge(scope)(merged).value,
    reviewed_before_merge_pct: reviewedShare(scope)(merged).value,
    self_merged_pct: selfMergedShare(scope)(merged).value,
    first_pass_approval_rate: firstPassApproval(scope)(merged).value,
  };
}

/** The sample itself is the choice: nothing in it is too old. */
export const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

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
