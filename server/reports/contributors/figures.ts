import {
  type ContributorSample,
  contributorRows,
  mergeTotals,
  sampleRoster,
} from '../../metrics/people/contributors.ts';
import type { People } from '../../metrics/people/people.ts';
import { isAmong } from '../../metrics/pull-requests/bots.ts';
import {
  firstPassApproval,
  medianHoursToMerge,
  reviewedShare,
  type Scope,
} from '../../metrics/pull-requests/pull-requests.ts';
import { type ReviewLoad, type ReviewPair, reviewLoad, reviewPairs } from '../../metrics/pull-requests/review-pairs.ts';
import { firstHumanReview } from '../../metrics/pull-requests/reviews.ts';
import { selfMergedShare } from '../../metrics/pull-requests/self-merges.ts';

/** A sample without what bots wrote, where they are out. */
export function chooseSample(sample: ContributorSample, choice: Omit<Scope, 'window'>): ContributorSample {
  return {
    merged: sample.merged.filter((each) => isAmong(each, choice)),
    opened: sample.opened.filter((each) => isAmong(each, choice)),
    reviewed: sample.reviewed.filter((each) => isAmong(each, choice)),
  };
}

/** What answers about contributors contain of a sample: its people, totals and pairs. */
export function contributorFigures(sample: ContributorSample, scope: Scope, knowsOpeners: boolean) {
  const { people } = scope;
  const pairs = reviewPairs(sample, people);
  const rows = contributorRows(sample, people);
  const totals = mergeTotals(sample.merged, people);
  return {
    contributors: knowsOpeners ? rows : rows.map((row) => ({ ...row, prsOpened: null })),
    ...totals,
    ...computeHeadlines(sample, scope),
    prsFirstPassApproved: totals.prsHumanReviewed === null ? null : countApproved(sample, scope),
    reviewPairs: pairs,
    reviewerMatrix: pairs,
    reviewLoad: computeLoad(pairs, sample, people),
  };
}

/** The numbers of a whole team that are compared with those of another window. */
export function teamTotals(sample: ContributorSample, scope: Scope) {
  const { prsMergedTotal, prsMergedByPeople, prsHumanReviewed, prsSelfMerged } = mergeTotals(
    sample.merged,
    scope.people,
  );
  return {
    prsMergedTotal,
    prsMergedByPeople,
    prsHumanReviewed,
    prsSelfMerged,
    prsFirstPassApproved: prsHumanReviewed === null ? null : countApproved(sample, scope),
    ...computeHeadlines(sample, scope),
  };
}

export type TeamTotals = ReturnType<typeof teamTotals>;

/** The four numbers that can be opened, over everything that was merged. */
const computeHeadlines = ({ merged }: ContributorSample, scope: Scope) => ({
  medianHoursToMerge: medianHoursToMerge(scope)(merged).value,
  reviewedBeforeMergePct: reviewedShare(scope)(merged).value,
  selfMergedPct: selfMergedShare(scope)(merged).value,
  firstPassApprovalRate: firstPassApproval(scope)(merged).value,
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
