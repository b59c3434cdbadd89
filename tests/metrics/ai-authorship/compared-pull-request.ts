import {
  type ComparedPullRequest,
  clusterOf,
} from '../../../server/metrics/ai-authorship/comparison/compared-pull-request.ts';

/** A pull request of a comparison, without a mark unless that differs. */
export const aPullRequest = (differences: Partial<ComparedPullRequest>): ComparedPullRequest => ({
  repository: 'a',
  number: 1,
  isMarked: false,
  author: 'ana',
  createdAt: 0,
  month: '2026-01',
  stratum: 'a',
  cluster: clusterOf('a', '2026-01-05'),
  weekday: 0,
  lines: 100,
  changedFiles: 3,
  openPullRequests: 5,
  outcomes: {
    merged_30d: 1,
    first_review_hours: 5,
    review_rounds: 1,
    time_to_merge_hours: 10,
    reverted_30d: 0,
    rework_30d: 0,
    ci_minutes: 8,
    ci_failed_share: 0,
  },
  cost: null,
  ...differences,
});
