import type { Instant } from '../../metrics/kernel/facts.ts';
import { randomStream } from '../../metrics/kernel/random-stream.ts';
import { quantile, quantiles } from '../../metrics/kernel/statistics.ts';
import type { RecordedAttempt } from '../history.ts';
import { type Band, blockLength, draws, predictedDays, wideningFactor } from './band.ts';
import { binnedQuantile, countedBins, scaleOf } from './binned-quantiles.ts';
import { type Block, drawBlocks } from './blocks.ts';
import { dayOf } from './days.ts';
import type { Seed } from './figures.ts';

/** Seconds from the start of attempts to the end of their last job, as recorded and as they would have been. */
export interface WallFigures {
  p50Before: number;
  p50After: number;
  p90Before: number;
  p90After: number;
}

/** How many seconds attempts take more in the next 28 days, negative is less. */
export interface WallChange {
  p50: Band | null;
  p90: Band | null;
}

/** The seconds of the attempts of a day. */
export interface WallDay {
  before: number[];
  after: number[];
}

const toSeconds = ({ arrivedAt, jobs }: RecordedAttempt): number | null => {
  const ends = (jobs ?? []).flatMap(({ isTaken, completedAt }) => (isTaken ? (completedAt ?? []) : []));
  return ends.length === 0 ? null : (Math.max(...ends) - arrivedAt) / 1000;
};

/** The attempts of each day that conclude in both worlds. */
export function wallsByDay(
  days: readonly Instant[],
  worlds: { before: readonly RecordedAttempt[]; after: readonly RecordedAttempt[] },
): WallDay[] {
  const keyOf = ({ runId, attempt }: RecordedAttempt) => `${runId} ${attempt}`;
  const changed = new Map(worlds.after.map((one) => [keyOf(one), one]));
  const byDay = Map.groupBy(worlds.before, dayOf);
  return days.map((day) => {
    const walls = (byDay.get(day) ?? []).flatMap((one) => {
      const other = changed.get(keyOf(one));
      const [before, after] = [toSeconds(one), other ? toSeconds(other) : null];
      return before === null || after === null || before < 0 || after < 0 ? [] : [{ before, after }];
    });
    return { before: walls.map(({ before }) => before), after: walls.map(({ after }) => after) };
  });
}

const minAttempts = 20;

/** null with too few attempts. */
export function wallFigures(days: readonly WallDay[]): WallFigures | null {
  const [before, after] = [days.flatMap((day) => day.before), days.flatMap((day) => day.after)];
  if (before.length < minAttempts) return null;
  const of = (values: readonly number[], q: number) => quantile(values, q) ?? 0;
  return {
    p50Before: of(before, 0.5),
    p50After: of(after, 0.5),
    p90Before: of(before, 0.9),
    p90After: of(after, 0.9),
  };
}

/**
 * The change of a quantile in the next 28 days with its 80 % band, from blocks of days as `reductionBand` draws them: the
 * seconds of each day are counted in 64 bins of equal ratio. null with too few attempts. Contract, section 3.7.
 */
export function wallBand(days: readonly WallDay[], q: number, seed: Seed): Band | null {
  const all = wallFigures(days);
  if (all === null) return null;
  const scale = scaleOf(days.flatMap(({ before, after }) => [...before, ...after]));
  const before = countedBins(
    days.map((day) => day.before),
    scale,
  );
  const after = countedBins(
    days.map((day) => day.after),
    scale,
  );
  const whole = [{ start: 0, end: days.length }];
  const change = (blocks: readonly Block[]) =>
    binnedQuantile(after, blocks, q, scale) - binnedQuantile(before, blocks, q, scale);
  const usual = change(whole);
  const random = randomStream(...seed, q);
  const draw = (size: number) => {
    const drawn = change(drawBlocks(days.length, { size, length: blockLength(days.length) }, random));
    return Number.isNaN(drawn) ? 0 : drawn - usual;
  };
  const factor = wideningFactor(days.length);
  const mid = q === 0.5 ? all.p50After - all.p50Before : all.p90After - all.p90Before;
  const drawn = Array.from({ length: draws }, () => mid + factor * (draw(days.length) + draw(predictedDays)));
  const [low, high] = quantiles(drawn, [0.1, 0.9]);
  // What never makes an attempt slower does not begin to.
  const most = days.some((day) => day.after.some((one, index) => one > (day.before[index] ?? one)))
    ? Number.POSITIVE_INFINITY
    : 0;
  return { low: Math.min(mid, low ?? mid), mid, high: Math.min(Math.max(mid, high ?? mid), Math.max(most, mid)) };
}
