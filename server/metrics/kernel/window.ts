import type { Instant } from './facts.ts';
import { roundTo } from './statistics.ts';

export const secondMs = 1000;
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

/** Facts are read every night; what was read longer ago than this lacks the newest. */
export const staleAfterMs = 36 * hourMs;

/** Whether all is known of a window from its begin on. */
export const coversBegin = (known: Window | undefined, { from }: Window): boolean =>
  known !== undefined && known.from <= from && known.to >= from;

/** Whether all is known up to its end; of one that is still running, up to the last nightly reading. */
export const coversEnd = (known: Window | undefined, { to }: Window, now: Instant): boolean =>
  known !== undefined && (known.to >= to || (to >= now - minuteMs && known.to >= now - staleAfterMs));

export function isWithin(instant: Instant | null, { from, to }: Window): instant is Instant {
  return instant !== null && instant >= from && instant <= to;
}

/** Milliseconds in a larger unit; the error of interpolation goes first, so that an exact half is seen as a half. */
export function inUnit(ms: number, unitMs: number): number {
  return roundTo(ms, 3) / unitMs;
}
