import type { Verdict } from '../../domain/verdict.ts';
import { draws, percentileInterval, resampleQuantile, sizeOf, tallyQuantile, type ValueTally } from './bootstrap.ts';
import { type CountedDay, countDifferenceInterval, countInterval, estimateDispersion } from './counts.ts';
import { differenceInterval, type Estimate, type Interval, quantileInterval, rateInterval } from './intervals.ts';
import { randomStream } from './random-stream.ts';
import { isLowSample, percent, quantile, roundTo } from './statistics.ts';

/** What a period has of a metric. */
export interface Side {
  value: number | null;
  n: number;
  /** 95 %. */
  interval: Interval | null;
}

/** Two periods, and what the second one has more than the first. */
export interface Comparison {
  a: Side;
  b: Side;
  /** null where one of them has no value. */
  difference: Difference | null;
  /** Whether there are items enough for a verdict. */
  isEnough: boolean;
}

interface Difference {
  /** 95 %. */
  interval: Interval;
  /** What `a` is multiplied by to be as long as `b`. */
  scale: number;
}

/** Below so many items on a side nothing is said; a count says something where the larger one reaches it. */
export const minItems = 5;

export interface Share {
  part: number;
  n: number;
}

/** Wilson's interval of each share, and Newcombe's of their difference; in percent and points. */
export const compareShares = (a: Share, b: Share): Comparison =>
  compareSides(toSide(a.n, estimateShare(a)), toSide(b.n, estimateShare(b)));

/** Of values with intervals of their own, and the interval of the difference recovered from these. */
export function compareSides(a: Side, b: Side): Comparison {
  const [before, after] = [toEstimate(a), toEstimate(b)];
  return {
    a,
    b,
    difference: before && after && { interval: differenceInterval(before, after), scale: 1 },
    isEnough: Math.min(a.n, b.n) >= minItems,
  };
}

/** A quantile of values, with its interval between two percentiles of them: quick enough for every row of a table. */
export const toQuantileSide = (values: readonly number[], q: number): Side => ({
  value: quantile(values, q),
  n: values.length,
  interval: quantileInterval(values, q),
});

/** Of two lists of values, in any unit. */
export const compareMedians = (a: readonly number[], b: readonly number[]): Comparison =>
  compareSides(toQuantileSide(a, 0.5), toQuantileSide(b, 0.5));

/**
 * Percentile bootstrap of both quantiles and of their difference; the same seed draws the same. From 0.9 on one of a low
 * sample has a value alone: what is drawn again from it reaches no further than its largest items.
 */
export function compareQuantiles(a: ValueTally, b: ValueTally, q: number, seed: string): Comparison {
  const [before, after] = [drawQuantile(a, q, `${seed} a`), drawQuantile(b, q, `${seed} b`)];
  const moved = before && after && Array.from({ length: draws }, (_, index) => at(after, index) - at(before, index));
  const isShort = (tally: ValueTally) => (q < 0.9 ? sizeOf(tally) < minItems : isLowSample(sizeOf(tally)));
  const side = (tally: ValueTally, drawn: typeof before): Side => {
    const own = toSide(sizeOf(tally), drawn?.estimate ?? null);
    return q >= 0.9 && isShort(tally) ? { ...own, interval: null } : own;
  };
  return {
    a: side(a, before),
    b: side(b, after),
    difference: moved && { interval: percentileInterval(moved), scale: 1 },
    isEnough: !isShort(a) && !isShort(b),
  };
}

/**
 * Of counts by day: score intervals, as wide as days differ among each other. The longer period is not the larger one. A
 * small count beside a large one is a change, and no lack of data.
 */
export function compareCounts(a: readonly CountedDay[], b: readonly CountedDay[]): Comparison {
  const dispersion = estimateDispersion([a, b]);
  const [before, after] = [sum(a), sum(b)];
  const scale = b.length / a.length;
  return {
    a: toSide(before, { value: before, ...countInterval(before, dispersion) }),
    b: toSide(after, { value: after, ...countInterval(after, dispersion) }),
    difference: {
      interval: countDifferenceInterval(before, after, scale, dispersion),
      scale,
    },
    isEnough: Math.max(before, after) >= minItems,
  };
}

/** A comparison as it is shown, with what it comes to. */
export interface Concluded {
  a: Side;
  b: Side;
  difference: { absolute: number | null; relativePct: number | null; interval: Interval | null };
  verdict: Verdict;
}

/**
 * Rounded, and judged by what is shown: an interval that holds 0 shows no difference. Nothing is said of few items, nor
 * where not everything of both periods is known.
 */
export function conclude({ a, b, difference, isEnough }: Comparison, { digits, isKnown }: Conclusion): Concluded {
  const round = (value: number) => roundTo(value, digits.difference);
  const interval = difference && { low: round(difference.interval.low), high: round(difference.interval.high) };
  const verdict = isKnown && isEnough ? judge(interval) : 'not_enough_data';
  const sides = { a: roundSide(a, digits), b: roundSide(b, digits) };
  const [before, after] = [sides.a.value, sides.b.value];
  if (!difference || before === null || after === null || verdict === 'not_enough_data')
    return { ...sides, difference: { absolute: null, relativePct: null, interval: null }, verdict };
  const base = difference.scale * before;
  const relativePct = base === 0 ? null : roundTo((100 * (after - base)) / base, 1);
  return { ...sides, difference: { absolute: round(after - base), relativePct, interval }, verdict };
}

/** Decimals that values and differences are shown and judged with. */
export const digitsOf = {
  percent: { value: 2, difference: 2 },
  milliseconds: { value: 0, difference: 0 },
  count: { value: 0, difference: 1 },
} as const;

/** Whether `b` is shown to differ from `a`; `not_enough_data` where there is nothing to compare with. */
export const judgeChange = (comparison: Comparison | null, unit: keyof typeof digitsOf): Verdict =>
  comparison === null ? 'not_enough_data' : conclude(comparison, { digits: digitsOf[unit], isKnown: true }).verdict;

export interface Conclusion {
  digits: { value: number; difference: number };
  /** Whether all of both periods is known. */
  isKnown: boolean;
}

function judge(interval: Interval | null): Verdict {
  if (interval === null) return 'not_enough_data';
  if (interval.low > 0) return 'higher';
  return interval.high < 0 ? 'lower' : 'no_difference_shown';
}

function roundSide({ value, n, interval }: Side, { value: own, difference: fine }: Conclusion['digits']): Side {
  return {
    value: value === null ? null : roundTo(value, own),
    n,
    interval: interval && { low: roundTo(interval.low, fine), high: roundTo(interval.high, fine) },
  };
}

function estimateShare({ part, n }: Share): Estimate | null {
  const [value, interval] = [percent(part, n), rateInterval(part, n)];
  return value === null || interval === null ? null : { value, ...interval };
}

function drawQuantile(tally: ValueTally, q: number, seed: string): { estimate: Estimate; drawn: number[] } | null {
  const value = tallyQuantile(tally, q);
  if (value === null) return null;
  const drawn = resampleQuantile(tally, q, randomStream(seed));
  return { estimate: { value, ...percentileInterval(drawn) }, drawn };
}

const at = ({ drawn }: { drawn: readonly number[] }, index: number) => drawn[index] ?? Number.NaN;

const toSide = (n: number, estimate: Estimate | null): Side => ({
  value: estimate?.value ?? null,
  n,
  interval: estimate && { low: estimate.low, high: estimate.high },
});

const toEstimate = ({ value, interval }: Side): Estimate | null =>
  value === null || interval === null ? null : { value, ...interval };

const sum = (days: readonly CountedDay[]) => days.reduce((total, { count }) => total + count, 0);
