import type { Instant } from '../kernel/facts.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import { computePercent, roundTo } from '../kernel/statistics.ts';
import type { Calendar, Day } from '../people/workday-hours.ts';
import { type OutcomeTally, tallyOutcomes } from './triggers.ts';
import { latestAttempts, type MeasuredRun, newestFirst } from './workflow-runs.ts';

/** Conclusive runs behind each point of the success rate. */
export const rollingRuns = 7;

export interface RollingPoint {
  runId: number;
  runNumber: number;
  /** Creation of the run. */
  at: Instant;
  /** Of this run and the six conclusive ones before it, 0–100; null while there are fewer. */
  successRate: number | null;
}

/** The success rate of seven runs after the other, oldest first. */
export function rollingSuccess(attempts: readonly MeasuredRun[]): RollingPoint[] {
  const runs = newestFirst(latestAttempts(attempts).filter(isConclusive)).reverse();
  return runs.map((run, index) => {
    const seven = runs.slice(Math.max(0, index + 1 - rollingRuns), index + 1);
    const rate = computePercent(seven, (one) => getOutcome(one) === 'pass');
    const successRate = rate === null || seven.length < rollingRuns ? null : roundTo(rate, 0);
    return { runId: run.id, runNumber: run.runNumber, at: run.createdAt, successRate };
  });
}

export interface CourseDay extends OutcomeTally {
  date: Day;
  /** False where runs may be missing because reading stopped: such a day is not a quiet day. */
  covered: boolean;
}

export interface CourseWindow {
  now: Instant;
  calendar: Calendar;
  /** True when there are no older runs. */
  isComplete: boolean;
}

/** Runs by day of creation in the zone, from the oldest run to today, at most the last 90 days, oldest first. */
export function courseDays(attempts: readonly MeasuredRun[], { now, calendar, isComplete }: CourseWindow): CourseDay[] {
  const runs = latestAttempts(attempts);
  const days = Map.groupBy(runs, ({ createdAt }) => calendar.getDay(createdAt));
  const oldest = [...days.keys()].sort()[0];
  if (oldest === undefined) return [];
  return calendar
    .lastDays(maxDays, now)
    .filter((date) => date >= oldest)
    .map((date) => ({ date, covered: isComplete || date > oldest, ...tallyOutcomes(days.get(date) ?? []) }));
}

const maxDays = 90;
