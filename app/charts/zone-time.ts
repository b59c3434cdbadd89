import { months } from '../../server/domain/day-text.ts';

/** An instant as epoch milliseconds or in text (RFC 3339), as answers carry it. */
export type At = number | string;

export const toInstant = (at: At): number => (typeof at === 'number' ? at : Date.parse(at));

/** `3 May 2026` in the zone. Month names are ours, so that server and browser write the same. */
export function dateText(at: At, zone: string): string {
  const { year, month, day } = civil(toInstant(at), zone);
  return `${day} ${months[month - 1]} ${year}`;
}

/** `14:05` in the zone. */
export function timeText(at: At, zone: string): string {
  const { hour, minute } = civil(toInstant(at), zone);
  return `${two(hour)}:${two(minute)}`;
}

/** `3 May 2026, 14:05` in the zone. */
export const dateTimeText = (at: At, zone: string) => `${dateText(at, zone)}, ${timeText(at, zone)}`;

/** `3 May` in the zone, for axes. */
export function shortDate(at: At, zone: string): string {
  const { month, day } = civil(toInstant(at), zone);
  return `${day} ${months[month - 1]}`;
}

/** Days since 1970-01-01 of a calendar day `YYYY-MM-DD`, and back. */
export const dayNumber = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
export const dayOfNumber = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10);

/** The instant at which a calendar day begins in the zone. */
export const startOfDay = (day: string, zone: string): number => findInstant(dayNumber(day) * dayMs, zone);

/** Whether a calendar day of the zone has not ended yet. */
export const isRunningDay = (day: string, now: At, zone: string): boolean =>
  toInstant(now) < startOfDay(dayOfNumber(dayNumber(day) + 1), zone);

export interface TimeTick {
  at: number;
  label: string;
}

/** At most `maxTicks` ticks on round hours, days, Mondays or first days of a month, as the zone counts them. */
export function timeTicks(from: number, to: number, zone: string, maxTicks = 6): TimeTick[] {
  for (const candidate of [hours(3), hours(6), hours(12), days(1), days(2), days(7), days(14), every(1), every(3)]) {
    const ticks = candidate(from, to, zone);
    if (ticks.length <= maxTicks && ticks.length > 0) return ticks;
  }
  return every(12)(from, to, zone).slice(0, maxTicks);
}

const dayMs = 86_400_000;

/** `08:00` */
export const hourText = (hour: number) => `${two(hour)}:00`;

/** Weeks begin on Monday. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** 0 for Monday, from days since 1970-01-01; day 4 was a Monday. */
export const getWeekday = (number: number) => (((number - 4) % 7) + 7) % 7;

const two = (value: number) => String(value).padStart(2, '0');
const clocks = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
/** Zones change their offset on a quarter of an hour; asking for it once in each is most of the cost of a page of times. */
const quarterMs = 900_000;
const maxOffsets = 10_000;

function civil(at: number, zone: string) {
  const wall = new Date(at + offset(at, zone));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
  };
}

function newClock(zone: string): Intl.DateTimeFormat {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}

/** What the zone's clocks show beyond UTC, in milliseconds. */
function offset(at: number, zone: string): number {
  const quarter = Math.floor(at / quarterMs);
  const key = `${quarter} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= maxOffsets) offsets.clear();
  const part: Record<string, number> = {};
  const start = quarter * quarterMs;
  for (const { type, value } of (clocks.get(zone) ?? newClock(zone)).formatToParts(start)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  const found = Date.UTC(year, month - 1, day, hour, minute, second) - start;
  offsets.set(key, found);
  return found;
}

/** When the zone's clocks show what they show in UTC at `wall`. A midnight that they skip is the instant of the skip. */
function findInstant(wall: number, zone: string): number {
  const near = wall - offset(wall, zone);
  const at = wall - offset(near, zone);
  return at + offset(at, zone) < wall ? near : at;
}

type Ticks = (from: number, to: number, zone: string) => TimeTick[];

const hours =
  (step: number): Ticks =>
  (from, to, zone) => {
    if (to - from > 3 * dayMs) return [];
    const first = civil(from, zone);
    const ticks: TimeTick[] = [];
    for (let hour = 0; hour <= 24 * 4; hour += step) {
      const wall = Date.UTC(first.year, first.month - 1, first.day, hour);
      const at = findInstant(wall, zone);
      const isMidnight = hour % 24 === 0;
      if (at >= from && at <= to) ticks.push({ at, label: isMidnight ? shortDate(at, zone) : timeText(at, zone) });
    }
    return ticks;
  };

const days =
  (step: number): Ticks =>
  (from, to, zone) => {
    if ((to - from) / dayMs / step > 60) return [];
    const ticks: TimeTick[] = [];
    const last = civilDay(to, zone);
    for (let number = civilDay(from, zone); number <= last; number += 1) {
      // Day 4 was a Monday: weeks begin there.
      if ((number - 4) % step !== 0) continue;
      const at = startOfDay(dayOfNumber(number), zone);
      if (at >= from && at <= to) ticks.push({ at, label: shortDate(at, zone) });
    }
    return ticks;
  };

const every =
  (step: number): Ticks =>
  (from, to, zone) => {
    const first = civil(from, zone);
    const ticks: TimeTick[] = [];
    for (let month = first.month - 1; month < first.month + 240; month += 1) {
      if (month % step !== 0) continue;
      const at = startOfDay(new Date(Date.UTC(first.year, month, 1)).toISOString().slice(0, 10), zone);
      if (at > to) break;
      const year = first.year + Math.floor(month / 12);
      if (at >= from) ticks.push({ at, label: `${months[month % 12]} ${year}` });
    }
    return ticks;
  };

function civilDay(at: number, zone: string): number {
  const { year, month, day } = civil(at, zone);
  return Date.UTC(year, month - 1, day) / dayMs;
}
