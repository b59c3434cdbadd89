import type { CountedDay } from '../../metrics/kernel/counts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, hourMs, lastDaysWindow, staleAfterMs, type Window } from '../../metrics/kernel/window.ts';
import { addDays, type Calendar, type Day } from '../../metrics/people/workday-hours.ts';
import { invalidRequest } from '../../platform/problem.ts';
import type { StoredWindows } from '../kernel/stored-coverage.ts';

/** What is compared, each with how many days it has. */
export interface Period {
  window: Window;
  days: number;
}

export interface Periods {
  a: Period;
  b: Period;
}

/** The first and the last day of both periods. */
export interface PeriodDays {
  a_from: Day;
  a_to: Day;
  b_from: Day;
  b_to: Day;
}

/** Whole days of the zone. @throws Problem `invalid_request` where one of them is not over. */
export function findNamedPeriods(
  { a_from, a_to, b_from, b_to }: PeriodDays,
  calendar: Calendar,
  now: Instant,
): Periods {
  const today = calendar.getDay(now);
  for (const [field, day] of Object.entries({ a_to, b_to }))
    if (day >= today) {
      const message = `${field} must be before ${today}, which is today in ${calendar.timezone}.`;
      throw invalidRequest([{ field, reason: 'invalid', message }]);
    }
  const toPeriod = (first: Day, last: Day) => {
    const window = { from: calendar.getStart(first), to: calendar.getStart(addDays(last, 1)) - 1 };
    return { window, days: countDays(first, last) };
  };
  return { a: toPeriod(a_from, a_to), b: toPeriod(b_from, b_to) };
}

export const countDays = (first: Day, last: Day): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;

/**
 * So many times 24 hours, and as many before. They end where facts were read up to in the repository that is least up to
 * date, of those that were read in the last nightly reading: what was not read yet is no decline.
 */
export function findLastPeriods(days: number, stored: StoredWindows, now: Instant): Periods {
  const ends = [...stored.values()].map(({ to }) => to).filter((to) => to >= now - staleAfterMs && to <= now);
  const window = lastDaysWindow(days, ends.length === 0 ? now : Math.min(...ends));
  return {
    a: { window: { from: window.from - days * dayMs, to: window.from - 1 }, days },
    b: { window, days },
  };
}

/** The weekday of each day of a period, of those that begin within a day the one that most of it is. */
export const listWeekdays = ({ window, days }: Period, calendar: Calendar): number[] =>
  Array.from({ length: days }, (_, day) => calendar.getWeekday(window.from + day * dayMs + 12 * hourMs));

/** Whole days of a window; what is left of the last one counts as one or as none. */
export const toPeriod = (window: Window): Period => ({
  window,
  days: Math.max(1, Math.round((window.to - window.from) / dayMs)),
});

/** How many of these instants are in each day of a period. */
export function countByDay(instants: readonly Instant[], period: Period, calendar: Calendar): CountedDay[] {
  const byDay = new Map<number, number>();
  for (const at of instants) {
    const day = findDayOf(at, period);
    byDay.set(day, (byDay.get(day) ?? 0) + 1);
  }
  return toDays(byDay, period, calendar);
}

/** The days of a period, each with its count, none of those that are absent. */
export const toDays = (byDay: ReadonlyMap<number, number>, period: Period, calendar: Calendar): CountedDay[] =>
  listWeekdays(period, calendar).map((weekday, day) => ({ weekday, count: byDay.get(day) ?? 0 }));

/** Which day of a period an instant within it belongs to, the first one 0. */
export const findDayOf = (at: Instant, { window, days }: Period): number =>
  Math.min(Math.floor((at - window.from) / dayMs), days - 1);
