import { type RandomStream, randomStream } from '../../metrics/kernel/random-stream.ts';
import { sampleDeviation } from '../../metrics/kernel/statistics.ts';
import { type Block, drawBlocks, runningSums, sumOfBlocks } from '../replay/blocks.ts';
import { type MeasuredDays, sum } from './measured-days.ts';
import { type ComparedStratum, compareStrata } from './strata.ts';

/** How much less a unit of demand takes than before, in percent, positive is less, with its intervals. */
export interface Estimate {
  deltaPct: number;
  /** 98 %. */
  low: number;
  high: number;
  low90: number;
  high90: number;
  strata: StratumFigures[];
}

export interface StratumFigures {
  label: string;
  /** Its share of the units before. */
  weightPct: number;
  /** What a unit took. */
  before: number;
  after: number;
  unitsBefore: number;
  unitsAfter: number;
}

type Seed = readonly (string | number)[];

const draws = 2000;
const blockDays = 7;

/**
 * Compares what a unit of demand takes after a change with what it took before, for the same mix of units: that of
 * before. The interval is that of the log ratio, with whole weeks of both drawn. null where nothing can be compared.
 * Contract of the advisor, section 5.3.
 */
export function estimate(before: MeasuredDays, after: MeasuredDays, seed: Seed): Estimate | null {
  const strata = compareStrata(before, after);
  return toEstimate(
    strata,
    { drawn: strata, days: [before.days.length, after.days.length], weeks: after.days.length },
    seed,
  );
}

/**
 * The same for few days after a change, of which too few weeks are there to draw from: they are taken to differ from
 * each other as the weeks before did.
 */
export function estimateRecent(before: MeasuredDays, recent: MeasuredDays, seed: Seed): Estimate | null {
  const strata = compareStrata(before, recent);
  const drawn = strata.map((one) => ({ ...one, after: one.before }));
  const { length } = before.days;
  return toEstimate(strata, { drawn, days: [length, recent.days.length], weeks: length }, seed);
}

interface Resampling {
  /** What is drawn from. */
  drawn: readonly ComparedStratum[];
  /** How many days are drawn, before and after. */
  days: [number, number];
  /** Days that tell how weeks differ. */
  weeks: number;
}

function toEstimate(strata: readonly ComparedStratum[], resampling: Resampling, seed: Seed): Estimate | null {
  const ratio = logRatio(strata.map(({ before: was, after: is }) => toPair(sum(was.units), was, is)));
  const weeks = Math.min(mostWeeks, Math.floor(resampling.weeks / blockDays));
  if (ratio === null || weeks < 2) return null;
  const spread = resampledDeviation(resampling, seed);
  if (spread === null) return null;
  const error = spread * Math.sqrt(weeks / (weeks - 1));
  const reach = (quantiles: readonly number[]) => error * (quantiles[weeks - 2] ?? Number.POSITIVE_INFINITY);
  return {
    deltaPct: toPercent(ratio),
    low: toPercent(ratio + reach(student99)),
    high: toPercent(ratio - reach(student99)),
    low90: toPercent(ratio + reach(student95)),
    high90: toPercent(ratio - reach(student95)),
    strata: figuresOf(strata),
  };
}

/** More do not make the interval narrower. */
const mostWeeks = 8;

/** Quantiles of Student's distribution by degrees of freedom, from 1 on. */
const student99 = [31.821, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998];
const student95 = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895];

const toPercent = (logOfRatio: number): number => 100 * (1 - Math.exp(logOfRatio));

/** What units of a stratum take, before and after, and how much it weighs. */
interface Pair {
  weight: number;
  before: number;
  after: number;
}

/** null where there is nothing to divide. */
function logRatio(pairs: readonly Pair[]): number | null {
  const before = sum(pairs.map(({ weight, before: one }) => weight * one));
  const after = sum(pairs.map(({ weight, after: one }) => weight * one));
  return before > 0 && after > 0 ? Math.log(after / before) : null;
}

type Sums = ComparedStratum['before'];

const meanOf = ({ units, values }: Sums): number => sum(values) / sum(units);

const toPair = (weight: number, before: Sums, after: Sums): Pair => ({
  weight,
  before: meanOf(before),
  after: meanOf(after),
});

/** How much the log ratio differs from draw to draw. */
function resampledDeviation({ drawn, days: [daysBefore, daysAfter] }: Resampling, seed: Seed): number | null {
  const random = randomStream(...seed);
  const samplers = drawn.map(({ before, after }) => ({
    weight: sum(before.units),
    before: meanSampler(before),
    after: meanSampler(after),
  }));
  const values = Array.from({ length: draws }, () => {
    const was = draw(daysBefore, daysBefore, random);
    const is = draw(lengthOf(drawn), daysAfter, random);
    return logRatio(samplers.map(({ weight, before, after }) => ({ weight, before: before(was), after: after(is) })));
  });
  return sampleDeviation(values.filter((value) => value !== null));
}

const lengthOf = ([first]: readonly ComparedStratum[]): number => first?.after.units.length ?? 0;

/** So many of these days, in whole weeks. */
const draw = (of: number, size: number, random: RandomStream): Block[] =>
  drawBlocks(of, { size, length: blockDays }, random);

/** The mean of a stratum in drawn days; that of all days where none of it was drawn. */
function meanSampler(sums: Sums): (blocks: readonly Block[]) => number {
  const [units, values, usual] = [runningSums(sums.units), runningSums(sums.values), meanOf(sums)];
  return (blocks) => {
    const drawn = sumOfBlocks(units, blocks);
    return drawn === 0 ? usual : sumOfBlocks(values, blocks) / drawn;
  };
}

function figuresOf(strata: readonly ComparedStratum[]): StratumFigures[] {
  const all = sum(strata.flatMap(({ before }) => before.units));
  return strata.map(({ label, before, after }) => ({
    label,
    weightPct: (100 * sum(before.units)) / all,
    before: meanOf(before),
    after: meanOf(after),
    unitsBefore: sum(before.units),
    unitsAfter: sum(after.units),
  }));
}
