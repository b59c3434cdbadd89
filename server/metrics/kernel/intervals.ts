/** From `low` to `high`, in the unit of what was measured. */
export interface Interval {
  low: number;
  high: number;
}

/** Wilson's 95 % interval of a rate, 0–100, unrounded; null when there is nothing to divide by. */
export function rateInterval(matches: number, sample: number): Interval | null {
  if (sample === 0) return null;
  const share = matches / sample;
  const spread = z ** 2 / sample;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / sample + spread / (4 * sample));
  return { low: 100 * Math.max(0, centre - half), high: 100 * Math.min(1, centre + half) };
}

/**
 * A 95 % interval of the median between two of the values themselves, whatever their distribution; null below six
 * values, which cannot bound it that surely.
 */
export function medianInterval(values: readonly number[]): Interval | null {
  const sorted = Float64Array.from(values).sort();
  const rank = lowRank(sorted.length);
  const [low, high] = [sorted[rank - 1], sorted[sorted.length - rank]];
  return rank === 0 || low === undefined || high === undefined ? null : { low, high };
}

/** The 97.5 % quantile of the normal distribution. */
const z = 1.959963984540054;

/** The highest rank (1 = smallest) that lies above the median with at most 2.5 % probability; 0 when there is none. */
function lowRank(count: number): number {
  let logTerm = -count * Math.LN2;
  let below = Math.exp(logTerm);
  let rank = 0;
  while (below <= 0.025) {
    rank++;
    logTerm += Math.log(count - rank + 1) - Math.log(rank);
    below += Math.exp(logTerm);
  }
  return rank;
}
