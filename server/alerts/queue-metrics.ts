import type { Instant } from '../metrics/kernel/facts.ts';
import { computePercent, quantile } from '../metrics/kernel/statistics.ts';
import { isWithin, minuteMs } from '../metrics/kernel/window.ts';
import { usualMs } from '../metrics/merge-queue/arrivals.ts';
import type { QueueHistory, Stay } from '../metrics/merge-queue/history.ts';
import { isEjection } from '../metrics/merge-queue/reasons.ts';
import type { Store } from '../store/orm.ts';
import { alertMetric, getWindow, type Range, unknown } from './metric.ts';
import { type QueueAlertFacts, queueGap, readQueueFacts } from './queue-facts.ts';

const ofQueues = {
  group: 'ci',
  dataSource: 'merge-queue',
  load: (range: Range, store: Store) => readQueueFacts(range, store),
} as const;

const isOpenAt = ({ enteredAt, leftAt }: Stay, now: Instant): boolean =>
  enteredAt !== null && enteredAt <= now && (leftAt === null || leftAt > now);

/** Of entries that merged in the window, and of those in the queue with their time so far. */
export const slowQueue = alertMetric({
  ...ofQueues,
  key: 'merge_queue_time_p90',
  label: 'Time in merge queue, p90',
  definition:
    '90th percentile of the time in the merge queue, over entries that merged in the window and those still in it with their time so far. Of the default branch, or the busiest queue.',
  unit: 'minutes',
  minSample: 10,
  measure(facts: QueueAlertFacts, at) {
    const window = getWindow(at);
    const gap = queueGap(facts, window.from, at.now);
    if (gap) return gap;
    const minutes = (facts.history?.stays ?? []).flatMap((stay) => {
      if (stay.enteredAt === null) return [];
      if (isOpenAt(stay, at.now)) return (at.now - stay.enteredAt) / minuteMs;
      const isMerged = stay.outcome === 'merged' && isWithin(stay.leftAt, window);
      return isMerged && stay.leftAt !== null ? (stay.leftAt - stay.enteredAt) / minuteMs : [];
    });
    return { value: quantile(minutes, 0.9), sample: minutes.length };
  },
});

export const queueEjections = alertMetric({
  ...ofQueues,
  key: 'merge_queue_ejection_rate',
  label: 'Merge queue ejection rate',
  definition:
    'Share of entries that the merge queue ejected for checks, a merge conflict, an invalid merge commit or branch protection, of those and the merged ones that left it in the window.',
  unit: 'percent',
  minSample: 10,
  measure(facts: QueueAlertFacts, at) {
    const window = getWindow(at);
    const gap = queueGap(facts, window.from, at.now);
    if (gap) return gap;
    const ended = (facts.history?.stays ?? []).filter(
      ({ leftAt, outcome, group }) => isWithin(leftAt, window) && (outcome === 'merged' || isEjection(group)),
    );
    return { value: computePercent(ended, ({ group }) => isEjection(group)), sample: ended.length };
  },
});

const lowestWithinMs = 15 * minuteMs;

/** A queue that is long for a moment only is none. */
export const queueLength = alertMetric({
  ...ofQueues,
  key: 'merge_queue_length',
  label: 'Merge queue length',
  definition: 'Pull requests in the merge queue: the lowest number of the last 15 minutes.',
  unit: 'count',
  minSample: 1,
  isPointInTime: true,
  measure(facts: QueueAlertFacts, { now }) {
    const gap = queueGap(facts, now - lowestWithinMs, now);
    if (gap) return gap;
    const stays = facts.history?.stays ?? [];
    const begin = now - lowestWithinMs;
    // Between two departures the queue only grows.
    const lows = [
      begin,
      now,
      ...stays.flatMap(({ leftAt }) => (isWithin(leftAt, { from: begin, to: now }) ? leftAt : [])),
    ];
    const lowest = Math.min(...lows.map((at) => stays.filter((stay) => isOpenAt(stay, at)).length));
    return { value: lowest, sample: 1 };
  },
});

/** When anything was first in the queue, as far as is known: stays and builds are in the order in which they began. */
function firstSeen(history: QueueHistory | null): Instant | null {
  const [stay] = history?.stays ?? [];
  const [build] = history?.builds ?? [];
  const seen = [stay?.enteredAt ?? stay?.leftAt, build?.createdAt].filter((at) => at != null);
  return seen.length === 0 ? null : Math.min(...seen);
}

/** Reported only while it is proven that more arrive than usual, or that checks take longer. */
export const queueGrowth = alertMetric({
  ...ofQueues,
  key: 'merge_queue_growth',
  label: 'Merge queue growth',
  definition:
    'By how many pull requests the merge queue is longer than usual (the median of the same hours of 28 days), while it is proven that more arrive than usual or that running checks take longer than those of 28 days; else 0. Below ten entries an hour it may take longer than an hour until a rise is proven.',
  unit: 'count',
  minSample: 1,
  isPointInTime: true,
  async load(range: Range, store: Store) {
    const facts = await readQueueFacts(range, store);
    return { ...facts, knownFrom: facts.knownFrom + usualMs };
  },
  measure(facts: QueueAlertFacts, { now }) {
    const gap = queueGap(facts, now - usualMs, now);
    if (gap) return gap;
    const begin = firstSeen(facts.history);
    if (begin === null || begin > now - usualMs) return unknown('The merge queue is known for fewer than 28 days.');
    const isSlow = facts.areChecksSlow(now);
    if (isSlow === null) return unknown('Fewer than 50 builds of merge groups are known of the last 28 days.');
    const { length, isFlooded, getUsual } = facts.moment(now);
    const isProven = isFlooded || (isSlow && length >= 3);
    return { value: isProven ? Math.max(0, length - getUsual()) : 0, sample: 1 };
  },
});
