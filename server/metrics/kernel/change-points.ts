/**
 * Where the level of a series changes for good: the index of the first value of each new level, ascending.
 *
 * Multiple change points of ranks (Lung-Yut-Fong, Lévy-Leduc, Cappé 2015), found exactly by dynamic programming
 * (Jackson et al. 2005), with a higher penalty for short segments (Zhang, Siegmund 2007). Ranks make the rate of
 * false alarms the same for every distribution: some 1.5 % of complete histories of independent values, see
 * `tests/bench/change-detection.mjs`. What neighbours have in common counts against a change. Each level is looked at
 * once more by itself, because a large change hides a small one.
 */
export function changePoints(values: readonly number[]): number[] {
  const ranks = centredRanks(values);
  const suspected = levelEnds(ranks, 1);
  const ends = suspected.length < 2 ? suspected : levelEnds(ranks, computeWidening(ranks, suspected));
  if (ends.length < 2) return [];
  return ends.flatMap((end, level) => {
    const start = ends[level - 1] ?? 0;
    const within = changePoints(values.slice(start, end)).map((index) => start + index);
    return end === values.length ? within : [...within, end];
  });
}

/** A level lasts at least this many values. */
export const shortestLevel = 10;

/**
 * The ends of the levels that explain most, the last of them the length, if sums of ranks vary so many times as much.
 */
function levelEnds(ranks: Float64Array, widening: number): number[] {
  const { length } = ranks;
  const { sums, variance } = computeSums(ranks);
  if (length < 2 * shortestLevel || variance === 0) return [];
  const { shares, prices } = computePrices(length, variance * widening);
  const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
  const segmentStart = new Int32Array(length + 1);
  best[0] = 0;
  for (let end = shortestLevel; end <= length; end++) {
    let largest = Number.NEGATIVE_INFINITY;
    const upTo = sums[end] ?? 0;
    for (let start = 0; start <= end - shortestLevel; start++) {
      const sum = upTo - (sums[start] ?? 0);
      const size = end - start;
      const gain = (best[start] ?? 0) + sum * sum * (shares[size] ?? 0) - (prices[size] ?? 0);
      if (gain <= largest) continue;
      largest = gain;
      segmentStart[end] = start;
    }
    best[end] = largest;
  }
  const ends: number[] = [];
  for (let end = length; end > 0; end = segmentStart[end] ?? 0) ends.unshift(end);
  return ends;
}

/** By size of a level: what its squared sum is divided by, and what it must be worth. */
function computePrices(length: number, variance: number) {
  const shares = new Float64Array(length + 1);
  const prices = new Float64Array(length + 1);
  const change = computeChangePrice(length);
  for (let size = 1; size <= length; size++) {
    shares[size] = 1 / (size * variance);
    prices[size] = change + priceOfShortness * Math.log(length / size);
  }
  return { shares, prices };
}

const priceOfShortness = 2;

/** Calibrated for lengths of 20 to 1,000 so that 1.5 % of flat histories have a change. */
const computeChangePrice = (length: number) => 8 - 100 / length;

/** Sums of the ranks before each index, and the variance of one; 0 when all values are equal. */
function computeSums(ranks: Float64Array): { sums: Float64Array; variance: number } {
  const sums = new Float64Array(ranks.length + 1);
  let squares = 0;
  ranks.forEach((rank, index) => {
    sums[index + 1] = (sums[index] ?? 0) + rank;
    squares += rank * rank;
  });
  return { sums, variance: squares / (ranks.length - 1) };
}

/** Ranks around 0, equal values sharing the middle of theirs. */
function centredRanks(values: readonly number[]): Float64Array {
  const order = Float64Array.from(values).sort();
  const middle = new Map<number, number>();
  for (let first = 0; first < order.length; ) {
    const value = order[first] ?? 0;
    let last = first;
    while (order[last + 1] === value) last++;
    middle.set(value, (first + last - order.length + 1) / 2);
    first = last + 1;
  }
  return Float64Array.from(values, (value) => middle.get(value) ?? 0);
}

/** How many times the variance of independent values sums have if each follows its neighbour (AR(1)); at least 1. */
function computeWidening(ranks: Float64Array, ends: readonly number[]): number {
  const far = farLags.reduce((sum, lag) => sum + meanSquaredDifference(ranks, ends, lag), 0) / farLags.length;
  const correlation = far === 0 ? 0 : 1 - meanSquaredDifference(ranks, ends, 1) / far;
  const held = Math.min(Math.max(correlation, 0), strongest);
  return (1 + held) / (1 - held);
}

/** Values so far apart have next to nothing in common; all fit into the shortest level. */
const farLags = [3, 4, 5, 6];
const strongest = 0.8;

/** Of values in the same level, so that a change of level does not pass for what neighbours have in common. */
function meanSquaredDifference(ranks: Float64Array, ends: readonly number[], lag: number): number {
  let [sum, pairs, start] = [0, 0, 0];
  for (const end of ends) {
    for (let index = start + lag; index < end; index++) {
      sum += ((ranks[index] ?? 0) - (ranks[index - lag] ?? 0)) ** 2;
      pairs++;
    }
    start = end;
  }
  return sum / pairs;
}
