import type { Domain } from '../../api/wire.ts';
import { tallyValues } from '../../metrics/kernel/bootstrap.ts';
import { compareMedians, compareQuantiles, compareShares, judgeChange } from '../../metrics/kernel/comparison.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { hourMs, type Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { weeksUpTo } from '../../metrics/pull-requests/cycle.ts';
import {
  abandonRate,
  approvalToMerge,
  firstReviewWait,
  type Scope,
  timeToFirstReview,
  withoutNulls,
} from '../../metrics/pull-requests/pull-requests.ts';
import { toSeed } from '../comparison/seed.ts';
import { findRecentChange } from '../kernel/recent-change.ts';
import type { Ended } from './report.ts';
import type { OpenPullRequestsReport } from './schema.ts';

type Answer = Domain<typeof OpenPullRequestsReport>;
type Trend = Pick<Answer, 'reviewWeeks' | 'firstReviewChange' | 'approvalToMergeChange' | 'abandonRateChange'>;

/** How reviews went by week, and in the last 30 days against the previous 30. */
export function reviewTrend({ set, scope }: Ended, { owner, repo }: RepositoryName, calendar: Calendar): Trend {
  const { items } = set;
  const weeks = weeksUpTo(scope.window.to, calendar).map(({ weekStart, from, to }) => {
    const week = { ...scope, window: { from: Math.max(from, scope.window.from), to } };
    return {
      weekStart,
      firstReviewP50Hours: timeToFirstReview(week)(items).value,
      approvalToMergeP50Hours: approvalToMerge(week)(items).value,
      abandonRate: abandonRate(week)(items).value,
    };
  });
  if (set.partial)
    return { reviewWeeks: weeks, firstReviewChange: null, approvalToMergeChange: null, abandonRateChange: null };
  const measure = (metricOf: (scope: Scope) => Metric<PullRequest>) => (window: Window) => {
    const metric = metricOf({ ...scope, window });
    const { counted } = metric.evidence(items);
    return { value: metric.reduce(counted), sample: counted.length, counted };
  };
  const { to } = scope.window;
  const seed = toSeed({ scope: `${owner}/${repo}`, metric: 'first_review', periods: [30] });
  const listReviews = (counted: readonly PullRequest[]) =>
    withoutNulls(counted.map((one) => firstReviewWait(one, scope.people)));
  const listApprovals = (counted: readonly PullRequest[]) =>
    withoutNulls(counted.map((one) => approvalToMerge(scope).reduce([one]))).map((hours) => hours * hourMs);
  const tally = (values: readonly number[]) => tallyValues(values.map((value) => [value, 1]));
  const toShare = ({ counted }: { counted: readonly PullRequest[] }) => ({
    part: counted.filter(({ mergedAt }) => mergedAt === null).length,
    n: counted.length,
  });
  return {
    reviewWeeks: weeks,
    firstReviewChange: findRecentChange(to, measure(timeToFirstReview), (a, b) => {
      const [before, now] = [listReviews(a.counted), listReviews(b.counted)];
      return judgeChange(compareQuantiles(tally(before), tally(now), 0.5, seed), 'milliseconds');
    }),
    approvalToMergeChange: findRecentChange(to, measure(approvalToMerge), (a, b) =>
      judgeChange(compareMedians(listApprovals(a.counted), listApprovals(b.counted)), 'milliseconds'),
    ),
    abandonRateChange: findRecentChange(to, measure(abandonRate), (a, b) =>
      judgeChange(compareShares(toShare(a), toShare(b)), 'percent'),
    ),
  };
}
