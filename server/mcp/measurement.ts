import { z } from 'zod';
import { aboutAnswer, type CoverageOfAnswer, type Source, type Window } from './about-answer.ts';
import type { Part } from './reader.ts';
import type { Params } from './tool.ts';

/** One number of an answer of the API, with what must not be separated from it. */
export const Measurement = z.object({
  key: z.string(),
  label: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  n: z.number().nullable().meta({ description: 'Facts behind the value; null where it counts none.' }),
  low_sample: z.boolean(),
  interval: z.object({ low: z.number(), high: z.number(), level: z.literal(0.95) }).nullable(),
  missing: z.string().nullable().meta({ description: 'Why there is no value.' }),
  window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
  coverage: z.object({
    complete: z.boolean(),
    expected: z.number().nullable(),
    read: z.number().nullable().meta({ description: 'Items that were read; null where the answer counts none.' }),
    reasons: z.array(z.string()),
  }),
  as_of: z.iso.datetime(),
  source: z.enum(['live', 'stored', 'estimated']),
  better: z.enum(['higher', 'lower', 'neither']),
  evidence: z.url(),
  rest: z.object({
    path: z.string().meta({ description: 'Address of the answer of the API that has this value.' }),
    pointer: z.string().meta({ description: 'Where in it the value stands (JSON pointer, RFC 6901).' }),
  }),
});

export type Measurement = z.output<typeof Measurement>;

interface Bounds {
  low: string;
  high: string;
}

/** The two numbers of an interval that stands as an object in the answer. */
export const bounds = (pointer: string): Bounds => ({ low: `${pointer}/low`, high: `${pointer}/high` });

/** Where a number stands in an answer, and what it is. */
export interface Place {
  key: string;
  label: string;
  unit: string;
  better: Measurement['better'];
  /** JSON pointers. */
  at: string;
  n?: string;
  interval?: Bounds;
  lowSample?: string;
  /** What is said where the value is null; null where the API always has one, or says itself why not. */
  missing: string | null;
  /** The key of the metric at `/explain`, where it is not `key`; null where none explains it. */
  metric?: string | null;
  /** Whether it is derived from assumptions, such as a price list. */
  isEstimated?: true;
}

/** What the numbers of one answer have in common. */
export interface Shared {
  appUrl: string;
  /** Parameters of `/explain`. */
  explained: Params;
  /** The page that shows numbers which nothing explains. */
  page: string;
  window?: Window | null;
  coverage?: CoverageOfAnswer;
  asOf?: string;
}

const smallSample = 5;
/** Nothing is guessed. */
export const unexplained = 'The API does not say why.';

export function measure(part: Part, place: Place, shared: Shared): Measurement {
  const { path, answer } = part;
  const { key, label, unit, better, at } = place;
  const about = aboutAnswer(part);
  const value = numberAt(answer, at);
  const n = numberAt(answer, place.n);
  const lowSample = place.lowSample === undefined ? null : valueAt(answer, place.lowSample);
  return {
    key,
    label,
    value,
    unit,
    n,
    low_sample: typeof lowSample === 'boolean' ? lowSample : n !== null && n < smallSample,
    interval: intervalAt(answer, place.interval),
    missing: value === null ? (place.missing ?? unexplained) : null,
    window: shared.window === undefined ? about.window : shared.window,
    coverage: shared.coverage ??
      about.coverage ?? { complete: !about.isPartial, expected: null, read: n, reasons: about.reasons },
    as_of: shared.asOf ?? about.asOf,
    source: place.isEstimated ? 'estimated' : sources[about.source],
    better,
    evidence: evidenceOf(place, shared),
    rest: { path, pointer: at },
  };
}

const sources: Record<Source, Measurement['source']> = { live: 'live', database: 'stored', mixed: 'stored' };

function intervalAt(answer: unknown, at: Bounds | undefined): Measurement['interval'] {
  const [low, high] = [numberAt(answer, at?.low), numberAt(answer, at?.high)];
  return low === null || high === null ? null : { low, high, level: 0.95 };
}

/** The page of exactly this number, else the one that shows it. */
function evidenceOf({ key, metric = key }: Place, { appUrl, explained, page }: Shared): string {
  if (metric === null) return new URL(page, appUrl).href;
  const url = new URL('/explain', appUrl);
  url.searchParams.set('metric', metric);
  for (const [name, value] of Object.entries(explained))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

interface Listed extends Pick<Place, 'key' | 'label' | 'unit' | 'better'> {
  /** What is counted, in our words. */
  source: string;
}

/** The numbers of an answer that lists its measurements with what they are. */
export function measureListed(
  part: Part<{ measurements: readonly Listed[] }>,
  shared: Shared,
  isExplained: (key: string) => boolean,
): Measurement[] {
  return part.answer.measurements.map(({ key, label, unit, better, source }, index) => {
    const at = `/measurements/${index}`;
    const metric = isExplained(key) ? key : null;
    const missing = `Too few ${source} among those that were read.`;
    return measure(part, { key, label, unit, better, metric, missing, at: `${at}/value`, n: `${at}/sample` }, shared);
  });
}

/** The value at a JSON pointer (RFC 6901) of an answer; undefined where there is none. */
export function valueAt(answer: unknown, pointer: string): unknown {
  let value = answer;
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}

function numberAt(answer: unknown, pointer: string | undefined): number | null {
  const value = pointer === undefined ? null : valueAt(answer, pointer);
  return typeof value === 'number' ? value : null;
}
