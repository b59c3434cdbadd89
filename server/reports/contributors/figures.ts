import { toWire } from '../../domain/wire.ts';
import {
  type ContributorSample,
  contributorRows,
  mergeTotals,
  sampleRoster,
} from '../../metrics/people/contributors.ts';
import type { People } from '../../metrics/people/people.ts';
import {
  firstPassApproval,
  medianHoursToMerge,
  reviewedShare,
  type Scope,
} from '../../metrics/pull-requests/pull-requests.ts';
import { type ReviewLoad, type ReviewPair, reviewLoad, reviewPairs } from '../../metrics/pull-requests/review-pairs.ts';
import { firstHumanReview } from '../../metrics/pull-requests/reviews.ts';
import { selfMergedShare } from '../../metrics/pull-requests/self-merges.ts';

/** What answers about contributors contain of a sample: its people, totals and pairs. */
export function contributorFigures(sample: ContributorSample, scope: Scope, knowsOpeners: boolean) {
  const { people } = scope;
  const pairs = reviewPairs(sample, people);
  const rows = toWire(contributorRows(sample, people));
  const totals = mergeTotals(sample.merged, people);
  return {
    contributors: knowsOpeners ? rows : rows.map((row) => ({ ...row, prs_opened: null })),
    ...toWire(totals),
    ...computeHeadlines(sample, scope),
    prs_first_pass_approved: totals.prsHumanReviewed === null ? null : countApproved(sample, scope),
    review_pairs: pairs,
    reviewer_matrix: pairs,
    review_load: toWire(computeLoad(pairs, sample, people)),
  };
}

/** The four numbers that can be opened, over everything that was merged. */
const computeHeadlines = ({ merged }: ContributorSample, scope: Scope) => ({
  median_hours_to_merge: medianHoursToMerge(scope)(merged).value,
  reviewed_before_merge_pct: reviewedShare(scope)(merged).value,
  self_merged_pct: selfMergedShare(scope)(merged).value,
  first_pass_approval_rate: firstPassApproval(scope)(merged).value,
});

function countApproved({ merged }: ContributorSample, scope: Scope): number | null {
  const approval = firstPassApproval(scope);
  return approval.countPart(approval.evidence(merged).counted);
}

function computeLoad(pairs: readonly ReviewPair[], sample: ContributorSample, people: People): ReviewLoad {
  const names = sampleRoster(sample, people);
  const reviewed = new Map<string, number>();
  for (const pullRequest of sample.reviewed) {
    const login = pullRequest.author && names.get(people.toKey(pullRequest.author))?.login;
    if (login && firstHumanReview(pullRequest, people)) reviewed.set(login, (reviewed.get(login) ?? 0) + 1);
  }
  return reviewLoad(pairs, reviewed);
}
