import type { Instant } from '../metrics/kernel/facts.ts';

/** A span of time in epoch milliseconds, which never ends before it starts. */
export interface Interval {
  startAt: Instant;
  endAt: Instant;
  /** true where an instant is not as the platform reported it. */
  isCorrected: boolean;
}

/**
 * From start to end in epoch milliseconds, whatever the platform reported (contract-open §4.5): what is missing takes
 * the other's place, both are at `floor` when neither is known, and an end before the start has no length.
 */
export function toInterval(start: Instant | null, end: Instant | null, floor: Instant): Interval {
  const startAt = start ?? end ?? floor;
  const endAt = Math.max(end ?? startAt, startAt);
  return { startAt, endAt, isCorrected: start !== startAt || end !== endAt };
}
