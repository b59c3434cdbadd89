import { cleanText } from '../platform/untrusted-text.ts';
import type { Interval } from './interval.ts';

export type AttributeValue = string | number | boolean | string[];

/** Attributes of a span or a resource; what is null is left out. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A span of a pipeline run, before it is written in any format. */
export interface PipelineSpan extends Interval {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: 'server' | 'internal';
  isError: boolean;
  attributes: Attributes;
  /** The attempt before, of the root of a later one. */
  link: { traceId: string; spanId: string } | null;
}

/** Spans of one attempt of a run with what they have in common. */
export interface AttemptSpans {
  resource: Attributes;
  spans: PipelineSpan[];
}

const maxNameCodePoints = 200;
const maxValueCodePoints = 1024;

/** A name that strangers chose, fit for a span; the other one where nothing of it can be seen. */
export const toSpanName = (name: string, otherwise: string): string =>
  cleanText(name, maxNameCodePoints).text.trim() || otherwise;

/** Attributes of those that are known, their texts without what cannot be seen. */
export function toAttributes(values: Readonly<Record<string, AttributeValue | null>>): Attributes {
  const known: Record<string, AttributeValue> = {};
  for (const [key, value] of Object.entries(values))
    if (value !== null) known[key] = Array.isArray(value) ? value.map(clean) : clean(value);
  return known;
}

const clean = <Value extends AttributeValue>(value: Value) =>
  (typeof value === 'string' ? cleanText(value, maxValueCodePoints).text : value) as Value;
