import { type RandomStream, randomStream } from '../../metrics/kernel/random-stream.ts';
import { quantiles } from '../../metrics/kernel/statistics.ts';
import { drawBlocks, runningSums, sumOfBlocks } from './blocks.ts';

/** Where a figure of the next 28 days lies with 80 % probability, and its most likely value. */
export interface Band {
  low: number;
  mid: number;
  high: number;
}

/** An additive measure of a day, as recorded and as it would have been. */
export interface DayPair {
  before: number;
  after: number;
}

/** Days that a prediction is for. */
export const predictedDays = 28;

/**
 * The reduction of the next 28 days in percent, positive is less, with its 80 % band: circular blocks of whole weeks of
 * the recorded days are drawn once for what is not known of the past, and once for how the next weeks may differ. null
 * where nothing was recorded. Contract of the advisor, section 3.7.
 */
export function reductionBand(days: readonly DayPair[], seed: readonly (string | number)[]): Band | null {
  const reduction = reductionOf(sumPairs(days));
  if (reduction === null) return null;
  const random = randomStream(...seed);
  const draw = blockSampler(days, random);
  const factor = wideningFactor(days.length);
  const values = Array.from({ length: draws }, () => {
    const pastError = (reductionOf(draw(days.length)) ?? reduction) - reduction;
    const nextError = (reductionOf(draw(predictedDays)) ?? reduction) - reduction;
    // Nothing saves more than all.
    return Math.min(100, reduction + factor * (pastError + nextError));
  });
  const [low, high] = quantiles(values, [0.1, 0.9]);
  // What never costs minutes does not begin to.
  const least = days.some(({ before, after }) => after > before) ? Number.NEGATIVE_INFINITY : 0;
  return {
    low: Math.max(least, Math.min(low ?? reduction, reduction - leastHalfWidth)),
    mid: reduction,
    high: Math.max(high ?? reduction, reduction + leastHalfWidth),
  };
}

export const draws = 2000;
/** Percentage points. */
const leastHalfWidth = 0.5;

/** 100 · (1 − after ÷ before); null without anything before. */
export const reductionOf = ({ before, after }: DayPair): number | null =>
  before === 0 ? null : 100 * (1 - after / before);

export const sumPairs = (days: readonly DayPair[]): DayPair => ({
  before: days.reduce((sum, { before }) => sum + before, 0),
  after: days.reduce((sum, { after }) => sum + after, 0),
});

/** Whole weeks keep the mix of weekdays. */
export const blockLength = (days: number): number => (days < 63 ? 7 : 14);

/**
 * How much wider the band is than what was drawn, since few blocks vary less than what they come from: the quantile of
 * Student's distribution by that of the normal one.
 */
export const wideningFactor = (days: number): number => wideningOf(Math.floor(days / blockLength(days)));

/** The same of so many blocks, whatever their length. */
export function wideningOf(blocks: number): number {
  const student = studentQuantiles[Math.min(blocks - 1, studentQuantiles.length) - 1] ?? Number.POSITIVE_INFINITY;
  return (student / normalQuantile) * Math.sqrt(blocks / (blocks - 1));
}

/** 90 % quantiles of Student's distribution by degrees of freedom, from 1 on; of more than these the last is too wide. */
const studentQuantiles = [3.0777, 1.8856, 1.6377, 1.5332, 1.4759, 1.4398, 1.4149];
const normalQuantile = 1.2816;

/** Draws sums of `size` days, in blocks of consecutive days of which the first follows the last. */
function blockSampler(days: readonly DayPair[], random: RandomStream): (size: number) => DayPair {
  const length = blockLength(days.length);
  const before = runningSums(days.map((day) => day.before));
  const after = runningSums(days.map((day) => day.after));
  return (size) => {
    const blocks = drawBlocks(days.length, { size, length }, random);
    return { before: sumOfBlocks(before, blocks), after: sumOfBlocks(after, blocks) };
  };
}

const driftingFrom = 0.5;
const minWeeks = 4;

/** Whether the reduction of a week tells that of the next, so that the band is too narrow. */
export function isDrifting(days: readonly DayPair[]): boolean {
  const weeks = Array.from({ length: Math.floor(days.length / 7) }, (_, week) =>
    reductionOf(sumPairs(days.slice(7 * week, 7 * week + 7))),
  ).filter((one) => one !== null);
  if (weeks.length < minWeeks) return false;
  const mean = weeks.reduce((sum, one) => sum + one, 0) / weeks.length;
  const deviations = weeks.map((one) => one - mean);
  const variance = deviations.reduce((sum, one) => sum + one ** 2, 0);
  if (variance === 0) return false;
  const covariance = deviations.reduce((sum, one, index) => sum + one * (deviations[index + 1] ?? 0), 0);
  const correlation = covariance / variance;
  // Of few values it comes out too low: Kendall, Note on bias in the estimation of autocorrelation, 1954.
  return correlation + (1 + 3 * correlation) / weeks.length >= driftingFrom;
}
