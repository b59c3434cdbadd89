import {
  type Baseline,
  baselineOf,
  type Direction,
  judge,
  longestPast,
  type Severity,
  type WatchedMetric,
} from './baseline.ts';
import type { WorkflowRun } from './facts.ts';
import { isConclusive, outcomeOf } from './outcome.ts';
import { median } from './statistics.ts';
import { latestAttempts, newestFirst } from './workflow-runs.ts';

export interface AnomalyQuestion<Run> {
  metric: WatchedMetric;
  /** The run's duration or queue wait in ms; null leaves the run out. */
  valueOf(run: Run): number | null;
  defaultBranch: string | null;
}

/** Looks for anomalies among the runs of one workflow, given in any order. Each run is held against its past alone. */
export function anomaliesOf<Run extends WorkflowRun>(
  runs: readonly Run[],
  question: AnomalyQuestion<Run>,
): AnomalyReport<Run> {
  const report: AnomalyReport<Run> = { anomalies: [], levelShifts: [], baselines: [] };
  for (const { name, members } of seriesOf(runs, question.defaultBranch)) {
    const { anomalies, levelShifts, past } = watch(members, question);
    report.anomalies.push(...anomalies);
    report.levelShifts.push(...levelShifts);
    report.baselines.push({ series: name, runs: members.length, baseline: baselineOf(past, question.metric) });
  }
  report.anomalies.sort((a, b) => newer(a.run, b.run));
  report.levelShifts.sort((a, b) => newer(a.seenWith, b.seenWith));
  return report;
}

export interface AnomalyReport<Run> {
  /** Newest first. */
  anomalies: Anomaly<Run>[];
  /** Newest first. */
  levelShifts: LevelShift<Run>[];
  /** What the next run of each series will be held against; null while its past is too short. */
  baselines: { series: Series; runs: number; baseline: Baseline | null }[];
}

/** A run far from what its own past let expect. */
export interface Anomaly<Run> {
  run: Run;
  metric: WatchedMetric;
  direction: Direction;
  /** Robust distance from the baseline, one decimal, never negative. */
  score: number;
  severity: Severity;
  valueMs: number;
  /** What was expected when the run came. */
  baseline: Baseline;
}

/** Five anomalies in a row in one direction: no outliers any more but a new level. */
export interface LevelShift<Run> {
  metric: WatchedMetric;
  direction: Direction;
  /** The first run on the new level. */
  since: Run;
  /** The run that made it certain. */
  seenWith: Run;
  fromMs: number;
  toMs: number;
}

export type EventClass = 'default_branch_push' | 'other' | 'pull_request' | 'schedule';

/** A class of events, or `mixed` for the classes too small to stand alone. */
export type Series = EventClass | 'mixed';

export function eventClassOf(run: WorkflowRun, defaultBranch: string | null): EventClass {
  if (run.event === 'pull_request' || run.event === 'schedule') return run.event;
  const isDefaultPush = run.event === 'push' && defaultBranch !== null && run.headBranch === defaultBranch;
  return isDefaultPush ? 'default_branch_push' : 'other';
}

const eventClasses: readonly EventClass[] = ['default_branch_push', 'pull_request', 'schedule', 'other'];
const smallestClass = 10;
const shiftLength = 5;

/** Conclusive runs, oldest first, by class of event. */
function seriesOf<Run extends WorkflowRun>(
  runs: readonly Run[],
  defaultBranch: string | null,
): { name: Series; members: Run[] }[] {
  const ordered = newestFirst(latestAttempts(runs).filter(isConclusive)).reverse();
  const classes = Map.groupBy(ordered, (run) => eventClassOf(run, defaultBranch));
  const large = eventClasses
    .map((name) => ({ name, members: classes.get(name) ?? [] }))
    .filter(({ members }) => members.length >= smallestClass);
  const alone = new Set<Series>(large.map(({ name }) => name));
  const mixed = ordered.filter((run) => !alone.has(eventClassOf(run, defaultBranch)));
  return mixed.length === 0 ? large : [...large, { name: 'mixed', members: mixed }];
}

interface Watched<Run> {
  anomalies: Anomaly<Run>[];
  levelShifts: LevelShift<Run>[];
  /** The newest values that were no anomalies. */
  past: number[];
}

function watch<Run extends WorkflowRun>(series: readonly Run[], question: AnomalyQuestion<Run>): Watched<Run> {
  const watched: Watched<Run> = { anomalies: [], levelShifts: [], past: [] };
  let streak: Anomaly<Run>[] = [];
  for (const run of series) {
    const valueMs = question.valueOf(run);
    if (valueMs === null) continue;
    const anomaly = anomalyOf(run, valueMs, watched.past, question.metric);
    if (anomaly === null) {
      streak = [];
      watched.past = [...watched.past, valueMs].slice(-longestPast);
      continue;
    }
    watched.anomalies.push(anomaly);
    streak = streak.at(-1)?.direction === anomaly.direction ? [...streak, anomaly] : [anomaly];
    if (streak.length < shiftLength) continue;
    // The baseline restarts with the runs that made the new level.
    watched.past = streak.map((member) => member.valueMs);
    watched.levelShifts.push(...levelShift(streak));
    streak = [];
  }
  return watched;
}

function anomalyOf<Run extends WorkflowRun>(
  run: Run,
  valueMs: number,
  past: readonly number[],
  metric: WatchedMetric,
): Anomaly<Run> | null {
  const judgement = judge(valueMs, past, metric);
  if (judgement === null || (judgement.direction === 'low' && outcomeOf(run) !== 'pass')) return null;
  const baseline = baselineOf(past, metric);
  return baseline && { run, metric, valueMs, baseline, ...judgement };
}

function levelShift<Run>(streak: readonly Anomaly<Run>[]): LevelShift<Run>[] {
  const first = streak[0];
  const last = streak.at(-1);
  const toMs = median(streak.map((member) => member.valueMs));
  if (first === undefined || last === undefined || toMs === null) return [];
  const { metric, direction, baseline, run: since } = first;
  return [{ metric, direction, since, seenWith: last.run, fromMs: baseline.medianMs, toMs }];
}

function newer(a: WorkflowRun, b: WorkflowRun): number {
  return b.createdAt - a.createdAt || b.id - a.id;
}
