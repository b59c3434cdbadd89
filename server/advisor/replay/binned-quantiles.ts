import { type Block, runningSums, sumOfBlocks } from './blocks.ts';

/** How seconds are counted in bins. */
export interface Scale {
  least: number;
  /** Of a bin, in natural logarithms. */
  width: number;
}

const bins = 64;

/** Bins of equal ratio that hold these seconds. */
export function scaleOf(seconds: readonly number[]): Scale {
  const values = seconds.map((one) => Math.max(1, one));
  const least = values.reduce((low, one) => Math.min(low, one), Number.POSITIVE_INFINITY);
  const width = Math.log(values.reduce((high, one) => Math.max(high, one), 1) / least) / bins || 1;
  return { least, width };
}

/** Of each bin how many values the days have, as running sums. */
export function countedBins(days: readonly (readonly number[])[], { least, width }: Scale): Float64Array[] {
  const counts = Array.from({ length: bins }, () => new Array<number>(days.length).fill(0));
  for (const [day, values] of days.entries())
    for (const value of values) {
      const bin = Math.min(bins - 1, Math.floor(Math.log(Math.max(1, value) / least) / width));
      const ofBin = counts[Math.max(0, bin)] ?? [];
      ofBin[day] = (ofBin[day] ?? 0) + 1;
    }
  return counts.map(runningSums);
}

/** A quantile of the values of drawn days: inside a bin by linear interpolation of logarithms; NaN where nothing was drawn. */
export function binnedQuantile(
  sums: readonly Float64Array[],
  blocks: readonly Block[],
  q: number,
  { least, width }: Scale,
): number {
  const counts = sums.map((one) => sumOfBlocks(one, blocks));
  const wanted = q * counts.reduce((sum, one) => sum + one, 0);
  let below = 0;
  for (const [bin, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) return least * Math.exp((bin + (wanted - below) / count) * width);
    below += count;
  }
  return Number.NaN;
}
