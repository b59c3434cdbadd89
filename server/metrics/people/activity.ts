import type { Commit } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { percent, roundTo } from '../kernel/statistics.ts';
import { isWithin, lastDaysWindow } from '../kernel/window.ts';
import { addDays, type Calendar, type Day, getWeekStart } from './workday-hours.ts';
import { isAfterHours, isWeekend, type Workday } from './workload.ts';

/** 52 weeks and today, oldest first, from days that have contributions; the others are known to have none. */
export function activityCalendar(
  days: readonly { date: Day; count: number }[],
  now: Instant,
  calendar: Calendar,
): { date: Day; count: number }[] {
  const counts = new Map<Day, number>();
  for (const { date, count } of days) counts.set(date, (counts.get(date) ?? 0) + count);
  return calendar.lastDays(365, now).map((date) => ({ date, count: counts.get(date) ?? 0 }));
}

/** Days with commits in the team's zone, oldest first; merge commits are excluded. */
export function commitDays(commits: readonly Commit[], calendar: Calendar): { date: Day; count: number }[] {
  return [...Map.groupBy(commits.filter(isWork), ({ authoredAt }) => calendar.getDay(authoredAt))]
    .map(([date, own]) => ({ date, count: own.length }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

export interface CommitActivity {
  /** Commits of the last 90 days without merges: the sample of hours and weekends. */
  totalCommits: number;
  /** Twelve weeks, oldest first; the last one is running. */
  weeklyCommits: { weekStart: Day; count: number; partial: boolean }[];
  /** Distinct days with a commit in the last four spans of seven days, the latest first; null of one not all read. */
  activeDaysPerWeek: (number | null)[];
  /** 24 counts by hour of the team's zone. */
  commitHourDistribution: number[];
  afterHoursCommits: number;
  weekendCommits: number;
  /** Shares of the commits, 0–100. */
  afterHoursPct: number | null;
  weekendPct: number | null;
}

interface ReadWorkday extends Workday {
  /** Before it some commits may not have been read; none are lacking where it is not given. */
  completeFrom?: Instant | null;
}

/** When one person's commits of the last 90 days were written, by author time. */
export function commitActivity(commits: readonly Commit[], now: Instant, workday: ReadWorkday): CommitActivity {
  const { calendar } = workday;
  const window = lastDaysWindow(90, now);
  const own = commits.filter((commit) => isWork(commit) && isWithin(commit.authoredAt, window));
  const afterHours = own.filter(({ authoredAt }) => isAfterHours(authoredAt, workday)).length;
  const weekend = own.filter(({ authoredAt }) => isWeekend(authoredAt, workday)).length;
  return {
    totalCommits: own.length,
    weeklyCommits: weeklyCommits(own, now, calendar),
    activeDaysPerWeek: activeDays(own, now, workday),
    commitHourDistribution: Array.from(
      { length: 24 },
      (_, hour) => own.filter(({ authoredAt }) => calendar.getHour(authoredAt) === hour).length,
    ),
    afterHoursCommits: afterHours,
    weekendCommits: weekend,
    afterHoursPct: toInteger(percent(afterHours, own.length)),
    weekendPct: toInteger(percent(weekend, own.length)),
  };
}

function weeklyCommits(commits: readonly Commit[], now: Instant, calendar: Calendar, count = 12) {
  const running = getWeekStart(calendar.getDay(now));
  const weeks = Map.groupBy(commits, ({ authoredAt }) => getWeekStart(calendar.getDay(authoredAt)));
  return Array.from({ length: count }, (_, index) => {
    const weekStart = addDays(running, 7 * (index + 1 - count));
    return { weekStart, count: weeks.get(weekStart)?.length ?? 0, partial: weekStart === running };
  });
}

function activeDays(commits: readonly Commit[], now: Instant, { calendar, completeFrom }: ReadWorkday) {
  const active = new Set(commits.map(({ authoredAt }) => calendar.getDay(authoredAt)));
  const days = calendar.lastDays(28, now).reverse();
  const isRead = (day: Day) => calendar.getStart(day) >= (completeFrom ?? -Infinity);
  return [0, 7, 14, 21].map((from) => {
    const span = days.slice(from, from + 7);
    return span.every(isRead) ? span.filter((day) => active.has(day)).length : null;
  });
}

function isWork({ parents }: Commit): boolean {
  return parents <= 1;
}

function toInteger(value: number | null): number | null {
  return value === null ? null : roundTo(value, 0);
}
