import type { Instant } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import type { Window } from '../kernel/window.ts';
import type { QueueScope } from './figures.ts';
import type { Stay } from './history.ts';
import { isEjection } from './reasons.ts';

/** What happened in a queue in a span of time. */
export interface QueueBucket {
  from: Instant;
  arrivals: number;
  merged: number;
  ejected: number;
  /** Weighted by time. */
  lengthMean: number | null;
  lengthMax: number | null;
}

/** What the present of a queue is counted from. */
export type Waiting = Pick<Stay, 'number' | 'htmlUrl' | 'enteredAt' | 'leftAt' | 'group' | 'reason' | 'isInferred'>;

/** Where a length is taken from: what the queue says of its present, where it was read, else what is stored. */
export interface LengthSource {
  /** How many the queue itself says are in it; it may list fewer. null: by stays. */
  total: number | null;
  /** Not all open pull requests were read: stays may be missing. */
  isPartial: boolean;
}

const byStays: LengthSource = { total: null, isPartial: false };

export const queueLength = (
  { window, history: { stays, builds } }: QueueScope,
  { total, isPartial }: LengthSource = byStays,
): Metric<Waiting> =>
  metric({
    key: 'queue_length',
    label: 'In queue',
    unit: 'count',
    better: 'lower',
    source: 'pull requests in the queue',
    definition:
      'Pull requests in the queue now, as it says itself; of the window before, at its end. None where the queue could not be read and not all open pull requests are known.',
    counts({ enteredAt, leftAt }) {
      if (total !== null) return leftAt === null || 'had left';
      if (enteredAt === null) return 'when it was added is not known';
      if (enteredAt > window.to) return 'entered after the window';
      return leftAt === null || leftAt > window.to || 'had left';
    },
    // Where there never was a queue, none is empty.
    ...(!isPartial && stays.length + builds.length > 0 && { valueWhenEmpty: 0 as const }),
    value: (inQueue) => (isPartial ? null : (total ?? inQueue.length)),
  });

/** Spans end before the next begins; what is after `now` is not known. */
export const bucketQueue = (stays: readonly Stay[], spans: readonly Window[], now: Instant): QueueBucket[] =>
  spans.map(({ from, to }) => {
    const ended = stays.filter(({ leftAt }) => leftAt !== null && leftAt >= from && leftAt < to);
    return {
      from,
      arrivals: stays.filter(({ enteredAt }) => enteredAt !== null && enteredAt >= from && enteredAt < to).length,
      merged: ended.filter(({ outcome }) => outcome === 'merged').length,
      ejected: ended.filter(({ group }) => isEjection(group)).length,
      ...measureLength(stays, { from, to: Math.min(to, now) }),
    };
  });

/** How many were in the queue in a window, on average and at most. */
export function measureLength(
  stays: readonly Stay[],
  { from, to }: Window,
): Pick<QueueBucket, 'lengthMean' | 'lengthMax'> {
  if (to <= from) return { lengthMean: null, lengthMax: null };
  const steps = stays.flatMap(({ enteredAt, leftAt }) => {
    if (enteredAt === null || enteredAt >= to || (leftAt ?? to) <= from) return [];
    return [
      { at: Math.max(from, enteredAt), step: 1 },
      { at: Math.min(to, leftAt ?? to), step: -1 },
    ];
  });
  let [length, total, lengthMax, since] = [0, 0, 0, from];
  // Who leaves and who enters at one instant were never in it together.
  for (const { at, step } of steps.sort((a, b) => a.at - b.at || a.step - b.step)) {
    total += length * (at - since);
    since = at;
    length += step;
    lengthMax = Math.max(lengthMax, length);
  }
  return { lengthMean: total / (to - from), lengthMax };
}
