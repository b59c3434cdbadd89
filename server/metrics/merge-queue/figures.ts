import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { quantile } from '../kernel/statistics.ts';
import { hourMs, isWithin, type Window } from '../kernel/window.ts';
import type { Batch } from './batches.ts';
import { minutesInQueue, type QueuedPullRequest } from './entries.ts';
import type { QueueHistory, Stay } from './history.ts';
import { isEjection, isEjectionByChecks } from './reasons.ts';

/** Where figures count: stays that ended in a window. */
export interface QueueScope {
  window: Window;
  history: QueueHistory;
  /** From when on all runs are stored; null where none ever were. */
  runsFrom: Instant | null;
}

export const outside = 'left outside the window';

/** Which stays a figure of merges counts. */
export const mergedIn =
  ({ window }: QueueScope) =>
  (stay: Stay): Verdict => {
    if (stay.outcome === 'open') return 'still in the queue';
    if (!isWithin(stay.leftAt, window)) return outside;
    return stay.outcome === 'merged' || 'removed without a merge';
  };

/** The same where the begin of the stay is needed. */
export const timedMergedIn =
  (scope: QueueScope) =>
  (stay: Stay): Verdict => {
    const verdict = mergedIn(scope)(stay);
    return verdict === true && stay.enteredAt === null ? 'when it was added is not known' : verdict;
  };

export const percentile = (q: number) => `p${100 * q}`;
/** As other metrics are labelled: the median by what it is of. */
export const quantileLabel = (label: string, q: number) => (q === 0.5 ? label : `${label}, ${percentile(q)}`);
export const quantileName = (q: number) => (q === 0.5 ? 'Median' : '90th percentile');

export const queueTime = (scope: QueueScope, q: 0.5 | 0.9): Metric<Stay> =>
  metric({
    key: `queue_time_${percentile(q)}`,
    label: quantileLabel('Time in queue', q),
    unit: 'minutes',
    better: 'lower',
    source: 'pull requests merged by the queue',
    definition: `${quantileName(q)} of the time from entering the queue to the merge, of the stay that merged it.`,
    minSample: 5,
    counts: timedMergedIn(scope),
    value: (stays) =>
      quantile(
        stays.flatMap((stay) => minutesInQueue(stay) ?? []),
        q,
      ),
  });

export const ejectionRate = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'ejection_rate',
    label: 'Ejection rate',
    unit: 'percent',
    digits: 1,
    better: 'lower',
    source: 'stays that ended in a merge or an ejection',
    definition:
      'Stays that the queue ended for checks, a merge conflict, an invalid merge commit or branch protection, among these and those that merged. What people removed, new commits and unknown reasons count in neither.',
    minSample: 10,
    counts: (stay) => {
      const verdict = mergedIn(scope)(stay);
      if (verdict === true || stay.outcome === 'open' || verdict === outside) return verdict;
      return isEjection(stay.group) || 'removed, but not by the queue, or for an unknown reason';
    },
    share: ({ group }) => isEjection(group),
  });

/** So long what was ejected has to be merged after all, before it counts. */
const secondChanceMs = 48 * hourMs;

export const flakyEjectionShare = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'flaky_ejection_share',
    label: 'Ejected, then merged unchanged',
    unit: 'percent',
    better: 'lower',
    source: 'ejections by checks',
    definition:
      'Ejections by checks whose pull request was merged later with the same head commit, of those at least 48 hours old; what is still open was not.',
    minSample: 5,
    counts: (stay) => {
      if (stay.outcome === 'open') return 'still in the queue';
      if (!isWithin(stay.leftAt, scope.window)) return outside;
      if (!isEjectionByChecks(stay.group)) return 'no ejection by checks';
      if (stay.leftAt > scope.history.now - secondChanceMs) return 'ejected in the last 48 hours: it may yet be merged';
      return stay.isMergedUnchanged !== null || 'whether it was merged unchanged is not known';
    },
    share: ({ isMergedUnchanged }) => isMergedUnchanged === true,
  });

export const batchSize = (scope: QueueScope, kind: 'p50' | 'max'): Metric<Batch> =>
  metric({
    key: `batch_size_${kind}`,
    label: kind === 'p50' ? 'Batch size' : 'Largest batch',
    unit: 'count',
    digits: 1,
    better: 'neither',
    source: 'batches',
    definition:
      'Pull requests that reached the branch in one push: each merge commit follows the one before, within 10 seconds.',
    minSample: 5,
    counts: ({ leftAt }) => isWithin(leftAt, scope.window) || 'merged outside the window',
    value: (batches) =>
      quantile(
        batches.map(({ entries }) => entries.length),
        kind === 'p50' ? 0.5 : 1,
      ),
  });

export const throughput = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'throughput_per_hour',
    label: 'Merged per hour',
    unit: 'count',
    digits: 1,
    better: 'higher',
    source: 'pull requests merged by the queue',
    definition: 'Divided by the hours of the window in which the queue was not empty.',
    minSample: 10,
    counts: mergedIn(scope),
    value: (stays) => {
      const hours = busyMs(scope) / hourMs;
      return hours === 0 ? null : stays.length / hours;
    },
  });

/** How long the queue was not empty in the window. */
function busyMs({ window, history: { stays, now } }: QueueScope): number {
  let total = 0;
  let until = window.from;
  const spans = stays.flatMap(({ enteredAt, leftAt }) => (enteredAt === null ? [] : [{ enteredAt, leftAt }]));
  for (const { enteredAt, leftAt } of spans.sort((a, b) => a.enteredAt - b.enteredAt)) {
    const [from, to] = [Math.max(until, enteredAt), Math.min(window.to, leftAt ?? now)];
    total += Math.max(0, to - from);
    until = Math.max(until, to);
  }
  return total;
}

export const bypassShare = (scope: QueueScope): Metric<QueuedPullRequest> => {
  const { stays, builds } = scope.history;
  const begins = [...stays.map(({ enteredAt, leftAt }) => enteredAt ?? leftAt), ...builds.map((one) => one.createdAt)];
  const knownFrom = Math.min(...begins.flatMap((begin) => begin ?? []));
  const throughQueue = new Set(stays.flatMap(({ outcome, number }) => (outcome === 'merged' ? number : [])));
  return metric({
    key: 'bypass_share',
    label: 'Merged without the queue',
    unit: 'percent',
    better: 'neither',
    source: 'pull requests merged into the branch',
    definition:
      'Pull requests that were merged into the branch of the queue without a stay in it that ended in the merge, since the queue is known.',
    minSample: 10,
    counts: ({ mergedAt, mergeQueue }) => {
      if (begins.length === 0) return 'the branch has no merge queue';
      if (!isWithin(mergedAt, scope.window)) return 'merged outside the window';
      if (mergedAt !== null && mergedAt < knownFrom) return 'merged before anything is known of the queue';
      return mergeQueue !== null || 'whether it was in a queue was not read';
    },
    share: ({ number }) => !throughQueue.has(number),
  });
};
