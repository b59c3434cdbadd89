// Metric families as text: OpenMetrics 1.0, and the older format that every scraper reads.
import { setImmediate } from 'node:timers/promises';
import type { HistogramSample, Measured, MetricFamily } from './metric-family.ts';

export type ExpositionFormat = 'openmetrics' | 'text';

export const contentTypes: Readonly<Record<ExpositionFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
};

/** Writes families in their order. One without a sample is left out. Others may go on between two of them. */
export async function writeExposition(families: readonly Measured[], format: ExpositionFormat): Promise<string> {
  const texts: string[] = [];
  for (const one of families) {
    texts.push(writeFamily(one, format));
    await setImmediate();
  }
  return `${texts.join('')}${format === 'openmetrics' ? '# EOF\n' : ''}`;
}

function writeFamily(one: Measured, format: ExpositionFormat): string {
  const samples = 'samples' in one ? one.samples : one.histograms;
  if (samples.length === 0) return '';
  const name = sampleName(one.family);
  const lines =
    'samples' in one
      ? one.samples.map(({ labels, value }) => `${name}${labelSet(one.family.labels, labels)} ${formatValue(value)}`)
      : one.histograms.flatMap((histogram) => histogramLines(one.family, histogram));
  return `${[...metadata(one.family, format), ...lines].join('\n')}\n`;
}

/** What the older format does not know is written as what it is most like: information as a gauge, no unit. */
function metadata(family: MetricFamily, format: ExpositionFormat): string[] {
  const { name, type, unit, help } = family;
  if (format === 'text') {
    const written = sampleName(family);
    return [`# HELP ${written} ${escapeHelp(help)}`, `# TYPE ${written} ${type === 'info' ? 'gauge' : type}`];
  }
  const lines = [`# TYPE ${name} ${type}`];
  if (unit !== '') lines.push(`# UNIT ${name} ${unit}`);
  lines.push(`# HELP ${name} ${escapeHelp(help).replaceAll('"', '\\"')}`);
  return lines;
}

/** The name of a sample of a counter, gauge or information, the same in both formats; of a histogram the family's. */
export function sampleName({ name, type }: Pick<MetricFamily, 'name' | 'type'>): string {
  if (type === 'counter') return `${name}_total`;
  return type === 'info' ? `${name}_info` : name;
}

function histogramLines({ name, labels: names }: MetricFamily, { labels, buckets, sum, count }: HistogramSample) {
  const bucket = (bound: string, value: number) =>
    `${name}_bucket${labelSet([...names, 'le'], [...labels, bound])} ${formatValue(value)}`;
  return [
    ...buckets.map(([bound, value]) => bucket(formatBound(bound), value)),
    bucket('+Inf', count),
    `${name}_count${labelSet(names, labels)} ${formatValue(count)}`,
    `${name}_sum${labelSet(names, labels)} ${formatValue(sum)}`,
  ];
}

function labelSet(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return '';
  return `{${names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',')}}`;
}

/** Half a surrogate pair would not be UTF-8. Most values have nothing to escape, which is found out faster. */
const escapeLabel = (value: string) =>
  /^[\w./-]*$/.test(value)
    ? value
    : value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const escapeHelp = (help: string) => help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** Integers have no decimal point. */
function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value === 0 ? 0 : value);
}

/** A canonical float: `1.0` where a number is an integer. */
const formatBound = (bound: number) => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound));
