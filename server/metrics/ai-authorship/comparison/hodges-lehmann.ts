/**
 * The centre of values that few outliers move little: the median of the averages of all pairs, each value paired with
 * itself as well (Hodges, Lehmann, Annals of Mathematical Statistics 34 (1963) 598–611). The averages are counted and not
 * listed: of ten thousand values there are fifty million. null of none.
 */
export function hodgesLehmann(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).sort();
  const pairs = (sorted.length * (sorted.length + 1)) / 2;
  if (pairs === 0) return null;
  const low = pairAverage(sorted, Math.floor((pairs + 1) / 2));
  return pairs % 2 === 1 ? low : (low + pairAverage(sorted, pairs / 2 + 1)) / 2;
}

/** The average at a rank, from 1 on: the smallest number that as many averages do not exceed. */
function pairAverage(sorted: Float64Array, rank: number): number {
  let [low, high] = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
  if (countUpTo(sorted, low) >= rank) return low;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (countUpTo(sorted, middle) >= rank) high = middle;
    else low = middle;
  }
}

/** How many averages do not exceed a bound: the higher one of the pair falls as the lower one rises. */
function countUpTo(sorted: Float64Array, bound: number): number {
  let [count, higher] = [0, sorted.length - 1];
  for (let lower = 0; lower <= higher; lower++) {
    while (higher >= lower && ((sorted[lower] ?? 0) + (sorted[higher] ?? 0)) / 2 > bound) higher--;
    count += higher - lower + 1;
  }
  return count;
}
