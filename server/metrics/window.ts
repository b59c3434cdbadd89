import type { Instant } from './facts.ts';
import { roundTo } from './statistics.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A span of time, both ends included. */
export interface Window {
  from: Instant;
  to: Instant;
}

/** The last `days` times 24 hours. */
export function lastDaysWindow(days: number, now: Instant): Window {
  return { from: now - days * dayMs, to: now };
}

export function isWithin(instant: Instant | null, { from, to }: Window): instant is Instant {
  return instant !== null && instant >= from && instant <= to;
}

/** Milliseconds in a larger unit; the error of interpolation goes first, so that an exact half is seen as a half. */
export function inUnit(ms: number, unitMs: number): number {
  return roundTo(ms, 3) / unitMs;
}
