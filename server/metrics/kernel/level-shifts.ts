import { groupBySeries, type Series } from '../runs/series.ts';
import { type Anomaly, type AnomalyQuestion, findOutliers } from './anomalies.ts';
import type { BaselineMetric, Direction } from './baseline.ts';
import { changePoints, shortestLevel } from './change-points.ts';
import type { WorkflowRun } from './facts.ts';
import { type Interval, medianInterval } from './intervals.ts';
import { median, roundTo } from './statistics.ts';

/**
 * Lasting changes in the times of one workflow's runs, given in any order: newest first, each event class by itself,
 * among the newest 1,000 runs of it. A change is reported when the ranks of at least ten runs on both sides
 * differ; until ten have come, when five in a row were anomalies; and in both cases only if it matters in time.
 */
export function findLevelShifts<Run extends WorkflowRun>(
  runs: readonly Run[],
  question: AnomalyQuestion<Run>,
): LevelShift<Run>[] {
  return groupBySeries(runs, question.defaultBranch)
    .flatMap(({ name, members }) => shiftsIn(members, name, question))
    .sort((a, b) => b.since.createdAt - a.since.createdAt || b.since.id - a.since.id);
}

/** A new level of a series that lasted. */
export interface LevelShift<Run> {
  metric: BaselineMetric;
  series: Series;
  direction: Direction;
  /** The first run on the new level; of a change no larger than the runs vary, give or take some runs. */
  since: Run;
  /** The fifth anomaly in a row, which made it certain at the time; null where only the later runs did. */
  seenWith: Run | null;
  /** Medians of the two levels. */
  fromMs: number;
  toMs: number;
  /** Of the old median, one decimal; null when that is 0. */
  changePct: number | null;
  /** About 95 % sure, in percent; null of a level with fewer than six runs or an end at 0. */
  changeInterval: Interval | null;
  /** The runs of the old level and of the new one, oldest first. */
  before: Run[];
  after: Run[];
}

interface History<Run> {
  runs: readonly Run[];
  values: readonly number[];
  metric: BaselineMetric;
}

const longestHistory = 1000;

function shiftsIn<Run extends WorkflowRun>(
  members: readonly Run[],
  series: Series,
  question: AnomalyQuestion<Run>,
): LevelShift<Run>[] {
  const { metric } = question;
  const timed = members
    .flatMap((run) => ({ run, ms: question.getValue(run) }))
    .flatMap(({ run, ms }) => (ms === null ? [] : { run, ms }))
    .slice(-longestHistory);
  const history = { runs: timed.map(({ run }) => run), values: timed.map(({ ms }) => ms), metric };
  const { streaks } = findOutliers(history.runs, question);
  return lasting(findBoundaries(history, streaks), history).map((level) => ({ metric, series, ...level }));
}

/** A place where the level may change. */
interface Boundary<Run> {
  /** Index of the first run after it. */
  at: number;
  streak: { direction: Direction; last: Run } | null;
  /** Known of anomalies in a row alone. */
  young: boolean;
}

/** Anomalies in a row are the beginning of a change that the ranks know as well once ten runs have followed. */
function findBoundaries<Run>(
  { runs, values }: History<Run>,
  streaks: readonly (readonly Anomaly<Run>[])[],
): Boundary<Run>[] {
  const seen = streaks.flatMap((streak) => {
    const [first, last] = [streak[0], streak.at(-1)];
    if (first === undefined || last === undefined) return [];
    const at = runs.indexOf(first.run);
    return [{ at, streak: { direction: first.direction, last: last.run }, young: true }];
  });
  const points = changePoints(values);
  const isNear = (point: number, { at }: { at: number }) => Math.abs(point - at) < shortestLevel;
  const young = seen.filter((one) => isNear(values.length, one) && !points.some((point) => isNear(point, one)));
  const known = points.map((at) => ({ at, streak: seen.find((one) => isNear(at, one))?.streak ?? null, young: false }));
  return [...known, ...young];
}

type Level<Run> = Omit<LevelShift<Run>, 'metric' | 'series'>;

/**
 * Removes the least significant change, one by one: without it the levels beside it are one, and others must hold
 * again.
 */
function lasting<Run>(boundaries: readonly Boundary<Run>[], history: History<Run>): Level<Run>[] {
  const levels = boundaries.map((boundary, index) => {
    const next = boundaries[index + 1]?.at;
    const level = levelFrom(boundary, boundaries[index - 1]?.at ?? 0, next ?? history.values.length, history);
    return { level, weight: boundary.young && level.seenWith === null ? 0 : computeWeight(level, history.metric) };
  });
  const weights = levels.map(({ weight }) => weight);
  const smallest = Math.min(...weights);
  if (smallest >= 1) return levels.map(({ level }) => level);
  return lasting(boundaries.toSpliced(weights.indexOf(smallest), 1), history);
}

function levelFrom<Run>(
  { at, streak }: Boundary<Run>,
  start: number,
  end: number,
  { runs, values }: History<Run>,
): Level<Run> {
  const [old, fresh] = [values.slice(start, at), values.slice(at, end)];
  const [fromMs, toMs, since] = [median(old), median(fresh), runs[at]];
  if (since === undefined || fromMs === null || toMs === null) throw new Error('a level has runs');
  const direction = toMs < fromMs ? 'low' : 'high';
  return {
    direction,
    since,
    seenWith: streak?.direction === direction ? streak.last : null,
    fromMs: roundTo(fromMs, 0),
    toMs: roundTo(toMs, 0),
    changePct: fromMs === 0 ? null : roundTo(100 * (toMs / fromMs - 1), 1),
    changeInterval: changeInterval(old, fresh),
    before: runs.slice(start, at),
    after: runs.slice(at, end),
  };
}

/** A change in multiples of the minimum that is reported. */
function computeWeight<Run>({ fromMs, toMs }: Level<Run>, metric: BaselineMetric): number {
  const { ms, share } = minChange[metric];
  return Math.abs(toMs - fromMs) / Math.max(ms, share * fromMs);
}

/** Two seconds on a run of ten are no news. */
const minChange: Record<BaselineMetric, { ms: number; share: number }> = {
  duration: { ms: 10_000, share: 0.05 },
  queue_wait: { ms: 20_000, share: 0.1 },
};

/** Of the ratio of two medians, from their own intervals (Zou, Donner 2008). */
function changeInterval(old: readonly number[], fresh: readonly number[]): Interval | null {
  const [from, to] = [logMedian(old), logMedian(fresh)];
  if (from === null || to === null) return null;
  const change = to.middle - from.middle;
  const down = Math.hypot(to.middle - to.low, from.high - from.middle);
  const up = Math.hypot(to.high - to.middle, from.middle - from.low);
  return { low: logToPercent(change - down), high: logToPercent(change + up) };
}

function logMedian(values: readonly number[]): { low: number; middle: number; high: number } | null {
  const [middle, interval] = [median(values), medianInterval(values)];
  if (middle === null || interval === null || interval.low <= 0) return null;
  return { low: Math.log(interval.low), middle: Math.log(middle), high: Math.log(interval.high) };
}

const logToPercent = (change: number) => roundTo(100 * Math.expm1(change), 1);
