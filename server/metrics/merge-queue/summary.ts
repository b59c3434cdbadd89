import { type ReasonGroup, reasonGroups, reasonLabels } from '../../domain/queue-reasons.ts';
import type { Measurement } from '../kernel/metric.ts';
import { isWithin } from '../kernel/window.ts';
import { attemptsPerMerge, multipleAttemptsShare, queueGap, queueTotal } from './attempts.ts';
import { queueLength } from './buckets.ts';
import { checksTime, ciMinutesPerMerge, countMerges, innocentRebuilds, listCheckRuns } from './checks.ts';
import {
  batchSize,
  bypassShare,
  ejectionRate,
  flakyEjectionShare,
  type QueueScope,
  queueTime,
  throughput,
} from './figures.ts';

/** Every figure of a queue in a window. */
export function measureQueue(scope: QueueScope) {
  const { stays, batches, merged } = scope.history;
  const runs = listCheckRuns(scope.history);
  // They rest on the merges, however many runs these took.
  const perMerge = (part: 'all' | 'wasted'): Measurement => ({
    ...ciMinutesPerMerge(scope, part)(runs),
    sample: countMerges(scope),
    source: 'pull requests merged by the queue',
  });
  return {
    queueTimeP50: queueTime(scope, 0.5)(stays),
    queueTimeP90: queueTime(scope, 0.9)(stays),
    queueTotalP50: queueTotal(scope, 0.5)(stays),
    queueTotalP90: queueTotal(scope, 0.9)(stays),
    queueGapP50: queueGap(scope)(stays),
    attemptsPerMerge: attemptsPerMerge(scope)(stays),
    multipleAttemptsShare: multipleAttemptsShare(scope)(stays),
    ejectionRate: ejectionRate(scope)(stays),
    innocentRebuilds: innocentRebuilds(scope)(stays),
    flakyEjectionShare: flakyEjectionShare(scope)(stays),
    batchSizeP50: batchSize(scope, 'p50')(batches),
    batchSizeMax: batchSize(scope, 'max')(batches),
    queueCiMinutesPerMerge: perMerge('all'),
    queueWastedMinutesPerMerge: perMerge('wasted'),
    queueLength: queueLength(scope)(stays),
    throughputPerHour: throughput(scope)(stays),
    checksTimeP50: checksTime(scope, 0.5)(stays),
    checksTimeP90: checksTime(scope, 0.9)(stays),
    bypassShare: bypassShare(scope)(merged),
  } satisfies Record<string, Measurement>;
}

/** Why stays ended in a window, the most frequent first. */
export function countReasons({ history, window }: QueueScope): { group: ReasonGroup; label: string; count: number }[] {
  const ended = history.stays.filter(({ leftAt }) => isWithin(leftAt, window));
  return reasonGroups
    .map((group) => ({ group, label: reasonLabels[group], count: ended.filter((one) => one.group === group).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** How many batches of each size were merged in a window, the smallest first. */
export function countBatchSizes({ history, window }: QueueScope): { size: number; batches: number }[] {
  const sizes = history.batches.filter(({ leftAt }) => isWithin(leftAt, window)).map(({ entries }) => entries.length);
  return [...Map.groupBy(sizes, (size) => size)]
    .map(([size, own]) => ({ size, batches: own.length }))
    .sort((a, b) => a.size - b.size);
}
