import { mad, median, roundTo } from './statistics.ts';

export type BaselineMetric = 'duration' | 'queue_wait';
export type Direction = 'high' | 'low';
export type Severity = 'moderate' | 'high' | 'extreme';

/** What a series' own past lets expect, in ms. */
export interface Baseline {
  medianMs: number;
  /** One robust standard deviation above the median, as a distance. */
  spreadMs: number;
  /** A value from here on is an anomaly. */
  highMs: number;
  /** A passed run at or below this is an anomaly; null where quick is no news (queue wait). */
  lowMs: number | null;
  /** Values behind it: 8–30, or from 5 on for a second mode. */
  sample: number;
}

/** How unusual a value is. */
export interface Judgement {
  direction: Direction;
  /** Robust distance from the median on a logarithmic scale, one decimal, never negative. */
  score: number;
  severity: Severity;
}

/** Beyond these many values the past no longer counts. */
export const longestPast = 30;

/** The baseline of past values in ms; null when there are fewer than eight. */
export function computeBaseline(past: readonly number[], metric: BaselineMetric): Baseline | null {
  const centre = computeCentre(past);
  if (centre === null) return null;
  const { log, spread, medianMs } = centre;
  const { highMs, lowMs } = computeBounds(centre, metric);
  return {
    medianMs: roundTo(medianMs, 0),
    spreadMs: roundTo(fromLog(log + spread) - fromLog(log), 0),
    highMs: roundTo(highMs, 0),
    lowMs: lowMs === null ? null : roundTo(lowMs, 0),
    sample: past.length,
  };
}

/** Judges a value in ms against past ones; null when it is nothing unusual or the past is too short. */
export function judge(valueMs: number, past: readonly number[], metric: BaselineMetric): Judgement | null {
  const centre = mayBeFar(valueMs, past) ? computeCentre(past) : null;
  return centre && judgeAgainst(centre, valueMs, metric);
}

/**
 * Judges a value in ms. Both hurdles must be taken: far on the scale of the series' own spread, and far enough in time
 * to matter.
 */
export function judgeAgainst(
  { log, spread, medianMs }: Centre,
  valueMs: number,
  metric: BaselineMetric,
): Judgement | null {
  const distance = (toLog(valueMs) - log) / spread;
  const isHigh = distance >= threshold && valueMs - medianMs >= minExcess(medianMs, metric);
  const isLow = metric === 'duration' && distance <= -threshold && valueMs <= medianMs * lowShare;
  if (!isHigh && !isLow) return null;
  const size = Math.abs(distance);
  return { direction: isHigh ? 'high' : 'low', score: roundTo(size, 1), severity: toSeverity(size) };
}

/** What past values in ms are spread around. */
export interface Centre {
  /** Median and robust standard deviation on the logarithmic scale. */
  log: number;
  spread: number;
  medianMs: number;
}

/** Null when there are fewer than eight values. */
export function computeCentre(past: readonly number[]): Centre | null {
  if (past.length < minBaseline) return null;
  const logs = past.map(toLog);
  const [log, medianMs] = [median(logs), median(past)];
  const deviation = mad(logs, log);
  if (log === null || deviation === null || medianMs === null) return null;
  return { log, spread: Math.max(normalScale * deviation, spreadFloor), medianMs };
}

/** Where anomalies begin, in ms, unrounded; `lowMs` is null where quick is no news. */
export function computeBounds({ log, spread, medianMs }: Centre, metric: BaselineMetric): Bounds {
  const farAbove = fromLog(log + threshold * spread);
  const farBelow = fromLog(log - threshold * spread);
  return {
    highMs: Math.max(farAbove, medianMs + minExcess(medianMs, metric)),
    lowMs: metric === 'duration' ? Math.max(0, Math.min(farBelow, medianMs * lowShare)) : null,
  };
}

export type Bounds = Pick<Baseline, 'highMs' | 'lowMs'>;

/** False for a value too near to half of the others to be an anomaly, which spares sorting them for most runs. */
export function mayBeFar(valueMs: number, others: readonly number[]): boolean {
  let [below, above] = [0, 0];
  for (const other of others) {
    if (valueMs >= other * (1 + highShare.duration)) below++;
    if (valueMs <= other * lowShare) above++;
  }
  return 2 * Math.max(below, above) >= others.length;
}

const minBaseline = 8;
const threshold = 3.5;
const highShare: Record<BaselineMetric, number> = { duration: 0.25, queue_wait: 0.5 };
const lowShare = 0.5;
/** Makes the median absolute deviation of normal values equal their standard deviation. */
const normalScale = 1.4826;
/** A history without any spread still varies by 5 %. */
const spreadFloor = Math.log(1.05);

function minExcess(medianMs: number, metric: BaselineMetric): number {
  return Math.max(metric === 'duration' ? 30_000 : 60_000, medianMs * highShare[metric]);
}

function toSeverity(size: number): Severity {
  if (size >= 8) return 'extreme';
  return size >= 5 ? 'high' : 'moderate';
}

/** The scale on which times are compared: of seconds, and of zero too. */
export function toLog(ms: number): number {
  return Math.log1p(ms / 1000);
}

export function fromLog(value: number): number {
  return Math.expm1(value) * 1000;
}
