import type { Instant, WorkflowJob } from '../kernel/facts.ts';
import { getOutcome } from '../kernel/outcome.ts';
import { mean, median, percent, roundTo } from '../kernel/statistics.ts';
import { dayMs } from '../kernel/window.ts';
import { compareLogins, type People } from '../people/people.ts';
import type { Calendar } from '../people/workday-hours.ts';
import { withoutNulls } from '../pull-requests/pull-requests.ts';
import { getQueueWait } from './queue-wait.ts';
import { distinctAttempts, getDuration, latestAttempts, type MeasuredRun } from './workflow-runs.ts';

export interface TeamRunsRow {
  login: string;
  avatarUrl: string;
  isBot: boolean;
  linkedLogins: string[];
  /** All completed ones, also those that neither passed nor failed. */
  totalRuns: number;
  success: number;
  failure: number;
  /** 0–100. */
  successRate: number | null;
  avgDurationMs: number | null;
  medianDurationMs: number | null;
  avgQueueWaitMs: number | null;
  lastRunAt: Instant | null;
  /** Runs by weekday of creation, 0 = Sunday. */
  activityByDow: number[];
  /** Runs by hour of creation, 0–23. */
  activityByHour: number[];
  /** The earliest of the busiest. */
  busiestHour: number | null;
  /** Attempts after the first that this person started. */
  rerunsTriggered: number;
}

export interface TeamRuns {
  contributors: TeamRunsRow[];
  /** The human with most runs. */
  topContributor: string | null;
  /** The human with the highest success rate over at least five runs that passed or failed. */
  mostReliable: string | null;
  totalRuns: number;
  /** Scheduled, or by a deleted account: nobody's runs. */
  unattributedRuns: number;
  /** From the oldest run to now in days, at least 1. */
  periodDays: number;
}

export interface TeamRunsScope {
  now: Instant;
  calendar: Calendar;
  people: People;
}

/** Completed runs per person who caused them. */
export function teamRuns(
  attempts: readonly MeasuredRun[],
  { now, calendar, people }: TeamRunsScope,
  jobs: readonly WorkflowJob[] = [],
): TeamRuns {
  const runs = latestAttempts(attempts).filter(({ status }) => status === 'completed');
  const attributed = runs.filter(({ actor, event }) => actor !== null && event !== 'schedule');
  const byPerson = Map.groupBy(attributed, ({ actor }) => actor && people.toKey(actor));
  const reruns = distinctAttempts(attempts).filter(({ attempt }) => attempt > 1);
  const jobsOfRun = Map.groupBy(jobs, ({ runId }) => runId);
  const contributors = [...people.roster(attributed.map(({ actor }) => actor)).values()]
    .map(({ key, login, avatarUrl, isBot, linkedLogins }): TeamRunsRow => {
      const own = byPerson.get(key) ?? [];
      const rerunsTriggered = reruns.filter(
        ({ triggeringActor }) => triggeringActor !== null && people.toKey(triggeringActor) === key,
      ).length;
      const figures = computeFigures(own, calendar, (run) => jobsOfRun.get(run.id) ?? []);
      return { login, avatarUrl, isBot, linkedLogins, ...figures, rerunsTriggered };
    })
    .sort((a, b) => b.totalRuns - a.totalRuns || compareLogins(a.login, b.login));
  const oldest = Math.min(now, ...runs.map(({ createdAt }) => createdAt));
  return {
    contributors,
    topContributor: contributors.find(({ isBot }) => !isBot)?.login ?? null,
    mostReliable: findMostReliable(contributors),
    totalRuns: runs.length,
    unattributedRuns: runs.length - attributed.length,
    periodDays: Math.max(1, Math.ceil((now - oldest) / dayMs)),
  };
}

function computeFigures(
  runs: readonly MeasuredRun[],
  calendar: Calendar,
  getJobs: (run: MeasuredRun) => WorkflowJob[],
) {
  const success = runs.filter((run) => getOutcome(run) === 'pass').length;
  const failure = runs.filter((run) => getOutcome(run) === 'fail').length;
  const durations = withoutNulls(runs.map((run) => getDuration(run, getJobs(run))));
  const hours = runs.map(({ createdAt }) => calendar.getHour(createdAt));
  const activityByHour = tally(hours, 24);
  const busiest = Math.max(...activityByHour);
  return {
    totalRuns: runs.length,
    success,
    failure,
    successRate: toInteger(percent(success, success + failure)),
    avgDurationMs: toInteger(mean(durations)),
    medianDurationMs: toInteger(median(durations)),
    avgQueueWaitMs: toInteger(mean(withoutNulls(runs.map((run) => getQueueWait(run, getJobs(run)).ms)))),
    lastRunAt: runs.length === 0 ? null : Math.max(...runs.map(({ createdAt }) => createdAt)),
    activityByDow: tally(
      runs.map(({ createdAt }) => calendar.getWeekday(createdAt)),
      7,
    ),
    activityByHour,
    busiestHour: busiest === 0 ? null : activityByHour.indexOf(busiest),
  };
}

function findMostReliable(rows: readonly TeamRunsRow[]): string | null {
  const [best] = rows
    .filter(({ isBot, success, failure }) => !isBot && success + failure >= 5)
    .sort(
      (a, b) =>
        b.success * (a.success + a.failure) - a.success * (b.success + b.failure) ||
        b.totalRuns - a.totalRuns ||
        compareLogins(a.login, b.login),
    );
  return best?.login ?? null;
}

function tally(values: readonly number[], size: number): number[] {
  const counts: number[] = Array(size).fill(0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function toInteger(value: number | null): number | null {
  return value === null ? null : roundTo(value, 0);
}
