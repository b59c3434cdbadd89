import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { mean, median, quantile } from '../kernel/statistics.ts';
import { minuteMs } from '../kernel/window.ts';
import { minutesInQueue } from './entries.ts';
import { mergedIn, percentile, type QueueScope, quantileLabel, quantileName, timedMergedIn } from './figures.ts';
import type { Stay } from './history.ts';

export const queueTotal = (scope: QueueScope, q: 0.5 | 0.9): Metric<Stay> =>
  metric({
    key: `queue_total_${percentile(q)}`,
    label: quantileLabel('Time to merge in queue', q),
    unit: 'minutes',
    better: 'lower',
    source: 'pull requests merged by the queue',
    definition: `${quantileName(q)} of the time from entering the queue for the first time to the merge, also between stays; stays more than 14 days apart are of different attempts.`,
    minSample: 5,
    counts: timedMergedIn(scope),
    value: (stays) =>
      quantile(
        stays.flatMap((stay) => minutesToMerge(stay) ?? []),
        q,
      ),
  });

/** From the first stay to the merge; null where the begin is not known. */
export const minutesToMerge = (stay: Stay): number | null =>
  minutesInQueue({ enteredAt: findFirstEntry(stay), leftAt: stay.leftAt });

/** When its pull request entered the queue for the first time in these attempts; null where that is not known. */
export const findFirstEntry = ({ attempts }: Stay): Instant | null =>
  attempts.find(({ enteredAt }) => enteredAt !== null)?.enteredAt ?? null;

export const attemptsPerMerge = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'attempts_per_merge',
    label: 'Attempts per merge',
    unit: 'count',
    digits: 2,
    better: 'lower',
    source: 'pull requests merged by the queue',
    definition: 'How often a pull request entered the queue until it was merged, on average.',
    minSample: 5,
    counts: mergedIn(scope),
    value: (stays) => mean(stays.map(({ attempts }) => attempts.length)),
  });

export const multipleAttemptsShare = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'multiple_attempts_share',
    label: 'Merged after more than one attempt',
    unit: 'percent',
    better: 'lower',
    source: 'pull requests merged by the queue',
    definition: 'Pull requests that entered the queue more than once until they were merged.',
    minSample: 5,
    counts: mergedIn(scope),
    share: ({ attempts }) => attempts.length > 1,
  });

export const queueGap = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'queue_gap_p50',
    label: 'Time between attempts',
    unit: 'minutes',
    better: 'lower',
    source: 'pull requests merged after more than one attempt',
    definition: 'Median of the time that a pull request was out of the queue between its first entry and the merge.',
    minSample: 5,
    counts: (stay): Verdict => {
      const verdict = mergedIn(scope)(stay);
      if (verdict !== true) return verdict;
      if (stay.attempts.length < 2) return 'merged in its first attempt';
      return minutesBetween(stay) !== null || 'when it was added is not known';
    },
    value: (stays) => median(stays.flatMap((stay) => minutesBetween(stay) ?? [])),
  });

/** How long it was out of the queue between its stays; null where the begin or the end of one is not known. */
export function minutesBetween({ attempts }: Stay): number | null {
  let total = 0;
  for (const [index, { enteredAt }] of attempts.entries()) {
    const before = attempts[index - 1];
    if (!before) continue;
    if (enteredAt === null || before.leftAt === null) return null;
    total += enteredAt - before.leftAt;
  }
  return total / minuteMs;
}
