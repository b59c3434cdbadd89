/** What the values of a family count or measure; the name ends in it. `''` for what has no unit. */
export type MetricUnit = '' | 'seconds' | 'bytes' | 'ratio' | 'usd';

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'info';

/** One metric family of `/metrics`: its samples differ in the values of the labels alone. */
export interface MetricFamily<Label extends string = string> {
  /** Without the suffixes of its samples (`_total`, `_bucket`, `_info`). */
  name: string;
  type: MetricType;
  unit: MetricUnit;
  /** One sentence for whoever reads the value. */
  help: string;
  /** In the order in which they are written. */
  labels: readonly Label[];
}

/** Declares a family. */
export function metricFamily<const Label extends string = never>(
  family: Omit<MetricFamily<Label>, 'labels'> & { labels?: readonly Label[] },
): MetricFamily<Label> {
  const { name, unit, labels = [] } = family;
  if (unit !== '' && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end in its unit`);
  return Object.freeze({ ...family, labels });
}

/** The values of the labels of one sample. */
export type Labels<Label extends string> = Readonly<Record<Label, string>>;

export interface Sample {
  /** In the order of the family's labels. */
  labels: readonly string[];
  value: number;
}

/** A histogram of one combination of labels. */
export interface HistogramSample {
  labels: readonly string[];
  /** The upper bound of each bucket with how many observations are at most that. */
  buckets: readonly (readonly [bound: number, count: number])[];
  sum: number;
  count: number;
}

/** A family with what was measured of it. */
export type Measured =
  | { family: MetricFamily; samples: readonly Sample[] }
  | { family: MetricFamily; histograms: readonly HistogramSample[] };

/** What was measured of a family without histograms. A value that is null is not known, and has no sample. */
export function measured<Label extends string>(
  family: MetricFamily<Label>,
  values: Iterable<readonly [labels: Labels<Label>, value: number | null]>,
): Measured {
  const samples: Sample[] = [];
  for (const [labels, value] of values)
    if (value !== null) samples.push({ labels: family.labels.map((label) => labels[label]), value });
  return { family, samples };
}

/** The same of a family without labels. */
export const measuredOne = (family: MetricFamily<never>, value: number | null): Measured =>
  measured(family, [[{}, value]]);
