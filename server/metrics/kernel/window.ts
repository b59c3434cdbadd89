import type { Instant } from './facts.ts';
import { roundTo } from './statistics.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
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

/** The equally long window before; null where it is not known from its start on, such as of something younger. */
export function windowBefore({ from, to }: Window, knownFrom: Instant): Window | null {
  const before = { from: 2 * from - to, to: from - 1 };
  return before.from < knownFrom ? null : before;
}

export function isWithin(instant: Instant | null, { from, to }: Window): instant is Instant {
  return instant !== null && instant >= from && instant <= to;
}

/** Milliseconds in a larger unit; the error of interpolation goes first, so that an exact half is seen as a half. */
export function inUnit(ms: number, unitMs: number): number {
  return roundTo(ms, 3) / unitMs;
}
