import type { Instant } from '../../metrics/kernel/facts.ts';
import { randomStream } from '../../metrics/kernel/random-stream.ts';
import { median, quantiles } from '../../metrics/kernel/statistics.ts';
import { type Band, draws, wideningOf } from './band.ts';
import { binnedQuantile, countedBins, scaleOf } from './binned-quantiles.ts';
import { drawBlocks } from './blocks.ts';
import type { Seed } from './figures.ts';

/** How long a job took on a day. */
export interface TimedJob {
  day: Instant;
  seconds: number;
}

const minDays = 7;

/**
 * The median time of the other jobs as a share of that of the present ones, with its 80 % range: the days of each are
 * drawn anew. null where either ran on fewer than seven days, or takes no time. Contract of the advisor, section 2.11.
 */
export function durationRatio(present: readonly TimedJob[], other: readonly TimedJob[], seed: Seed): Band | null {
  const groups = [present, other].map(timesByDay);
  const fewest = Math.min(...groups.map((days) => days.length));
  const [now = 0, then = 0] = groups.map((days) => median(days.flat()) ?? 0);
  if (fewest < minDays || now <= 0 || then <= 0) return null;
  const scale = scaleOf(groups.flat(2));
  const random = randomStream(...seed);
  const samples = groups.map((days) => ({ size: days.length, bins: countedBins(days, scale) }));
  const logRatio = (blocksOf: (days: number) => { start: number; end: number }[]) => {
    const [one = 0, two = 0] = samples.map(({ size, bins }) =>
      Math.log(binnedQuantile(bins, blocksOf(size), 0.5, scale)),
    );
    return two - one;
  };
  const usual = logRatio((size) => [{ start: 0, end: size }]);
  const factor = wideningOf(fewest);
  const errors = Array.from(
    { length: draws },
    () => factor * (logRatio((size) => drawBlocks(size, { size, length: 1 }, random)) - usual),
  );
  const [low = 0, high = 0] = quantiles(errors, [0.1, 0.9]).map((one) => one ?? 0);
  const ratio = then / now;
  return { low: ratio * Math.exp(Math.min(0, low)), mid: ratio, high: ratio * Math.exp(Math.max(0, high)) };
}

const timesByDay = (jobs: readonly TimedJob[]): number[][] =>
  [...Map.groupBy(jobs, ({ day }) => day).values()].map((ofDay) => ofDay.map(({ seconds }) => seconds));
