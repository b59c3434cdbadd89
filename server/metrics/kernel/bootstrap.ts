import type { Interval } from './intervals.ts';
import type { RandomStream } from './random-stream.ts';
import { quantiles } from './statistics.ts';

/** Values in ascending order, each with how many of the values are at most as large; of millions few are distinct. */
export interface ValueTally {
  values: readonly number[];
  upTo: readonly number[];
}

/** Of distinct values in any order, each with how often it occurs. */
export function tallyValues(counted: Iterable<readonly [value: number, count: number]>): ValueTally {
  const sorted = [...counted].sort(([a], [b]) => a - b);
  let total = 0;
  return {
    values: sorted.map(([value]) => value),
    upTo: sorted.map(([, count]) => {
      total += count;
      return total;
    }),
  };
}

export const sizeOf = ({ upTo }: ValueTally): number => upTo.at(-1) ?? 0;

/** As `quantile` has it of the same values; null of none. */
export function tallyQuantile(tally: ValueTally, q: number): number | null {
  const size = sizeOf(tally);
  if (size === 0) return null;
  const position = q * (size - 1);
  const low = valueAt(tally, Math.floor(position));
  return low + (valueAt(tally, Math.ceil(position)) - low) * (position - Math.floor(position));
}

/** As many resamples suffice for the percentiles 2.5 and 97.5. */
export const draws = 2000;

/**
 * The quantile of each of so many resamples of the values with replacement. Which values a resample has at two neighbouring
 * ranks follows from the order of uniform numbers, which is beta distributed (David, Nagaraja, Order Statistics, 2003,
 * 2.1 and 2.5): nothing else of it is drawn, so that a million values take as long as ten.
 */
export function resampleQuantile(tally: ValueTally, q: number, random: RandomStream): number[] {
  const size = sizeOf(tally);
  const position = q * (size - 1);
  const rank = Math.floor(position);
  const above = size - rank - 1;
  const drawValue = (uniform: number) => valueAt(tally, Math.min(size - 1, Math.floor(size * uniform)));
  return Array.from({ length: draws }, () => {
    const place = drawBeta(rank + 1, size - rank, random);
    const low = drawValue(place);
    if (position === rank) return low;
    const next = place + (1 - place) * (1 - drawPositive(random) ** (1 / above));
    return low + (drawValue(next) - low) * (position - rank);
  });
}

/** The percentile interval of what was drawn, 95 % (Efron, Tibshirani, An Introduction to the Bootstrap, 1993, 13.3). */
export function percentileInterval(drawn: readonly number[]): Interval {
  const [low, high] = quantiles(drawn, [0.025, 0.975]);
  return { low: low ?? Number.NaN, high: high ?? Number.NaN };
}

/** The value at a place in order, from 0 on. */
function valueAt({ values, upTo }: ValueTally, place: number): number {
  let [first, last] = [0, upTo.length - 1];
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((upTo[middle] ?? 0) > place) last = middle;
    else first = middle + 1;
  }
  return values[first] ?? Number.NaN;
}

function drawBeta(a: number, b: number, random: RandomStream): number {
  const first = drawGamma(a, random);
  return first / (first + drawGamma(b, random));
}

/** Of a shape of at least 1: Marsaglia, Tsang, A simple method for generating gamma variables, 2000. */
function drawGamma(shape: number, random: RandomStream): number {
  const scale = shape - 1 / 3;
  const step = 1 / Math.sqrt(9 * scale);
  for (;;) {
    const normal = drawNormal(random);
    const cube = (1 + step * normal) ** 3;
    if (cube <= 0) continue;
    if (Math.log(drawPositive(random)) < normal ** 2 / 2 + scale * (1 - cube + Math.log(cube))) return scale * cube;
  }
}

const drawNormal = (random: RandomStream) =>
  Math.sqrt(-2 * Math.log(drawPositive(random))) * Math.cos(2 * Math.PI * random());

/** In (0, 1]. */
const drawPositive = (random: RandomStream) => 1 - random();
