import { isDelivered, isDeliveredByHuman } from '../delivery/delivered.ts';
import type { DeliveryScope } from '../delivery/delivery.ts';
import type { PullRequest } from '../kernel/delivery-facts.ts';
import type { Actor, Instant } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import { mean, median, roundTo } from '../kernel/statistics.ts';
import { dayMs } from '../kernel/window.ts';
import { addDays, type Calendar, type Day, getWeekStart } from '../people/workday-hours.ts';
import { getSize, hoursToMerge, withoutNulls } from './pull-requests.ts';
import {
  cutReviews,
  getTurnaround,
  lastApproval,
  reviewClockStart,
  reviewsBeforeMerge,
  unreadClock,
  unreadReviews,
} from './reviews.ts';

export const cyclePhases = ['timeToOpen', 'pickup', 'review', 'merge'] as const;
/** Where the time of a pull request goes, in order. */
export type CyclePhase = (typeof cyclePhases)[number];

/** Milliseconds, rounded. A pull request without a phase is in none of that phase's figures. */
export interface PhaseTime {
  avgMs: number | null;
  medianMs: number | null;
  sample: number;
}

/** The keys of the phases' metrics. */
export const phaseKeys: Readonly<Record<CyclePhase, string>> = {
  timeToOpen: 'cycle_time_to_open',
  pickup: 'cycle_pickup',
  review: 'cycle_review',
  merge: 'cycle_merge',
};

export function cycleBreakdown(
  pullRequests: readonly PullRequest[],
  scope: DeliveryScope,
): Record<CyclePhase, PhaseTime> & { sample: number } {
  const computeTimes = (phase: CyclePhase): PhaseTime => {
    const measure = phaseTime(phase, scope);
    const { counted } = measure.evidence(pullRequests);
    const average = mean(withoutNulls(counted.map((each) => measurePhase(phase, each, scope))));
    return {
      avgMs: average === null ? null : roundTo(average, 0),
      medianMs: measure.reduce(counted),
      sample: counted.length,
    };
  };
  return {
    timeToOpen: computeTimes('timeToOpen'),
    pickup: computeTimes('pickup'),
    review: computeTimes('review'),
    merge: computeTimes('merge'),
    sample: pullRequests.filter((each) => isDeliveredByHuman(each, scope) === true).length,
  };
}

/** The median time of one phase over people's pull requests merged into the default branch. */
export function phaseTime(phase: CyclePhase, scope: DeliveryScope): Metric<PullRequest> {
  const { label, definition, without } = phases[phase];
  return metric({
    key: phaseKeys[phase],
    label,
    unit: 'milliseconds',
    better: 'lower',
    source: 'merged pull requests of people that have this phase',
    definition,
    counts: (pullRequest) => {
      const verdict = isDeliveredByHuman(pullRequest, scope);
      if (verdict !== true) return verdict;
      if (phase !== 'timeToOpen' && pullRequest.reviews === null) return unreadReviews;
      if ((phase === 'review' || phase === 'merge') && pullRequest.reviewsTruncated) return cutReviews;
      const first = reviewsBeforeMerge(pullRequest, scope.people)?.[0];
      if (phase === 'pickup' && !first && pullRequest.reviewsTruncated) return cutReviews;
      if (phase === 'pickup' && first && reviewClockStart(pullRequest, first, scope.people) === null)
        return unreadClock;
      return measurePhase(phase, pullRequest, scope) !== null || without;
    },
    value: (merged) => median(withoutNulls(merged.map((each) => measurePhase(phase, each, scope)))),
  });
}

export interface Week {
  /** A Monday. */
  weekStart: Day;
  from: Instant;
  /** The last instant of the week, or now. */
  to: Instant;
  /** The running week. */
  partial: boolean;
}

/** `count` weeks of the team's zone that end with the running one, oldest first. */
export function weeksUpTo(now: Instant, calendar: Calendar, count = 13): Week[] {
  const running = getWeekStart(calendar.getDay(now));
  return Array.from({ length: count }, (_, index) => {
    const weekStart = addDays(running, 7 * (index + 1 - count));
    const end = calendar.getStart(addDays(weekStart, 7)) - 1;
    return { weekStart, from: calendar.getStart(weekStart), to: Math.min(end, now), partial: weekStart === running };
  });
}

/** Pull requests merged into the default branch per week, bots included. The facts must reach back that far. */
export function throughputByWeek(
  pullRequests: readonly PullRequest[],
  { calendar, window, ...scope }: DeliveryScope,
  count = 13,
): { weekStart: Day; count: number; partial: boolean }[] {
  return weeksUpTo(window.to, calendar, count).map(({ weekStart, from, to, partial }) => {
    const week = { ...scope, calendar, window: { from, to } };
    return { weekStart, partial, count: pullRequests.filter((each) => isDelivered(each, week) === true).length };
  });
}

export interface ScatterPoint {
  number: number;
  title: string | null;
  /** null for a deleted account, and where it could not be read. */
  author: Actor | null;
  isAuthorUnread: boolean;
  isBot: boolean;
  hoursToMerge: number | null;
  /** Lines added and removed. */
  loc: number;
  mergedAt: Instant;
  htmlUrl: string;
}

/** The newest merges into the default branch. */
export function scatterPoints(pullRequests: readonly PullRequest[], scope: DeliveryScope, count = 200): ScatterPoint[] {
  return pullRequests
    .filter((each) => isDelivered(each, scope) === true)
    .flatMap((each) => {
      const { number, title, author, mergedAt, htmlUrl } = each;
      const isAuthorUnread = each.isAuthorUnread === true;
      if (mergedAt === null) return [];
      const isBot = scope.people.isBot(author);
      return [
        {
          number,
          title,
          author,
          isAuthorUnread,
          isBot,
          hoursToMerge: hoursToMerge(each),
          loc: getSize(each),
          mergedAt,
          htmlUrl,
        },
      ];
    })
    .sort((a, b) => b.mergedAt - a.mergedAt || b.number - a.number)
    .slice(0, count);
}

const phases: Record<CyclePhase, { label: string; definition: string; without: string }> = {
  timeToOpen: {
    label: 'Time to open',
    definition:
      'Median time from the first commit to the creation of the pull request. Excluded where the first commit is more than 180 days older.',
    without: 'first commit unknown or more than 180 days before the creation',
  },
  pickup: {
    label: 'Pickup time',
    definition:
      'Median time from creation, the end of drafting or the review request, whichever is last, to the first review by a person.',
    without: 'no review by a person before the merge',
  },
  review: {
    label: 'Review time',
    definition: 'Median time from the first review by a person to the last approval before the merge.',
    without: 'no approval by a person before the merge',
  },
  merge: {
    label: 'Merge time',
    definition:
      'Median time from the last approval, or else the first review by a person, to the merge into the default branch. Approval to merge is another measure: of any branch, and without those that nobody approved.',
    without: 'no review by a person before the merge',
  },
};

/** Milliseconds; null when the pull request has no such phase, which is not the same as no time. */
function measurePhase(phase: CyclePhase, pullRequest: PullRequest, { people }: DeliveryScope): number | null {
  const { createdAt, firstCommitAt, mergedAt } = pullRequest;
  if (phase === 'timeToOpen') {
    if (firstCommitAt === null || createdAt - firstCommitAt > 180 * dayMs) return null;
    return Math.max(0, createdAt - firstCommitAt);
  }
  const first = reviewsBeforeMerge(pullRequest, people)?.[0];
  if (first === undefined || mergedAt === null) return null;
  if (phase === 'pickup') return getTurnaround(pullRequest, first, people);
  const approval = lastApproval(pullRequest, people);
  if (phase === 'merge') return mergedAt - (approval ?? first).submittedAt;
  return approval && approval.submittedAt - first.submittedAt;
}
