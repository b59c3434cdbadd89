import type { Instant } from '../kernel/facts.ts';

/**
 * The calendar of one zone: which day, weekday and hour an instant falls into, and when a day starts.
 * Throws a RangeError for a zone the runtime does not know; check settings with `isTimeZone` first.
 */
export function createCalendar(timezone: string): Calendar {
  const known = calendars.get(timezone);
  if (known) return known;
  const calendar = makeCalendar(timezone);
  calendars.set(timezone, calendar);
  return calendar;
}

/** True for a name in the time zone database, old names included; fixed offsets such as +07:00 are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A calendar day, `YYYY-MM-DD`. */
export type Day = string;

export interface Calendar {
  /** As it was given: `Asia/Saigon` stays `Asia/Saigon`. */
  timezone: string;
  getDay(instant: Instant): Day;
  /** 0 = Sunday … 6 = Saturday. */
  getWeekday(instant: Instant): number;
  /** 0–23. */
  getHour(instant: Instant): number;
  /** The first instant of the day, also where midnight is skipped. */
  getStart(day: Day): Instant;
  /** Days touched by [from, to], oldest first; [] when `to` is before `from`. */
  daysBetween(from: Instant, to: Instant): Day[];
  /** The `count` days that end with the day of `now`, oldest first. */
  lastDays(count: number, now: Instant): Day[];
}

/** The day `count` days later (earlier when negative). */
export function addDays(day: Day, count: number): Day {
  return dayText(midnight(day) + count * dayMs);
}

/** 0 = Sunday … 6 = Saturday. */
export function getDayWeekday(day: Day): number {
  return getLocalWeekday(midnight(day));
}

/** The Monday of the day's ISO week. */
export function getWeekStart(day: Day): Day {
  return addDays(day, -((getDayWeekday(day) + 6) % 7));
}

export interface Quarter {
  year: number;
  /** 1–4. */
  quarter: number;
  firstDay: Day;
}

export function getQuarter(day: Day): Quarter {
  const date = new Date(midnight(day));
  const year = date.getUTCFullYear();
  const quarter = Math.floor(date.getUTCMonth() / 3) + 1;
  return { year, quarter, firstDay: dayText(Date.UTC(year, (quarter - 1) * 3, 1)) };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const calendars = new Map<string, Calendar>();

function makeCalendar(timezone: string): Calendar {
  const offsetAt = offsets(timezone);
  const toLocal = (instant: Instant) => instant + offsetAt(instant);
  const getDay = (instant: Instant) => dayText(toLocal(instant));
  return {
    timezone,
    getDay,
    getWeekday: (instant) => getLocalWeekday(toLocal(instant)),
    getHour: (instant) => Math.floor(remainder(toLocal(instant), dayMs) / hourMs),
    getStart: (day) => firstInstantAt(midnight(day), offsetAt),
    daysBetween: (from, to) => (to < from ? [] : daysFrom(getDay(from), getDay(to))),
    lastDays: (count, now) => daysFrom(addDays(getDay(now), 1 - count), getDay(now)),
  };
}

/**
 * Calling Intl for each instant is slow, and an offset rarely changes: one answer serves a full UTC day, except on
 * the days whose two ends differ.
 */
function offsets(timezone: string): (instant: Instant) => number {
  const computeOffset = intlOffset(timezone);
  const ofDay = new Map<number, number | null>();
  return (instant) => {
    const index = Math.floor(instant / dayMs);
    let offset = ofDay.get(index);
    if (offset === undefined) {
      const first = computeOffset(index * dayMs);
      offset = first === computeOffset((index + 1) * dayMs - 1) ? first : null;
      ofDay.set(index, offset);
    }
    return offset ?? computeOffset(instant);
  };
}

/** Local wall clock minus UTC, in milliseconds, as Intl reports it. */
function intlOffset(timezone: string): (instant: Instant) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const second = Math.floor(instant / 1000) * 1000;
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(second)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  };
}

/** The earliest instant whose wall clock shows `local`, or the first one after it where the clocks skip it. */
function firstInstantAt(local: number, offsetAt: (instant: Instant) => number): Instant {
  const candidates = [offsetAt(local - dayMs), offsetAt(local + dayMs)].map((offset) => local - offset);
  const exact = candidates.filter((instant) => instant + offsetAt(instant) === local);
  if (exact.length > 0) return Math.min(...exact);
  let before = Math.min(...candidates) - 1;
  let after = Math.max(...candidates);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetAt(middle) >= local) after = middle;
    else before = middle;
  }
  return after;
}

function daysFrom(first: Day, last: Day): Day[] {
  const count = Math.round((midnight(last) - midnight(first)) / dayMs) + 1;
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}

function midnight(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayText(local: number): Day {
  return new Date(local).toISOString().slice(0, 10);
}

function getLocalWeekday(local: number): number {
  return remainder(Math.floor(local / dayMs) + 4, 7);
}

function remainder(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
