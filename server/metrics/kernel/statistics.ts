/**
 * Quantile `q` (0–1) by linear interpolation at position q·(n−1), known as type 7. Values in any order; null for none.
 */
export function quantile(values: readonly number[], q: number): number | null {
  return sortedQuantile(ascending(values), q);
}

/** Several quantiles of the same values for the price of one sort. */
export function quantiles(values: readonly number[], qs: readonly number[]): (number | null)[] {
  const sorted = ascending(values);
  return qs.map((q) => sortedQuantile(sorted, q));
}

export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

/** Arithmetic mean, the same for any order of the values; null for none. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return ascending(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation of a sample (n − 1 in the denominator); null for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  const squares = values.map((value) => (value - centre) ** 2);
  return Math.sqrt((mean(squares) ?? 0) * (values.length / (values.length - 1)));
}

/** Median absolute deviation from the median, unscaled; null for none. Give the median when it is known. */
export function mad(values: readonly number[], centre: number | null = median(values)): number | null {
  return centre === null ? null : median(values.map((value) => Math.abs(value - centre)));
}

/** Share of the items that match, 0–100, unrounded; null when there are none. */
export function computePercent<Item>(items: readonly Item[], matches: (item: Item) => boolean): number | null {
  return percent(items.filter(matches).length, items.length);
}

/** 100·part/total, unrounded; null when the total is 0. */
export function percent(part: number, total: number): number | null {
  return total === 0 ? null : (100 * part) / total;
}

/**
 * Rounds half away from zero, as decimals are read: 1.005 to two digits is 1.01. Apply once, at the end.
 */
export function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  const size = shift(Math.round(shift(Math.abs(value), digits)), -digits);
  return value < 0 && size > 0 ? -size : size;
}

/** Below 20 values a quantile of 0.9 or more is unreliable; answers mark it. */
export function isLowSample(sample: number): boolean {
  return sample < 20;
}

function ascending(values: readonly number[]): Float64Array {
  return new Float64Array(values).sort();
}

/** The same of values in ascending order. */
export function sortedQuantile(sorted: ArrayLike<number>, q: number): number | null {
  const position = q * (sorted.length - 1);
  const low = sorted[Math.floor(position)];
  const high = sorted[Math.ceil(position)];
  if (low === undefined || high === undefined) return null;
  return low + (high - low) * (position - Math.floor(position));
}

/** Moves the decimal point without the error that multiplying by a power of ten would bring. */
function shift(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
