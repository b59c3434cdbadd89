import { metric, type Verdict } from '../kernel/metric.ts';
import { isConclusive } from '../kernel/outcome.ts';
import { mean, median, quantile } from '../kernel/statistics.ts';
import { getDuration, latestAttempts, type MeasuredRun } from './workflow-runs.ts';

const about = {
  unit: 'milliseconds',
  better: 'lower',
  source: 'runs that passed or failed',
  countsAmong: timed,
} as const;

/** Mean duration of runs that passed or failed. */
export const averageDuration = metric<MeasuredRun>({
  ...about,
  key: 'average_duration',
  label: 'Average duration',
  definition: 'Mean duration of the latest attempt. Excludes cancelled and skipped runs.',
  value: (runs) => mean(listDurations(runs)),
});

const typical = {
  ...about,
  label: 'Median duration',
  definition: 'Median duration of the latest attempt. Excludes cancelled and skipped runs.',
  value: (runs: readonly MeasuredRun[]) => median(listDurations(runs)),
};

/** The duration of a run, where one number stands for the runs of a window. */
export const medianDuration = metric<MeasuredRun>({ ...typical, key: 'median_duration' });

/** The same of the newest runs of one workflow. */
export const workflowMedianDuration = metric<MeasuredRun>({ ...typical, key: 'workflow_median_duration' });

const atPercentile = (percentile: number) => ({
  ...about,
  label: `Duration, p${percentile}`,
  definition: `${percentile}th percentile of duration, with linear interpolation. Unreliable below 20 runs.`,
  value: (runs: readonly MeasuredRun[]) => quantile(listDurations(runs), percentile / 100),
});

/** The duration that 90 of 100 runs stay below. */
export const p90Duration = metric<MeasuredRun>({ ...atPercentile(90), key: 'p90_duration' });

/** The same of the newest runs of one workflow. */
export const workflowP90Duration = metric<MeasuredRun>({ ...atPercentile(90), key: 'workflow_p90_duration' });

/** The duration that 95 of 100 runs stay below. */
export const slowDuration = metric<MeasuredRun>({ ...atPercentile(95), key: 'p95_duration' });

/** Known durations, in ms. */
export const listDurations = (runs: readonly MeasuredRun[]) => runs.flatMap((run) => getDuration(run) ?? []);

function timed(runs: readonly MeasuredRun[]): (run: MeasuredRun) => Verdict {
  const latest = new Set(latestAttempts(runs));
  return (run) => {
    if (!latest.has(run)) return 'superseded by a later attempt of the same run';
    if (!isConclusive(run)) return 'neither passed nor failed';
    return getDuration(run) !== null || 'unknown duration';
  };
}
