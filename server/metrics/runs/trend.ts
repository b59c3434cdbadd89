import type { Instant, WorkflowRun } from '../kernel/facts.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import type { Calendar, Day } from '../people/workday-hours.ts';
import { latestAttempts } from './workflow-runs.ts';

export interface TrendDay {
  date: Day;
  success: number;
  /** Conclusive runs created that day. */
  total: number;
  /** False where runs may be missing because reading stopped: such a day is not a quiet day. */
  covered: boolean;
}

export interface TrendWindow {
  now: Instant;
  calendar: Calendar;
  /** True when the list of runs ended, so that nothing older exists. */
  complete: boolean;
  days?: number;
}

/** One entry per day of the team's zone, oldest first, ending today; days without runs are 0. */
export function runTrend(
  runs: readonly WorkflowRun[],
  { now, calendar, complete, days = 30 }: TrendWindow,
): TrendDay[] {
  const trend: TrendDay[] = calendar
    .lastDays(days, now)
    .map((date) => ({ date, success: 0, total: 0, covered: complete }));
  const byDay = new Map(trend.map((day) => [day.date, day]));
  for (const run of latestAttempts(runs).filter(isConclusive)) {
    const day = byDay.get(calendar.getDay(run.createdAt));
    if (day === undefined) continue;
    day.total += 1;
    if (getOutcome(run) === 'pass') day.success += 1;
  }
  const oldest = oldestDay(runs, calendar);
  for (const day of trend) day.covered ||= oldest !== null && day.date > oldest;
  return trend;
}

function oldestDay(runs: readonly WorkflowRun[], calendar: Calendar): Day | null {
  let oldest: Instant | null = null;
  for (const { createdAt } of runs) oldest = oldest === null ? createdAt : Math.min(oldest, createdAt);
  return oldest === null ? null : calendar.getDay(oldest);
}
