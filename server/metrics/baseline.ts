import { mad, median, roundTo } from './statistics.ts';

export type WatchedMetric = 'duration' | 'queue_wait';
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
  /** Values behind it, 8–30. */
  sample: number;
}

/** How far a value stands out. */
export interface Judgement {
  direction: Direction;
  /** Robust distance from the median on a logarithmic scale, one decimal, never negative. */
  score: number;
  severity: Severity;
}

/** Beyond these many values the past no longer counts. */
export const longestPast = 30;

/** The baseline of past values in ms; null when there are fewer than eight. */
export function baselineOf(past: readonly number[], metric: WatchedMetric): Baseline | null {
  const centred = centreOf(past);
  if (centred === null) return null;
  const { centre, spread, medianMs } = centred;
  const farAbove = fromLog(centre + threshold * spread);
  const farBelow = fromLog(centre - threshold * spread);
  return {
    medianMs: roundTo(medianMs, 0),
    spreadMs: roundTo(fromLog(centre + spread) - fromLog(centre), 0),
    highMs: roundTo(Math.max(farAbove, medianMs + leastExcess(medianMs, metric)), 0),
    lowMs: metric === 'duration' ? roundTo(Math.max(0, Math.min(farBelow, medianMs * lowShare)), 0) : null,
    sample: past.length,
  };
}

/**
 * Judges a value in ms against past ones; null when it is nothing unusual or the past is too short. Both hurdles must
 * be taken: far on the scale of the series' own spread, and far enough in time to matter.
 */
export function judge(valueMs: number, past: readonly number[], metric: WatchedMetric): Judgement | null {
  const centred = centreOf(past);
  if (centred === null) return null;
  const { centre, spread, medianMs } = centred;
  const distance = (toLog(valueMs) - centre) / spread;
  const isHigh = distance >= threshold && valueMs - medianMs >= leastExcess(medianMs, metric);
  const isLow = metric === 'duration' && distance <= -threshold && valueMs <= medianMs * lowShare;
  if (!isHigh && !isLow) return null;
  const size = Math.abs(distance);
  return { direction: isHigh ? 'high' : 'low', score: roundTo(size, 1), severity: severityOf(size) };
}

const fewest = 8;
const threshold = 3.5;
const lowShare = 0.5;
/** Makes the median absolute deviation of normal values equal their standard deviation. */
const normalScale = 1.4826;
/** A history without any spread still varies by 5 %. */
const spreadFloor = Math.log(1.05);

function centreOf(past: readonly number[]): { centre: number; spread: number; medianMs: number } | null {
  const logs = past.map(toLog);
  const centre = median(logs);
  const deviation = mad(logs);
  const medianMs = median(past);
  if (past.length < fewest || centre === null || deviation === null || medianMs === null) return null;
  return { centre, spread: Math.max(normalScale * deviation, spreadFloor), medianMs };
}

function leastExcess(medianMs: number, metric: WatchedMetric): number {
  return metric === 'duration' ? Math.max(30_000, medianMs * 0.25) : Math.max(60_000, medianMs * 0.5);
}

function severityOf(size: number): Severity {
  if (size >= 8) return 'extreme';
  return size >= 5 ? 'high' : 'moderate';
}

function toLog(ms: number): number {
  return Math.log1p(ms / 1000);
}

function fromLog(value: number): number {
  return Math.expm1(value) * 1000;
}
