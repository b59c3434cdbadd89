import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { serviceVersion } from '../domain/service-version.ts';
import { lookupFor } from '../platform/receiver-address.ts';
import { connectionError, isUnsafe, readRetryAfter } from '../platform/receiver-answer.ts';
import { cleanText } from '../platform/untrusted-text.ts';
import { contentTypes, type OtlpProtocol, readPartialSuccess } from './serialize.ts';

/** What came of a request, by what may be done next (contract-open §4.6.6). */
export type SendResult =
  | { kind: 'accepted'; rejected: number; message: string | null }
  | { kind: 'retry'; message: string; retryAfterMs: number | null }
  /** Something in the body is not taken: fewer spans at a time may be. */
  | { kind: 'unacceptable'; message: string }
  /** Nothing more is to be sent until somebody changes the destination. */
  | { kind: 'refused'; message: string };

export interface Receiver {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  protocol: OtlpProtocol;
  compression: 'gzip' | 'none';
  /** null where the operator named the endpoint, which then may be anywhere. */
  allowedHosts: readonly string[] | null;
  /** How long one request may take, in ms. */
  timeoutMs?: number;
}

export interface Sender {
  /** Sends a body made by `serializeSpans`. Never throws. */
  send(body: Uint8Array): Promise<SendResult>;
  close(): Promise<void>;
}

const usualTimeoutMs = 10_000;
const maxAnswerBytes = 4 * 1024 * 1024;
const maxMessageCodePoints = 500;
const maxRetryAfterMs = 15 * 60_000;
const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const unacceptableStatuses: ReadonlySet<number> = new Set([400, 413]);
const compress = promisify(gzip);
/** The usual level takes more than twice as long, for bodies that are a tenth smaller. */
const fastest = constants.Z_BEST_SPEED;

/** Connections to a receiver, each of which leads to an address that was checked; redirects are not followed. */
export function openSender(receiver: Receiver): Sender {
  let agent: Agent | undefined;
  return {
    async send(body) {
      try {
        agent ??= openAgent(receiver);
        return await post(receiver, body, agent);
      } catch (error) {
        const message = clean(connectionError(error));
        if (isUnsafe(error)) return { kind: 'refused', message };
        return { kind: 'retry', message, retryAfterMs: null };
      }
    },
    close: async () => agent?.destroy(),
  };
}

function openAgent({ endpoint, allowedHosts }: Receiver): Agent {
  const lookup = allowedHosts === null ? undefined : lookupFor(tracesUrl(endpoint), allowedHosts);
  return new Agent({ connections: 1, pipelining: 1, connect: { timeout: usualTimeoutMs, lookup } });
}

async function post(receiver: Receiver, body: Uint8Array, dispatcher: Agent): Promise<SendResult> {
  const { endpoint, protocol, compression, timeoutMs = usualTimeoutMs } = receiver;
  const isZipped = compression === 'gzip';
  const answer = await request(tracesUrl(endpoint), {
    method: 'POST',
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...receiver.headers,
      'content-type': contentTypes[protocol],
      'user-agent': `delivery-analytics/${serviceVersion}`,
      ...(isZipped && { 'content-encoding': 'gzip' }),
    },
    body: isZipped ? await compress(body, { level: fastest }) : body,
  });
  const { statusCode, headers } = answer;
  const bytes = await readAnswer(answer.body);
  if (statusCode >= 200 && statusCode < 300) return toAccepted(bytes, protocol);
  const message = clean(`${statusCode} ${bytes?.subarray(0, maxMessageCodePoints * 4).toString('utf8') ?? ''}`);
  if (transientStatuses.has(statusCode))
    return { kind: 'retry', message, retryAfterMs: readRetryAfter(headers['retry-after'], maxRetryAfterMs) };
  return { kind: unacceptableStatuses.has(statusCode) ? 'unacceptable' : 'refused', message };
}

/** null when it is larger than any answer could be. */
async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The receiver has taken the spans, whatever else its answer holds. */
function toAccepted(bytes: Buffer | null, protocol: OtlpProtocol): SendResult {
  const partial = bytes && tryPartialSuccess(bytes, protocol);
  if (!partial) return { kind: 'accepted', rejected: 0, message: null };
  return { kind: 'accepted', rejected: Math.max(0, partial.rejectedSpans), message: clean(partial.message) };
}

function tryPartialSuccess(bytes: Buffer, protocol: OtlpProtocol): ReturnType<typeof readPartialSuccess> {
  try {
    return readPartialSuccess(bytes, protocol);
  } catch {
    return null;
  }
}

const clean = (text: string) => cleanText(text, maxMessageCodePoints).text.trim();

/** The address that traces are posted to: the endpoint with the path of the protocol, or as it is where it has that. */
export function tracesUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(tracesPath) ? path : `${path}${tracesPath}`;
  return url;
}

const tracesPath = '/v1/traces';
