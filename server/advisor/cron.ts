import { Cron } from 'croner';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';

/** The weekday on which weekly runs are useful, 0 is Sunday, as in cron. */
export interface CronChoice {
  busiestWeekday: number;
}

/**
 * The next rarer pattern in cron's five fields: several times an hour → once in each of its hours → every 6 hours →
 * daily → weekly. The minute is kept, but 0 becomes 17, because the start of an hour is the busiest. null for what is
 * rarer than daily, is not one of these, or cannot be read.
 */
export function lessOften(pattern: string, choice: CronChoice): string | null {
  const next = readPattern(pattern) ? rarer(pattern, choice) : null;
  return next !== null && readPattern(next) ? next : null;
}

function rarer(pattern: string, { busiestWeekday }: CronChoice): string | null {
  const fields = pattern.trim().split(/\s+/);
  const [minutes = '', hours = '', dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5 || dayOfMonth !== '*' || month !== '*') return null;
  const isEveryDay = dayOfWeek === '*';
  const minute = firstMinute(minutes);
  if (minute === null) return null;
  if (!/^\d+$/.test(minutes)) return isEveryDay ? `${minute} ${hours} * * *` : null;
  if (!isEveryDay) return null;
  if (hours === '*' || hours === '*/1') return `${minute} */6 * * *`;
  if (!/^\d+$/.test(hours)) return `${minute} ${firstHour(hours)} * * *`;
  return `${minute} ${hours} * * ${busiestWeekday}`;
}

function firstMinute(minutes: string): number | null {
  const first = Number(/^\d+/.exec(minutes)?.[0] ?? 0);
  if (!/^[\d*,/-]+$/.test(minutes) || first > 59) return null;
  return first === 0 ? 17 : first;
}

const firstHour = (hours: string): number => Number(/^\d+/.exec(hours)?.[0] ?? 0);

/** The instants in UTC that a pattern names, both ends included; none of one that cannot be read. */
export function timesBetween(pattern: string, from: Instant, to: Instant): Instant[] {
  const schedule = readPattern(pattern);
  const times: Instant[] = [];
  let next = schedule?.nextRun(new Date(from - 1)) ?? null;
  while (next !== null && next.getTime() <= to) {
    times.push(next.getTime());
    next = schedule?.nextRun(next) ?? null;
  }
  return times;
}

/** The shortest time between neighbouring instants of a pattern, in the week from then on. */
export function shortestPeriodMs(pattern: string, from: Instant): number {
  const times = timesBetween(pattern, from, from + 8 * dayMs);
  return Math.min(8 * dayMs, ...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

function readPattern(pattern: string): Cron | null {
  try {
    // `20/15` is every 15 minutes from the 20th on, as GitHub has it.
    return new Cron(pattern, { utcOffset: 0, paused: true, sloppyRanges: true });
  } catch {
    return null;
  }
}
