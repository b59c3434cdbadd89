import type { Commit, PullRequest } from '../kernel/delivery-facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { mean, median } from '../kernel/statistics.ts';
import { isWithin, type Window } from '../kernel/window.ts';
import { inHours, isMergedIn, timeToMerge, withoutNulls } from '../pull-requests/pull-requests.ts';
import type { Subject } from './people.ts';
import { hasMergeMoment, isAfterHours, type Workday } from './workload.ts';

/** Average of creation to merge over one person's pull requests merged in the window; a bot's own count here. */
export function personAvgHoursToMerge(window: Window, subject: Subject): Metric<PullRequest> {
  return metric({
    key: 'person_avg_hours_to_merge',
    label: 'Time to merge, average',
    definition: 'Mean time from creation to merge of this person’s pull requests merged in the window.',
    ...timesToMerge(window, subject),
    value: (merged) => inHours(mean(withoutNulls(merged.map(timeToMerge)))),
  });
}

/** The middle one of the same times. */
export function personMedianHoursToMerge(window: Window, subject: Subject): Metric<PullRequest> {
  return metric({
    key: 'person_median_hours_to_merge',
    label: 'Time to merge',
    definition: 'Median time from creation to merge of this person’s pull requests merged in the window.',
    ...timesToMerge(window, subject),
    value: (merged) => inHours(median(withoutNulls(merged.map(timeToMerge)))),
  });
}

/** Merged ÷ (merged + closed without a merge) over one person's pull requests that ended in the window. */
export function personMergeRate(window: Window, subject: Subject): Metric<PullRequest> {
  return metric({
    key: 'pr_merge_rate',
    label: 'Merge rate',
    unit: 'percent',
    better: 'neither',
    source: 'pull requests of this person that ended',
    definition: 'Share of this person’s pull requests merged or closed in the window that were merged.',
    counts: (pullRequest) => {
      if (!isOwn(pullRequest, subject)) return ofOthers;
      const end = pullRequest.mergedAt ?? pullRequest.closedAt;
      if (end === null) return 'still open';
      return isWithin(end, window) || 'ended outside the window';
    },
    share: ({ mergedAt }) => mergedAt !== null,
  });
}

/** Share of one person's commits written before or after the hours of the team's workday. */
export function personAfterHours(window: Window, workday: Workday): Metric<Commit> {
  return metric({
    key: 'after_hours_pct',
    label: 'Commits after hours',
    unit: 'percent',
    better: 'neither',
    source: 'commits of this person on default branches',
    definition:
      "Share of this person's commits written before or after the hours of the team's workday, on any day. A squashed commit has the time of its merge. Merge commits are excluded.",
    counts: ({ parents, authoredAt }) => {
      if (parents > 1) return 'a merge';
      return isWithin(authoredAt, window) || 'written outside the window';
    },
    share: ({ authoredAt }) => isAfterHours(authoredAt, workday),
  });
}

/** Of these commits, as many as carry the moment of a known merge. */
export function countMergeMoments(
  commits: readonly Commit[],
  pullRequests: readonly PullRequest[],
  window: Window,
): number {
  const merges = new Set(pullRequests.map(({ mergedAt }) => mergedAt));
  return commits.filter(
    (commit) => commit.parents <= 1 && isWithin(commit.authoredAt, window) && hasMergeMoment(commit, merges),
  ).length;
}

/** Commits of the window by weekday (0 = Sunday) and hour of the team's zone; merges are excluded. */
export function weekdayHours(commits: readonly Commit[], window: Window, { calendar }: Workday): number[][] {
  const counts = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { parents, authoredAt } of commits) {
    const row = counts[calendar.getWeekday(authoredAt)];
    if (parents > 1 || !isWithin(authoredAt, window) || !row) continue;
    const hour = calendar.getHour(authoredAt);
    row[hour] = (row[hour] ?? 0) + 1;
  }
  return counts;
}

export const ofOthers = 'by somebody else';

const timesToMerge = (window: Window, subject: Subject) => ({
  unit: 'hours' as const,
  better: 'lower' as const,
  source: 'merged pull requests of this person',
  counts: (pullRequest: PullRequest): Verdict => {
    if (!isOwn(pullRequest, subject)) return ofOthers;
    const verdict = isMergedIn(pullRequest, window);
    return verdict === true && timeToMerge(pullRequest) === null ? 'merged before it was created' : verdict;
  },
});

export const isOwn = ({ author }: PullRequest, { person, people }: Subject) => people.isSame(author, person);
