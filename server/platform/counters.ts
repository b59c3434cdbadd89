// Counts of this process, for `/metrics`. They belong to the process and not to a service of it, as a scraper expects.
import { type HistogramSample, type Labels, type Measured, type MetricFamily, metricFamily } from './metric-family.ts';

export interface Counter<Label extends string> {
  family: MetricFamily<Label>;
  add(labels: Labels<Label>, amount?: number): void;
  measured(): Measured;
}

export interface Histogram<Label extends string> {
  family: MetricFamily<Label>;
  observe(labels: Labels<Label>, value: number): void;
  measured(): Measured;
}

type Declared<Label extends string> = Omit<Parameters<typeof metricFamily<Label>>[0], 'type'>;

/** Declares a counter of this process. The values of its labels come from closed lists: each combination is series. */
export function counter<const Label extends string>(declared: Declared<Label>): Counter<Label> {
  const family = metricFamily<Label>({ ...declared, type: 'counter' });
  const samples = new Map<string, { labels: string[]; value: number }>();
  return {
    family,
    add(labels, amount = 1) {
      const values = family.labels.map((label) => labels[label]);
      const sample = samples.get(values.join('\n')) ?? { labels: values, value: 0 };
      sample.value += amount;
      samples.set(values.join('\n'), sample);
    },
    measured: () => ({ family, samples: [...samples.values()] }),
  };
}

/** Declares a histogram of this process with the upper bounds of its buckets, ascending. */
export function histogram<const Label extends string>(
  declared: Declared<Label>,
  bounds: readonly number[],
): Histogram<Label> {
  const family = metricFamily<Label>({ ...declared, type: 'histogram' });
  const series = new Map<string, { labels: string[]; counts: number[]; sum: number; count: number }>();
  return {
    family,
    observe(labels, value) {
      const values = family.labels.map((label) => labels[label]);
      const unseen = { labels: values, counts: bounds.map(() => 0), sum: 0, count: 0 };
      const one = series.get(values.join('\n')) ?? unseen;
      series.set(values.join('\n'), one);
      one.sum += value;
      one.count++;
      bounds.forEach((bound, index) => {
        if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
      });
    },
    measured: () => ({
      family,
      histograms: [...series.values()].map(
        ({ labels, counts, sum, count }): HistogramSample => ({
          labels,
          buckets: bounds.map((bound, index) => [bound, counts[index] ?? 0] as const),
          sum,
          count,
        }),
      ),
    }),
  };
}
