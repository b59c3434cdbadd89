import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** A span as it came over the wire. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  startNs: bigint;
  endNs: bigint;
  statusCode: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  schemaUrl: string;
  links: { traceId: string; spanId: string; attributes: Record<string, unknown> }[];
  /** All of it, to compare repetitions byte by byte. */
  bytes: string;
}

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  spans: ReceivedSpan[];
}

/** What the receiver does with a request: takes it, answers something else, or says nothing. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: Uint8Array | string; keeps?: boolean }
  | 'hang'
  | 'reset';

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Distinct spans that were taken, by trace and span id. */
  spans: Map<string, ReceivedSpan>;
  /** Spans that were taken once more. */
  repeated: ReceivedSpan[];
  /** undefined takes everything. */
  answer: ((request: ReceivedRequest) => Answer | undefined | Promise<Answer | undefined>) | null;
}

/** A receiver of OTLP over HTTP that keeps distinct spans, closed after the test. */
export async function openReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', requests: [], spans: new Map(), repeated: [], answer: null };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const received = { path: request.url ?? '', headers: request.headers, spans: decodeRequest(body) };
    receiver.requests.push(received);
    const answer = (await receiver.answer?.(received)) ?? { status: 200 };
    if (answer === 'hang') return;
    if (answer === 'reset') return void request.socket.destroy();
    if (answer.status === 200 || answer.keeps) for (const span of received.spans) keep(receiver, span);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

function keep({ spans, repeated }: Receiver, span: ReceivedSpan): void {
  const key = `${span.traceId} ${span.spanId}`;
  if (spans.has(key)) repeated.push(span);
  else spans.set(key, span);
}

/** An answer that says how many spans were not taken. */
export const partialSuccess = (rejected: number, message: string): Buffer => {
  const text = Buffer.from(message);
  const inner = Buffer.concat([Buffer.from([0x08, rejected, 0x12, text.length]), text]);
  return Buffer.concat([Buffer.from([0x0a, inner.length]), inner]);
};

interface Field {
  number: number;
  /** Bytes of what has a length; a number otherwise. */
  value: Buffer | bigint;
}

function* readFields(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const type = tag & 7;
    if (type === 0) yield { number, value: varint() };
    else if (type === 1) {
      yield { number, value: bytes.readBigUInt64LE(at) };
      at += 8;
    } else if (type === 5) {
      yield { number, value: BigInt(bytes.readUInt32LE(at)) };
      at += 4;
    } else if (type === 2) {
      const length = Number(varint());
      yield { number, value: bytes.subarray(at, at + length) };
      at += length;
    } else throw new Error(`wire type ${type}`);
  }
}

const all = (bytes: Buffer, number: number) =>
  [...readFields(bytes)].filter((field) => field.number === number).map(({ value }) => value as Buffer);
const first = (bytes: Buffer, number: number) => all(bytes, number)[0] ?? Buffer.alloc(0);
const integer = (bytes: Buffer, number: number) =>
  BigInt(([...readFields(bytes)].find((field) => field.number === number)?.value as bigint | undefined) ?? 0n);

function decodeRequest(body: Buffer): ReceivedSpan[] {
  return all(body, 1).flatMap((resourceSpans) => {
    const resource = decodeAttributes(all(first(resourceSpans, 1), 1));
    const schemaUrl = first(resourceSpans, 3).toString();
    return all(resourceSpans, 2).flatMap((scopeSpans) =>
      all(scopeSpans, 2).map((span) => ({ ...decodeSpan(span), resource, schemaUrl })),
    );
  });
}

function decodeSpan(span: Buffer): Omit<ReceivedSpan, 'resource' | 'schemaUrl'> {
  const parent = first(span, 4);
  return {
    traceId: first(span, 1).toString('hex'),
    spanId: first(span, 2).toString('hex'),
    parentSpanId: parent.length > 0 ? parent.toString('hex') : null,
    name: first(span, 5).toString(),
    kind: Number(integer(span, 6)),
    startNs: integer(span, 7),
    endNs: integer(span, 8),
    statusCode: Number(integer(first(span, 15), 3)),
    attributes: decodeAttributes(all(span, 9)),
    links: all(span, 13).map((link) => ({
      traceId: first(link, 1).toString('hex'),
      spanId: first(link, 2).toString('hex'),
      attributes: decodeAttributes(all(link, 4)),
    })),
    bytes: span.toString('hex'),
  };
}

const decodeAttributes = (pairs: readonly Buffer[]) =>
  Object.fromEntries(pairs.map((pair) => [first(pair, 1).toString(), decodeValue(first(pair, 2))]));

function decodeValue(value: Buffer): unknown {
  const [field] = readFields(value);
  if (field?.number === 1) return (field.value as Buffer).toString();
  if (field?.number === 2) return field.value === 1n;
  if (field?.number === 3) return Number(field.value);
  if (field?.number === 5) return all(field.value as Buffer, 1).map(decodeValue);
  return undefined;
}
