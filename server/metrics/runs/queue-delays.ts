import { metric, type Verdict } from '../kernel/metric.ts';
import { mean, median, quantile, roundTo } from '../kernel/statistics.ts';
import { minuteMs } from '../kernel/window.ts';
import type { Calendar } from '../people/workday-hours.ts';
import { getQueueWait } from './queue-wait.ts';
import { latestAttempts, type MeasuredRun } from './workflow-runs.ts';

/** A run that waited longer than this for a runner was delayed. */
export const delayMs = 5 * minuteMs;

const about = {
  better: 'lower',
  source: 'runs with known queue wait',
  countsAmong: waited,
} as const;

/** Runs that waited more than five minutes. */
export const delayedRuns = metric<MeasuredRun>({
  ...about,
  key: 'delayed_runs',
  label: 'Delayed runs',
  unit: 'count',
  definition: 'Runs that waited more than five minutes for a runner. Re-runs without job data are excluded.',
  value: (runs) => listWaits(runs).filter(isDelay).length,
});

/** Sum of the waits of delayed runs. */
export const wastedQueue = metric<MeasuredRun>({
  ...about,
  key: 'wasted_queue',
  label: 'Time lost in the queue',
  unit: 'milliseconds',
  definition: 'Total queue wait of runs that waited more than five minutes for a runner.',
  value: (runs) => sum(listWaits(runs).filter(isDelay)),
});

const ofOneRun =
  'of the first jobs of a run, or where these are not stored, from its creation to its start, which misses most of it. Re-runs without job data are excluded.';

const typical = {
  ...about,
  label: 'Queue wait',
  unit: 'milliseconds',
  definition: `Median wait for a runner ${ofOneRun}`,
  value: (runs: readonly MeasuredRun[]) => median(listWaits(runs)),
} as const;

/** The queue wait of the newest runs of one workflow, wherever one number represents it. */
export const queueWait = metric<MeasuredRun>({ ...typical, key: 'queue_wait' });

/** The same of the runs of a window. */
export const scopeQueueWait = metric<MeasuredRun>({ ...typical, key: 'scope_queue_wait' });

export const highQueueWait = metric<MeasuredRun>({
  ...about,
  key: 'p90_queue_wait',
  label: 'Queue wait, p90',
  unit: 'milliseconds',
  definition: '90th percentile of queue wait, with linear interpolation. Unreliable below 20 runs.',
  value: (runs) => quantile(listWaits(runs), 0.9),
});

/** Mean wait. */
export const averageQueueWait = metric<MeasuredRun>({
  ...about,
  key: 'average_queue_wait',
  label: 'Average queue wait',
  unit: 'milliseconds',
  definition: `Mean wait for a runner ${ofOneRun}`,
  value: (runs) => mean(listWaits(runs)),
});

export const slowQueueWait = metric<MeasuredRun>({
  ...about,
  key: 'p95_queue_wait',
  label: 'Queue wait, p95',
  unit: 'milliseconds',
  definition: '95th percentile of queue wait, with linear interpolation. Unreliable below 20 runs.',
  value: (runs) => quantile(listWaits(runs), 0.95),
});

export interface WaitBin {
  /** Waits below this many ms and not below the bound before; null has no end. */
  belowMs: number | null;
  runs: number;
}

/** How many runs waited how long. */
export function waitHistogram(runs: readonly MeasuredRun[]): WaitBin[] {
  const waits = listWaits(latestAttempts(runs));
  const ends = [...bounds, Number.POSITIVE_INFINITY];
  return ends.map((end, index) => ({
    belowMs: Number.isFinite(end) ? end : null,
    runs: waits.filter((wait) => wait < end && wait >= (ends[index - 1] ?? 0)).length,
  }));
}

const bounds = [10_000, 30_000, minuteMs, 2 * minuteMs, 5 * minuteMs, 10 * minuteMs];

export interface BranchWait {
  branch: string | null;
  /** With a known wait. */
  runs: number;
  waitMs: number;
  delayed: number;
}

/** The ten branches whose runs waited longest in sum. */
export function branchWaits(runs: readonly MeasuredRun[]): BranchWait[] {
  const known = latestAttempts(runs).filter((run) => getQueueWait(run).ms !== null);
  return [...Map.groupBy(known, ({ headBranch }) => headBranch)]
    .map(([branch, own]) => {
      const waits = listWaits(own);
      return { branch, runs: own.length, waitMs: sum(waits), delayed: waits.filter(isDelay).length };
    })
    .sort((a, b) => b.waitMs - a.waitMs || b.runs - a.runs || byText(a.branch ?? '', b.branch ?? ''))
    .slice(0, 10);
}

/** Minutes waited by weekday of creation (0 = Sunday) and hour of the zone; null where no wait is known. */
export function waitHours(runs: readonly MeasuredRun[], calendar: Calendar): (number | null)[][] {
  const known = latestAttempts(runs).filter((run) => getQueueWait(run).ms !== null);
  const hours = Map.groupBy(
    known,
    ({ createdAt }) => 24 * calendar.getWeekday(createdAt) + calendar.getHour(createdAt),
  );
  const minutes = (hour: number) => {
    const own = hours.get(hour);
    return own === undefined ? null : roundTo(sum(listWaits(own)) / minuteMs, 0);
  };
  return Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_, hour) => minutes(24 * day + hour)));
}

function waited(runs: readonly MeasuredRun[]): (run: MeasuredRun) => Verdict {
  const latest = new Set(latestAttempts(runs));
  return (run) => {
    if (!latest.has(run)) return 'superseded by a later attempt of the same run';
    if (getQueueWait(run).ms !== null) return true;
    if (run.attempt > 1) return 'a re-run without job data';
    return run.status === 'completed' ? 'unknown wait' : 'has not started';
  };
}

/** Known waits, in ms. */
export const listWaits = (runs: readonly MeasuredRun[]) => runs.flatMap((run) => getQueueWait(run).ms ?? []);
const byText = (a: string, b: string) => Number(a > b) - Number(a < b);
const isDelay = (wait: number) => wait > delayMs;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
