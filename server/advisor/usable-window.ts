import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import type { RecordedAttempt } from './history.ts';

/** Whole UTC days of which the jobs are stored; contract of the advisor, section 1.1. */
export interface UsableWindow {
  /** Start of the first day. */
  from: Instant;
  /** End of the last day, which is yesterday's. */
  to: Instant;
  coveredDays: number;
  /** Starts of uncovered days within it; what arrived on them is left out. */
  leftOut: Instant[];
}

/** How much of the days that were looked at is known. */
export interface WindowReading {
  /** null when fewer than 28 days are covered. */
  usable: UsableWindow | null;
  /** Covered days up to yesterday, also where they are too few. */
  coveredDays: number;
  /** Completed attempts of the days looked at, and those of which all jobs are stored. */
  attemptsExpected: number;
  attemptsKnown: number;
}

const minCoveredDays = 28;
const maxUncoveredDays = 2;
/** Of the completed attempts of a day. */
const coveredShare = 0.98;

/** Of all days that are looked at; contract of the advisor, section 3.9. */
const maxJobs = 100_000;

/**
 * How many of the newest `days` are looked at: fewer where they have more than 100,000 jobs, so that it has an end.
 * Attempts are in their order.
 */
export function daysWithin(attempts: readonly RecordedAttempt[], days: number, now: Instant): number {
  let jobs = 0;
  const first = attempts.findLast((attempt) => {
    jobs += attempt.jobs?.length ?? 0;
    return jobs > maxJobs;
  });
  const fitting = first === undefined ? days : Math.floor(now / dayMs) - Math.floor(first.arrivedAt / dayMs) - 1;
  return Math.max(0, Math.min(days, fitting));
}

/**
 * Finds the longest run of days up to yesterday with at most two uncovered ones, among the newest `days`. Attempts are
 * all that are known of the repository; days before the first of them lie outside.
 */
export function findUsableWindow(attempts: readonly RecordedAttempt[], days: number, now: Instant): WindowReading {
  const today = Math.floor(now / dayMs);
  const first = Math.floor(Math.min(now, ...attempts.slice(0, 1).map(({ arrivedAt }) => arrivedAt)) / dayMs);
  const from = Math.max(today - days, first);
  const inWindow = attempts.filter(({ arrivedAt, endedAt }) => {
    const day = Math.floor(arrivedAt / dayMs);
    return day >= from && day < today && endedAt !== null;
  });
  const byDay = Map.groupBy(inWindow, ({ arrivedAt }) => Math.floor(arrivedAt / dayMs));
  const uncovered: number[] = [];
  let start = today;
  for (let day = today - 1; day >= from && uncovered.length <= maxUncoveredDays; day--) {
    if (isCovered(byDay.get(day) ?? [])) start = day;
    else uncovered.push(day);
  }
  const leftOut = uncovered.filter((day) => day > start);
  const coveredDays = today - start - leftOut.length;
  const usable = {
    from: start * dayMs,
    to: today * dayMs,
    coveredDays,
    leftOut: leftOut.map((one) => one * dayMs).reverse(),
  };
  return {
    usable: coveredDays >= minCoveredDays ? usable : null,
    coveredDays,
    attemptsExpected: inWindow.length,
    attemptsKnown: inWindow.filter(({ jobs }) => jobs !== null).length,
  };
}

/** Starts of the days from `from` on, before `to`, on which the jobs of enough attempts are stored. */
export function coveredDaysBetween(attempts: readonly RecordedAttempt[], from: Instant, to: Instant): Instant[] {
  const byDay = Map.groupBy(
    attempts.filter(({ endedAt }) => endedAt !== null),
    ({ arrivedAt }) => Math.floor(arrivedAt / dayMs) * dayMs,
  );
  const all = Array.from({ length: Math.max(0, Math.floor((to - from) / dayMs)) }, (_, index) => from + index * dayMs);
  return all.filter((day) => isCovered(byDay.get(day) ?? []));
}

function isCovered(attempts: readonly RecordedAttempt[]): boolean {
  const known = attempts.filter(({ jobs }) => jobs !== null).length;
  return known >= coveredShare * attempts.length;
}

/** Starts of the covered days, in their order. */
export function coveredDaysOf({ from, to, leftOut }: UsableWindow): Instant[] {
  const all = Array.from({ length: Math.round((to - from) / dayMs) }, (_, index) => from + index * dayMs);
  return all.filter((day) => !leftOut.includes(day));
}

/** The attempts that arrived within the window on covered days and whose jobs are stored. */
export function attemptsWithin(attempts: readonly RecordedAttempt[], window: UsableWindow): RecordedAttempt[] {
  const leftOut = new Set(window.leftOut);
  return attempts.filter(
    ({ arrivedAt, jobs }) =>
      jobs !== null &&
      arrivedAt >= window.from &&
      arrivedAt < window.to &&
      !leftOut.has(Math.floor(arrivedAt / dayMs) * dayMs),
  );
}
