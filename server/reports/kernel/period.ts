import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import { addDays, type Calendar, type Day, getQuarter } from '../../metrics/people/workday-hours.ts';
import { invalidRequest } from '../../platform/problem.ts';

const presets = ['7', '30', '90', 'quarter'] as const;
type Preset = (typeof presets)[number];
/** The last days, the running quarter, or from one day to another, such as `2026-05-01..2026-05-31`. */
export type Range = Preset | `${Day}..${Day}`;

const twoDays = /^\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}$/;
const maxDays = 366;

const isPreset = (text: string): text is Preset => (presets as readonly string[]).includes(text);

const isRange = (text: string): text is Range => isPreset(text) || hasDays(text);

function hasDays(text: string): boolean {
  if (!twoDays.test(text)) return false;
  const [first, last] = splitDays(text);
  if (![first, last].every((day) => z.iso.date().safeParse(day).success)) return false;
  return first <= last && last < addDays(first, maxDays);
}

function splitDays(text: string): [Day, Day] {
  const [first = '', last = ''] = text.split('..');
  return [first, last];
}

/** The range of a report's figures, as pages and operations share it. */
export const range = z
  .string()
  .refine(isRange, `is none of ${presets.join(', ')}, nor two days with at most ${maxDays} days between them`)
  .transform((text) => text as Range)
  .meta({
    override: {
      type: 'string',
      pattern: `^(${presets.join('|')}|\\d{4}-\\d{2}-\\d{2}\\.\\.\\d{4}-\\d{2}-\\d{2})$`,
      examples: [...presets, '2026-11-01..2026-11-10'],
    },
    description:
      'So many times 24 hours up to now, the running quarter, or two days of the team’s zone with `..` between them. By day, the first one and today may lie in it only in part.',
  });

export const comparisons = ['previous', 'year', 'off'] as const;
export type Comparison = (typeof comparisons)[number];

/** Whole days of the team's zone; today is still running. */
export interface Period {
  window: Window;
  /** Oldest first. */
  days: Day[];
}

/** The days of a range. @throws Problem `invalid_request` where it begins in the future. */
export function findPeriod(chosen: Range, calendar: Calendar, now: Instant): Period {
  const today = calendar.getDay(now);
  const [first, last] = isPreset(chosen) ? [findFirst(chosen, today), today] : splitDays(chosen);
  if (first > today) throw invalidRequest([{ field: 'range', reason: 'invalid', message: 'range is in the future.' }]);
  const from = calendar.getStart(first);
  const to = last < today ? calendar.getStart(addDays(last, 1)) - 1 : now;
  return { window: { from, to }, days: calendar.daysBetween(from, to) };
}

const findFirst = (preset: Preset, today: Day): Day =>
  preset === 'quarter' ? getQuarter(today).firstDay : addDays(today, 1 - Number(preset));

/**
 * The same range for what is counted one by one rather than by day: N days are N times 24 hours, as in every operation
 * that takes a number of days.
 */
export const findExactWindow = (chosen: Range, { window }: Period): Window =>
  isPreset(chosen) && chosen !== 'quarter' ? lastDaysWindow(Number(chosen), window.to) : window;

/** How many days of a range have gone by: N of N times 24 hours, and of today otherwise only its part so far. */
export function countElapsedDays(chosen: Range, { window, days }: Period, calendar: Calendar): number {
  if (isPreset(chosen) && chosen !== 'quarter') return Number(chosen);
  const last = days.at(-1) ?? calendar.getDay(window.to);
  const [start, end] = [calendar.getStart(last), calendar.getStart(addDays(last, 1))];
  return days.length - 1 + (window.to + 1 - start) / (end - start);
}

/** Whether a day lies in a window only in part: the one that N times 24 hours begin within, or today. */
export const isCut = (day: Day, { from, to }: Window, calendar: Calendar): boolean =>
  calendar.getStart(day) < from || calendar.getStart(addDays(day, 1)) - 1 > to;

export const cutDay = z
  .boolean()
  .meta({ description: 'Only a part of the day lies in the window: of the one that it begins within, or today.' });

/** The same of days of runs. */
export const partialDay = z.boolean().meta({
  description:
    'Not all of the day is counted: the window begins within it, it is today, or it was read of some of the repositories alone.',
});

/** What a window is compared with: the equally long one before it, or the one that began on the same day a year before. */
export function findComparison(comparison: Comparison, { from, to }: Window, calendar: Calendar): Window | null {
  if (comparison === 'off') return null;
  if (comparison === 'previous') return { from: 2 * from - to, to: from - 1 };
  const start = calendar.getStart(aYearBefore(calendar.getDay(from)));
  return { from: start, to: start + to - from };
}

/** As many days, each to compare with one of these: those just before them, or those from the same day a year before on. */
export function findComparedDays(comparison: Comparison, days: readonly Day[]): Day[] | null {
  const [first] = days;
  if (comparison === 'off' || first === undefined) return null;
  const start = comparison === 'previous' ? addDays(first, -days.length) : aYearBefore(first);
  return days.map((_, index) => addDays(start, index));
}

/** The last of February is that of the year before. */
function aYearBefore(day: Day): Day {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return before.endsWith('-02-29') ? before.replace('-02-29', '-02-28') : before;
}
