import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { serviceVersion } from '../domain/service-version.ts';
import type { AttemptSpans, PipelineSpan } from './span.ts';

/** The semantic conventions that the attributes follow. Raising it is a decision, with a line in the changelog. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.44.0';

export type OtlpProtocol = 'http/protobuf' | 'http/json';

const serializers = { 'http/protobuf': ProtobufTraceSerializer, 'http/json': JsonTraceSerializer };

export const contentTypes: Readonly<Record<OtlpProtocol, string>> = {
  'http/protobuf': 'application/x-protobuf',
  'http/json': 'application/json',
};

type ReadableSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

/**
 * The body of a request to export spans. The package is published as experimental, so it is called here alone, and a
 * test pins the bytes it makes.
 */
export function serializeSpans(
  attempts: readonly AttemptSpans[],
  protocol: OtlpProtocol,
  version: string = serviceVersion,
): Uint8Array {
  const scope = { name: 'delivery-analytics', version, schemaUrl };
  const spans = attempts.flatMap(({ resource: attributes, spans }) => {
    const resource = resourceFromAttributes({ ...attributes }, { schemaUrl });
    return spans.map((span) => toReadable(span, resource, scope));
  });
  const body = serializers[protocol].serializeRequest(spans);
  if (!body) throw new Error('The spans could not be serialized.');
  return body;
}

/** What a receiver says that it did not take; null when it took everything. */
export function readPartialSuccess(
  body: Uint8Array,
  protocol: OtlpProtocol,
): { rejectedSpans: number; message: string } | null {
  if (body.length === 0) return null;
  const { partialSuccess } = serializers[protocol].deserializeResponse(body);
  const rejectedSpans = Number(partialSuccess?.rejectedSpans ?? 0);
  const message = partialSuccess?.errorMessage ?? '';
  return rejectedSpans > 0 || message !== '' ? { rejectedSpans, message } : null;
}

/** Values of `SpanKind`, `SpanStatusCode` and `TraceFlags` of the package's interface. */
const kinds = { internal: 0, server: 1 } as const;
const unset = 0;
const error = 2;
const sampled = 1;

function toReadable(
  span: PipelineSpan,
  resource: ReadableSpan['resource'],
  instrumentationScope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const toContext = (spanId: string, traceId = span.traceId) => ({ traceId, spanId, traceFlags: sampled });
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => toContext(span.spanId),
    parentSpanContext: span.parentSpanId === null ? undefined : toContext(span.parentSpanId),
    startTime: toHrTime(span.startAt),
    endTime: toHrTime(span.endAt),
    duration: toHrTime(span.endAt - span.startAt),
    status: { code: span.isError ? error : unset },
    attributes: { ...span.attributes },
    links: span.link
      ? [{ context: toContext(span.link.spanId, span.link.traceId), attributes: { 'das.link': 'previous_attempt' } }]
      : [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds of epoch milliseconds. */
const toHrTime = (instant: number): [number, number] => [Math.floor(instant / 1000), (instant % 1000) * 1_000_000];
