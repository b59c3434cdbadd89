import type { Interval } from '../../metrics/kernel/intervals.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { dayMs, hourMs, inUnit, minuteMs } from '../../metrics/kernel/window.ts';

/** Shown for an unknown value. */
const unknown = 'not known';

/** A time in its largest fitting unit: `45 min`, `3 h`, `2.5 d`. */
export function timeLabel(ms: number | null): string {
  if (ms === null) return unknown;
  if (ms < hourMs) return `${roundTo(inUnit(ms, minuteMs), 0)} min`;
  if (ms < 2 * dayMs) return `${roundTo(inUnit(ms, hourMs), 0)} h`;
  return `${roundTo(inUnit(ms, dayMs), 1)} d`;
}

/** `12 %`, with one decimal below ten. */
export function rateLabel(rate: number | null): string {
  if (rate === null) return unknown;
  return `${roundTo(rate, rate < 10 ? 1 : 0)} %`;
}

/** `0.4 a day`; what is rarer than once in ten days as `2 in 90 days`. */
export function frequencyLabel(perDay: number | null, total: number | null, days: number): string {
  if (perDay === null || total === null) return unknown;
  return perDay >= 0.1 || total === 0 ? `${roundTo(perDay, 1)} a day` : `${total} in ${days} days`;
}

/** An interval as it is shown, to so many decimals. */
export const roundedInterval = (interval: Interval | null, digits: number): Interval | null =>
  interval && { low: roundTo(interval.low, digits), high: roundTo(interval.high, digits) };
