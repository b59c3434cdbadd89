import { quantiles } from './statistics.ts';

/** From `low` to `high`, in the unit of what was measured. */
export interface Interval {
  low: number;
  high: number;
}

/** Wilson's interval of a rate, 95 % unless said, 0–100, unrounded; null when there is nothing to divide by. */
export function rateInterval(matches: number, sample: number, quantile: number = z): Interval | null {
  if (sample === 0) return null;
  const share = matches / sample;
  const spread = quantile ** 2 / sample;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (quantile / (1 + spread)) * Math.sqrt((share * (1 - share)) / sample + spread / (4 * sample));
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

/**
 * A 95 % interval of a quantile between two percentiles of the values themselves, whatever their distribution: ranks by
 * the normal approximation of the binomial distribution (Conover, Practical Nonparametric Statistics, 1999, 3.2), rounded
 * outwards to whole percent. null where the values cannot bound it.
 */
export function quantileInterval(values: readonly number[], q: number): Interval | null {
  const reach = z * Math.sqrt((q * (1 - q)) / values.length);
  const [first, last] = [Math.floor(100 * (q - reach)), Math.ceil(100 * (q + reach))];
  if (values.length === 0 || first < 0 || last > 100) return null;
  const [low, high] = quantiles(values, [first / 100, last / 100]);
  return low == null || high == null ? null : { low, high };
}

/** A value with the interval that it lies in. */
export interface Estimate extends Interval {
  value: number;
}

/**
 * The interval of `b` less `a`, recovered from those of each (MOVER): Zou, Donner, Construction of confidence limits about
 * effect measures, Statistics in Medicine 27 (2008) 1693–1702. Of Wilson's intervals of two rates it is the hybrid score
 * interval, method 10 of Newcombe, Interval estimation for the difference between independent proportions, Statistics in
 * Medicine 17 (1998) 873–890.
 */
export function differenceInterval(a: Estimate, b: Estimate): Interval {
  const difference = b.value - a.value;
  return {
    low: difference - Math.hypot(b.value - b.low, a.high - a.value),
    high: difference + Math.hypot(b.high - b.value, a.value - a.low),
  };
}

/** The 97.5 % quantile of the normal distribution. */
export const z = 1.959963984540054;

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
