import type { Instant } from '../metrics/kernel/facts.ts';
import { getOutcome, isConclusive } from '../metrics/kernel/outcome.ts';
import { computePercent, quantile } from '../metrics/kernel/statistics.ts';
import { inUnit, minuteMs } from '../metrics/kernel/window.ts';
import { createdIn, endedBy, firstEndedBy, type RunHistory } from '../metrics/runs/history.ts';
import { getQueueWait } from '../metrics/runs/queue-wait.ts';
import { failureStreak, getDuration, isDefaultBranchRun, type MeasuredRun } from '../metrics/runs/workflow-runs.ts';
import { alertMetric, type Evaluation, getWindow } from './metric.ts';
import { isOutlying, type OutlierFacts, runsWithPlaces } from './outlying-runs.ts';
import {
  endedRuns,
  lookBackMs,
  lookBackRuns,
  type RunFacts,
  type RunSource,
  readRuns,
  runsWithBranch,
  whereAllAreKnown,
} from './run-facts.ts';

const ofRuns = { group: 'ci', dataSource: 'workflow-runs' } as const;

/** 100·failed/(failed + passed) over the runs created in the window that ended in one of them. */
export const failureRate = alertMetric({
  ...ofRuns,
  key: 'failure_rate',
  definition: 'Share of runs that failed, of those created in the window that passed or failed.',
  label: 'Failure rate',
  unit: 'percent',
  minSample: 5,
  load: readRuns,
  measure: whereAllAreKnown((facts, at) => {
    const runs = endedRuns(facts, at).filter(isConclusive);
    return { value: computePercent(runs, (run) => getOutcome(run) === 'fail'), sample: runs.length };
  }),
});

/** 100·cancelled/completed over the runs created in the window that ended. */
export const cancelledShare = alertMetric({
  ...ofRuns,
  key: 'cancelled_share',
  definition: 'Share of runs that were cancelled, of those created in the window that completed.',
  label: 'Cancelled runs',
  unit: 'percent',
  minSample: 10,
  load: readRuns,
  measure: whereAllAreKnown((facts, at) => {
    const runs = endedRuns(facts, at);
    return { value: computePercent(runs, ({ conclusion }) => conclusion === 'cancelled'), sample: runs.length };
  }),
});

/** 95th percentile, interpolated, of start to end over the runs created in the window that ended, however they did. */
export const slowDuration = alertMetric({
  ...ofRuns,
  key: 'duration_p95',
  definition: '95th percentile of the duration of the runs created in the window that completed, with any outcome.',
  label: 'Duration, p95',
  unit: 'minutes',
  minSample: 5,
  load: readRuns,
  measure: whereAllAreKnown((facts, at) => slowest(endedRuns(facts, at), getDuration)),
});

/** The same of the wait for a runner of first attempts; no wait counts as 0. */
export const slowQueueWait = alertMetric({
  ...ofRuns,
  key: 'queue_wait_p95',
  definition: '95th percentile of the wait for a runner of first attempts, over the runs created in the window.',
  label: 'Queue wait, p95',
  unit: 'minutes',
  minSample: 5,
  load: readRuns,
  measure: whereAllAreKnown(({ runs }, at) => {
    const first = createdIn(runs, getWindow(at)).flatMap((run) => firstEndedBy(run, at.now) ?? []);
    return slowest(first, (run) => getQueueWait(run).ms);
  }),
});

interface BranchFacts extends RunFacts {
  /** Those on the default branch by workflow, oldest first. */
  workflows: readonly (readonly RunHistory[])[];
}

/**
 * Failed runs in a row, from the newest that passed or failed back, of the workflow on the default branch that has
 * most. Looks at the newest 100 runs of each that ran in the last 90 days; the window does not matter. Where it goes
 * back to what was not read, it is at least so long.
 */
export const failingStreak = alertMetric<BranchFacts, RunSource>({
  ...ofRuns,
  key: 'failure_streak',
  definition:
    'Consecutive failures on the default branch of the workflow that has most, among its newest 100 runs of 90 days.',
  label: 'Consecutive failures',
  unit: 'count',
  minSample: 1,
  isPointInTime: true,
  async load(range, source) {
    const facts = await runsWithBranch(range, source);
    const isOnBranch = ({ attempts: [first] }: RunHistory) =>
      first !== undefined && isDefaultBranchRun(first.run, range.defaultBranch);
    const own = Map.groupBy(facts.runs.filter(isOnBranch), ({ workflowId }) => workflowId);
    return { ...facts, workflows: [...own.values()] };
  },
  measure({ workflows, reached, gap }, { now }) {
    const known = workflows.flatMap((runs) => findStreak(runs, now, reached) ?? []);
    const [longest] = known.sort((a, b) => b.value - a.value || a.workflowId - b.workflowId);
    const mayBeLonger = known.some(({ isOpen }) => isOpen) ? { incomplete: gap } : {};
    if (!longest || longest.sample === 0) return { value: null, sample: 0, ...mayBeLonger };
    const { value, sample, workflowId, workflow } = longest;
    const details = { workflow_id: workflowId, ...(workflow !== null && { workflow }) };
    return { value, sample, details, ...mayBeLonger };
  },
});

/**
 * Runs of the window that ended far from the twenty before them in their workflow: in duration, or with a longer wait
 * for a runner. The sample is the runs for which that is known.
 */
export const outlierCount = alertMetric({
  ...ofRuns,
  key: 'anomaly_count',
  definition:
    'Runs of the window whose duration or queue wait is far from that of the twenty runs before them in the same workflow.',
  label: 'Unusual runs',
  unit: 'count',
  minSample: 1,
  load: runsWithPlaces,
  measure: whereAllAreKnown<OutlierFacts>((facts, at) => {
    const judged = endedRuns(facts, at).flatMap((run) => {
      const verdict = isOutlying(facts, run, at.now);
      return verdict === null ? [] : { run, verdict };
    });
    const outliers = judged.filter(({ verdict }) => verdict);
    const newest = outliers.at(-1)?.run;
    const value = judged.length === 0 ? null : outliers.length;
    return { value, sample: judged.length, ...(newest && { details: toDetails(newest) }) };
  }),
});

/** In minutes. The details name the run with the largest value. */
function slowest(runs: readonly MeasuredRun[], measureMs: (run: MeasuredRun) => number | null): Evaluation {
  const values: number[] = [];
  let highest: { run: MeasuredRun; ms: number } | null = null;
  for (const run of runs) {
    const ms = measureMs(run);
    if (ms === null) continue;
    values.push(ms);
    if (highest === null || ms > highest.ms) highest = { run, ms };
  }
  const value = quantile(values, 0.95);
  if (value === null || highest === null) return { value: null, sample: 0 };
  return { value: inUnit(value, minuteMs), sample: values.length, details: toDetails(highest.run) };
}

const toDetails = ({ id, runNumber, workflowName }: MeasuredRun) => ({
  run_id: id,
  run_number: runNumber,
  ...(workflowName !== null && { workflow: workflowName }),
});

interface Streak {
  value: number;
  sample: number;
  workflowId: number;
  workflow: string | null;
  /** It goes back to where runs were not read. */
  isOpen: boolean;
}

/** null where no run of the workflow passed or failed. */
function findStreak(runs: readonly RunHistory[], now: Instant, reached: Instant): Streak | null {
  const looked = createdIn(runs, { from: now - lookBackMs, to: now - 1 }).slice(-lookBackRuns);
  const newest = looked.flatMap((run) => endedBy(run, now) ?? []).at(-1);
  if (!newest) return null;
  const known = looked.filter(({ createdAt }) => createdAt >= reached).flatMap((run) => endedBy(run, now) ?? []);
  const { value, sample } = failureStreak(known);
  const oldest = looked[0]?.createdAt ?? now;
  const isComplete = reached <= (looked.length < lookBackRuns ? now - lookBackMs : oldest);
  const streak = { value: value ?? 0, sample, isOpen: !isComplete && (value ?? 0) === sample };
  return value === null && !streak.isOpen ? null : { ...streak, ...named(newest) };
}

const named = ({ workflowId, workflowName: workflow }: MeasuredRun) => ({ workflowId, workflow });
