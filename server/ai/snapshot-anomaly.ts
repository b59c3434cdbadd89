import type { Context } from '../access/context.ts';
import { findAnomalies } from '../metrics/kernel/anomalies.ts';
import type { BaselineMetric } from '../metrics/kernel/baseline.ts';
import type { LiveWorkflowRun, RepositoryName } from '../metrics/kernel/facts.ts';
import { mean, roundTo, sampleDeviation } from '../metrics/kernel/statistics.ts';
import { comparableWait } from '../metrics/runs/queue-wait.ts';
import { groupBySeries } from '../metrics/runs/series.ts';
import { getDuration } from '../metrics/runs/workflow-runs.ts';
import { iso } from '../reports/kernel/instants.ts';
import { cleanName } from './names.ts';
import { getNames, listBranches, readWorkflow, type WorkflowReading } from './snapshot-reading.ts';

/** All that is sent about unusual runs; contract of the service, section 5.4. Times in ms. */
export interface AnomalySnapshot {
  workflow_name: string | null;
  repo: string;
  metric: BaselineMetric;
  /** Of the runs of the same class of event as the newest outlier, outliers excluded. */
  baseline: { mean_ms: number; stddev_ms: number; sample_size: number } | null;
  /** At most five, newest first. */
  outliers: {
    run_number: number;
    date: string;
    value_ms: number;
    /** null where the baseline does not vary. */
    z_score: number | null;
    trigger: string;
  }[];
  concurrent_signals: {
    workflow_file_changes?: string[] | null;
    trigger_mix: { trigger: string; runs: number }[];
  };
  total_runs_analysed: number;
}

/** Reads the newest runs of a workflow. Throws the problems of the platform. */
export const readAnomalies = async (
  { metric, ...input }: RepositoryName & { workflow_id: number; metric: BaselineMetric },
  context: Context,
): Promise<AnomalySnapshot> => anomalySnapshot(await readWorkflow(input, context), metric);

const maxOutliers = 5;
const maxTriggers = 10;

/** The runs that the page of the workflow lists as unusual, against the others of their kind. */
export function anomalySnapshot(reading: WorkflowReading, metric: BaselineMetric): AnomalySnapshot {
  const { runs, repository, fileChanges } = reading;
  const { defaultBranch } = repository;
  const branches = listBranches(runs, repository);
  const getValue = measureTime[metric](runs);
  const { anomalies } = findAnomalies(runs, { metric, getValue, defaultBranch });
  const unusual = new Set(anomalies.map(({ run }) => run));
  const kinds = groupBySeries(runs, defaultBranch).map(({ members }) => ({
    members: new Set(members),
    baseline: computeBaseline(members.filter((run) => !unusual.has(run)).flatMap((run) => getValue(run) ?? [])),
  }));
  const usualFor = (run: LiveWorkflowRun) => kinds.find(({ members }) => members.has(run))?.baseline ?? null;
  const newest = anomalies.slice(0, maxOutliers);
  return {
    ...getNames(reading),
    metric,
    baseline: newest[0] ? roundedBaseline(usualFor(newest[0].run)) : null,
    outliers: newest.map(({ run, valueMs }) => ({
      run_number: run.runNumber,
      date: iso(run.createdAt),
      value_ms: valueMs,
      z_score: computeScore(valueMs, usualFor(run)),
      trigger: cleanName(run.event, branches),
    })),
    concurrent_signals: {
      ...(fileChanges !== undefined && { workflow_file_changes: fileChanges }),
      trigger_mix: triggerMix(runs, branches),
    },
    total_runs_analysed: runs.length,
  };
}

const measureTime: Record<
  BaselineMetric,
  (runs: readonly LiveWorkflowRun[]) => (run: LiveWorkflowRun) => number | null
> = {
  duration: () => getDuration,
  queue_wait: comparableWait,
};

interface Usual {
  mean: number;
  deviation: number;
  sample: number;
}

function computeBaseline(values: readonly number[]): Usual | null {
  const [middle, deviation] = [mean(values), sampleDeviation(values)];
  return middle === null || deviation === null ? null : { mean: middle, deviation, sample: values.length };
}

const roundedBaseline = (usual: Usual | null): AnomalySnapshot['baseline'] =>
  usual && {
    mean_ms: roundTo(usual.mean, 0),
    stddev_ms: roundTo(usual.deviation, 0),
    sample_size: usual.sample,
  };

/** Below a deviation of 1 ms a distance in deviations is meaningless. */
const computeScore = (valueMs: number, usual: Usual | null): number | null =>
  usual === null || usual.deviation < 1 ? null : roundTo((valueMs - usual.mean) / usual.deviation, 1);

const triggerMix = (runs: readonly LiveWorkflowRun[], branches: readonly string[]) =>
  [...Map.groupBy(runs, ({ event }) => cleanName(event, branches))]
    .map(([trigger, started]) => ({ trigger, runs: started.length }))
    .sort((a, b) => b.runs - a.runs || a.trigger.localeCompare(b.trigger, 'en'))
    .slice(0, maxTriggers);
