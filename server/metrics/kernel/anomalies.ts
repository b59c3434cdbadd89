import { groupBySeries, type Series } from '../runs/series.ts';
import {
  type Baseline,
  type BaselineMetric,
  computeBaseline,
  computeBounds,
  computeCentre,
  type Direction,
  judge,
  judgeAgainst,
  longestPast,
  mayBeFar,
  type Severity,
} from './baseline.ts';
import type { WorkflowRun } from './facts.ts';
import { longestMemory, modeBeyond, toExpected } from './modes.ts';
import { getOutcome } from './outcome.ts';

export interface AnomalyQuestion<Run> {
  metric: BaselineMetric;
  /** The run's duration or queue wait in ms; null leaves the run out. */
  getValue(run: Run): number | null;
  defaultBranch: string | null;
}

/** Looks for anomalies among the runs of one workflow, given in any order. Each run is held against its past alone. */
export function findAnomalies<Run extends WorkflowRun>(
  runs: readonly Run[],
  question: AnomalyQuestion<Run>,
): AnomalyReport<Run> {
  const report: AnomalyReport<Run> = { anomalies: [], baselines: [] };
  for (const { name, members } of groupBySeries(runs, question.defaultBranch)) {
    const { anomalies, past } = findOutliers(members, question);
    report.anomalies.push(...anomalies);
    report.baselines.push({ series: name, runs: members.length, baseline: computeBaseline(past, question.metric) });
  }
  report.anomalies.sort((a, b) => b.run.createdAt - a.run.createdAt || b.run.id - a.run.id);
  return report;
}

export interface AnomalyReport<Run> {
  /** Newest first. */
  anomalies: Anomaly<Run>[];
  /** What the next run of each series will be held against; null while its past is too short. */
  baselines: { series: Series; runs: number; baseline: Baseline | null }[];
}

/** A run far from what its own past let expect. */
export interface Anomaly<Run> {
  run: Run;
  metric: BaselineMetric;
  direction: Direction;
  /** Robust distance from the baseline, one decimal, never negative. */
  score: number;
  severity: Severity;
  valueMs: number;
  /** What was expected when the run came: of the mode next to it, where the series has two. */
  baseline: Baseline;
}

export interface Findings<Run> {
  anomalies: Anomaly<Run>[];
  /** Five anomalies in a row in one direction: no outliers any more, so the baseline began anew with them. */
  streaks: Anomaly<Run>[][];
  /** The newest values of the main mode that were no anomalies. */
  past: readonly number[];
}

/** Holds each run of one series, oldest first, against those before it. */
export function findOutliers<Run extends WorkflowRun>(
  series: readonly Run[],
  question: AnomalyQuestion<Run>,
): Findings<Run> {
  const findings: Findings<Run> = { anomalies: [], streaks: [], past: [] };
  const seen: number[] = [];
  let streak: Anomaly<Run>[] = [];
  for (const run of series) {
    const valueMs = question.getValue(run);
    if (valueMs === null) continue;
    const verdict = verdictOn(run, valueMs, { past: findings.past, seen, metric: question.metric });
    seen.push(valueMs);
    if (verdict.anomaly === null) {
      streak = [];
      findings.past = verdict.past;
      continue;
    }
    findings.anomalies.push(verdict.anomaly);
    streak = streak.at(-1)?.direction === verdict.anomaly.direction ? [...streak, verdict.anomaly] : [verdict.anomaly];
    if (streak.length < shiftLength) continue;
    findings.past = streak.map((member) => member.valueMs);
    findings.streaks.push(streak);
    streak = [];
  }
  return findings;
}

const shiftLength = 5;

interface Known {
  past: readonly number[];
  /** All values so far, anomalies included. */
  seen: readonly number[];
  metric: BaselineMetric;
}

/** An anomaly leaves the past as it is; else the past of the run after this one. */
type RunVerdict<Run> = { anomaly: Anomaly<Run> } | { anomaly: null; past: readonly number[] };

/** Judges a run by the mode next to it. */
function verdictOn<Run extends WorkflowRun>(run: Run, valueMs: number, { past, seen, metric }: Known): RunVerdict<Run> {
  const centre = mayBeFar(valueMs, past) ? computeCentre(past) : null;
  const judgement = centre && judgeAgainst(centre, valueMs, metric);
  if (centre === null || judgement === null || (judgement.direction === 'low' && getOutcome(run) !== 'pass')) {
    return { anomaly: null, past: [...past.slice(past.length < longestPast ? 0 : 1), valueMs] };
  }
  const recent = seen.slice(-longestMemory);
  const mode = modeBeyond(recent, computeBounds(centre, metric), judgement.direction);
  const expected = expectedBy(mode, valueMs, past);
  const beyond = mode === null ? judgement : judge(valueMs, expected, metric);
  const baseline = beyond?.direction === judgement.direction ? computeBaseline(expected, metric) : null;
  if (beyond !== null && baseline !== null) {
    const sample = mode?.length ?? baseline.sample;
    return { anomaly: { run, metric, valueMs, baseline: { ...baseline, sample }, ...beyond } };
  }
  const isMain = mode !== null && mode.length > recent.length / 2;
  return { anomaly: null, past: isMain ? [...mode, valueMs].slice(-longestPast) : past };
}

function expectedBy(mode: readonly number[] | null, valueMs: number, past: readonly number[]): readonly number[] {
  if (mode === null) return past;
  return mayBeFar(valueMs, mode) ? toExpected(mode, past) : [];
}
