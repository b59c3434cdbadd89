import type { WorkflowRun } from '../kernel/facts.ts';
import { getOutcome } from '../kernel/outcome.ts';
import { mean, quantiles } from '../kernel/statistics.ts';
import { getQueueWait } from './queue-wait.ts';
import { getDuration } from './workflow-runs.ts';

type Ms = number | null;

export interface RunTotals {
  total: number;
  success: number;
  failure: number;
  cancelled: number;
  other: number;
  avgDurationMs: Ms;
  avgQueueMs: Ms;
  medianDurationMs: Ms;
  p90DurationMs: Ms;
  p95DurationMs: Ms;
}

/** What the rollups of a database count of these runs, each quantile exact. A run of no time at all is not timed. */
export function countRuns(runs: readonly WorkflowRun[]): RunTotals {
  const count = (holds: (run: WorkflowRun) => boolean) => runs.filter(holds).length;
  const durations = runs.flatMap((run) => getDuration(run) || []);
  const [median, p90, p95] = quantiles(durations, [0.5, 0.9, 0.95]).map(rounded) as [Ms, Ms, Ms];
  const success = count((run) => getOutcome(run) === 'pass');
  const failure = count((run) => getOutcome(run) === 'fail');
  const cancelled = count(({ conclusion }) => conclusion === 'cancelled');
  return {
    total: runs.length,
    success,
    failure,
    cancelled,
    other: runs.length - success - failure - cancelled,
    avgDurationMs: rounded(mean(durations)),
    avgQueueMs: rounded(mean(runs.flatMap((run) => getQueueWait(run).ms ?? []))),
    medianDurationMs: median,
    p90DurationMs: p90,
    p95DurationMs: p95,
  };
}

const rounded = (value: Ms): Ms => value && Math.round(value);
