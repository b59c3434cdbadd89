import { metric, type Verdict } from '../kernel/metric.ts';
import { isConclusive } from '../kernel/outcome.ts';
import { mean, median, quantile } from '../kernel/statistics.ts';
import { getDuration, latestAttempts, type MeasuredRun } from './workflow-runs.ts';

/** Mean duration of runs that passed or failed. */
export const averageDuration = metric<MeasuredRun>({
  key: 'average_duration',
  label: 'Average duration',
  unit: 'milliseconds',
  better: 'lower',
  source: 'runs that passed or failed',
  definition: 'Mean duration of the latest attempt. Excludes cancelled and skipped runs.',
  countsAmong: timed,
  value: (runs) => mean(runs.flatMap((run) => getDuration(run) ?? [])),
});

/** The duration of a run, where one number stands for the runs of a window. */
export const medianDuration = metric<MeasuredRun>({
  key: 'median_duration',
  label: 'Median duration',
  unit: 'milliseconds',
  better: 'lower',
  source: 'runs that passed or failed',
  definition: 'Median duration of the latest attempt. Excludes cancelled and skipped runs.',
  countsAmong: timed,
  value: (runs) => median(runs.flatMap((run) => getDuration(run) ?? [])),
});

/** The duration that 90 of 100 runs stay below. */
export const p90Duration = metric<MeasuredRun>({
  key: 'p90_duration',
  label: 'Duration, p90',
  unit: 'milliseconds',
  better: 'lower',
  source: 'runs that passed or failed',
  definition: '90th percentile of duration, with linear interpolation. Unreliable below 20 runs.',
  countsAmong: timed,
  value: (runs) =>
    quantile(
      runs.flatMap((run) => getDuration(run) ?? []),
      0.9,
    ),
});

/** The duration that 95 of 100 runs stay below. */
export const slowDuration = metric<MeasuredRun>({
  key: 'p95_duration',
  label: 'Duration, p95',
  unit: 'milliseconds',
  better: 'lower',
  source: 'runs that passed or failed',
  definition: '95th percentile of duration, with linear interpolation. Unreliable below 20 runs.',
  countsAmong: timed,
  value: (runs) =>
    quantile(
      runs.flatMap((run) => getDuration(run) ?? []),
      0.95,
    ),
});

function timed(runs: readonly MeasuredRun[]): (run: MeasuredRun) => Verdict {
  const latest = new Set(latestAttempts(runs));
  return (run) => {
    if (!latest.has(run)) return 'superseded by a later attempt of the same run';
    if (!isConclusive(run)) return 'neither passed nor failed';
    return getDuration(run) !== null || 'unknown duration';
  };
}
