import type { Issue } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { countMetric, type Metric, metric } from '../kernel/metric.ts';
import { quantile } from '../kernel/statistics.ts';
import { dayMs, inUnit, isWithin, type Window } from '../kernel/window.ts';
import { withoutNulls } from './pull-requests.ts';

/** Quantile `q` of creation to closing over issues closed in the window, in days. */
export function daysToClose(window: Window, q = 0.5): Metric<Issue> {
  return metric({
    key: q === 0.5 ? 'median_days_to_close' : `p${100 * q}_days_to_close`,
    label: q === 0.5 ? 'Time to close' : `Time to close, p${100 * q}`,
    unit: 'days',
    better: 'lower',
    source: 'issues closed in the window',
    definition: `${q === 0.5 ? 'Median' : `${100 * q}th percentile of the`} time from creation to closing of issues closed in the window. Reopened issues are excluded.`,
    counts: (issue) => {
      if (issue.closedAt === null) return 'open';
      if (!isWithin(issue.closedAt, window)) return 'closed outside the window';
      return timeToClose(issue) !== null || 'closed before it was created';
    },
    value: (closed) => {
      const ms = quantile(withoutNulls(closed.map(timeToClose)), q);
      return ms === null ? null : inUnit(ms, dayMs);
    },
  });
}

/** In ms, of the issues that `daysToClose` counts. */
export const listTimesToClose = (issues: readonly Issue[], window: Window): number[] =>
  withoutNulls(daysToClose(window).evidence(issues).counted.map(timeToClose));

/** Issues that are open. */
export const openIssues: Metric<Issue> = openCount({
  key: 'open_count',
  label: 'Open issues',
  source: 'open issues',
  definition: 'Issues that are open now, whenever they were opened.',
  without: 'closed',
  holds: isOpenIssue,
});

/** Issues created in the window, whatever became of them. */
export function openedIssues(window: Window): Metric<Issue> {
  return countMetric({
    key: 'opened_in_period',
    label: 'Issues opened',
    source: 'issues opened in the window',
    definition: 'Issues created in the window, whether they are still open or not.',
    counts: ({ createdAt }) => isWithin(createdAt, window) || 'opened outside the window',
  });
}

/** Issues closed in the window that still are. */
export function closedIssues(window: Window): Metric<Issue> {
  return countMetric({
    key: 'closed_in_period',
    label: 'Issues closed',
    source: 'issues closed in the window',
    definition: 'Issues closed in the window, whenever they were opened. Reopened issues are excluded.',
    counts: (issue) => (isOpenIssue(issue) ? 'open' : isWithin(issue.closedAt, window) || 'closed outside the window'),
  });
}

/** Open issues without any update for 30 days. */
export function staleIssues(now: Instant): Metric<Issue> {
  return openCount({
    key: 'stale_count',
    label: 'Stale issues',
    source: 'open issues without an update for 30 days',
    definition: 'Open issues that were not updated in the last 30 days.',
    without: 'updated within 30 days',
    holds: ({ updatedAt }) => now - updatedAt >= 30 * dayMs,
  });
}

/** Open issues that are two weeks old and have no comment. */
export function unansweredIssues(now: Instant): Metric<Issue> {
  return openCount({
    key: 'unanswered_count',
    label: 'Unanswered issues',
    source: 'open issues without a comment after 14 days',
    definition: 'Open issues that are at least 14 days old and have no comment.',
    without: 'commented, or younger than 14 days',
    unread: 'its comments could not be read',
    holds: (issue) => isUnanswered(issue, now),
  });
}

export const unlabelledIssues: Metric<Issue> = openCount({
  key: 'unlabelled_count',
  label: 'Unlabeled issues',
  source: 'open issues without a label',
  definition: 'Open issues that have no label.',
  without: 'labelled',
  unread: 'its labels could not be read',
  holds: ({ labels }) => labels && labels.length === 0,
});

export const unassignedIssues: Metric<Issue> = openCount({
  key: 'unassigned_count',
  label: 'Unassigned issues',
  source: 'open issues without an assignee',
  definition: 'Open issues that nobody is assigned to.',
  without: 'assigned',
  unread: 'its assignees could not be read',
  holds: ({ assignees }) => assignees && assignees.length === 0,
});

export function isOpenIssue({ closedAt }: Issue): boolean {
  return closedAt === null;
}

/** null where its comments could not be read. */
export function isUnanswered({ comments, createdAt }: Issue, now: Instant): boolean | null {
  if (now - createdAt < 14 * dayMs) return false;
  return comments === null ? null : comments === 0;
}

function openCount(phrases: {
  key: string;
  label: string;
  source: string;
  definition: string;
  without: string;
  /** Why nobody knows, where `holds` gives null. */
  unread?: string;
  holds(issue: Issue): boolean | null;
}): Metric<Issue> {
  const { key, label, source, definition, without, unread = 'not known', holds } = phrases;
  return countMetric({
    key,
    label,
    source,
    definition,
    better: 'lower',
    counts: (issue) => {
      if (!isOpenIssue(issue)) return 'closed';
      const isHeld = holds(issue);
      return isHeld === null ? { unknown: unread } : isHeld || without;
    },
  });
}

function timeToClose({ createdAt, closedAt }: Issue): number | null {
  return closedAt === null || closedAt < createdAt ? null : closedAt - createdAt;
}
