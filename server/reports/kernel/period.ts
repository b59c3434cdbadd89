import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { addDays, type Calendar, type Day, getQuarter } from '../../metrics/people/workday-hours.ts';

export const ranges = ['7', '30', '90', 'quarter'] as const;
export type Range = (typeof ranges)[number];

export const comparisons = ['previous', 'year', 'off'] as const;
export type Comparison = (typeof comparisons)[number];

/** Whole days of the team's zone up to now; the last one is still running. */
export interface Period {
  window: Window;
  /** Oldest first. */
  days: Day[];
}

/** The last days, or those of the running quarter. */
export function findPeriod(range: Range, calendar: Calendar, now: Instant): Period {
  const today = calendar.getDay(now);
  const first = range === 'quarter' ? getQuarter(today).firstDay : addDays(today, 1 - Number(range));
  const from = calendar.getStart(first);
  return { window: { from, to: now }, days: calendar.daysBetween(from, now) };
}

/** What a window is compared with: the equally long one before it, or the one that began on the same day a year before. */
export function findComparison(comparison: Comparison, { from, to }: Window, calendar: Calendar): Window | null {
  if (comparison === 'off') return null;
  if (comparison === 'previous') return { from: 2 * from - to, to: from - 1 };
  const start = calendar.getStart(aYearBefore(calendar.getDay(from)));
  return { from: start, to: start + to - from };
}

/** The last of February is that of the year before. */
function aYearBefore(day: Day): Day {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return before.endsWith('-02-29') ? before.replace('-02-29', '-02-28') : before;
}
