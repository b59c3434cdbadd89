import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it came. */
export interface MailRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what was sent freely.
  body: any;
  text: string;
}

/** How the next requests are answered instead; `hang` never answers, `endless` never ends, `reset` breaks off. */
export interface Trouble {
  kind?: 'answer' | 'hang' | 'reset' | 'stalled_body' | 'endless';
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  times?: number;
}

/** The two providers of email that are requested over HTTP, as far as they are used: one address for both. */
export interface MailDouble {
  url: string;
  /** Keys that are accepted. */
  keys: { postmark: string; resend: string };
  requests: MailRequest[];
  trouble(trouble: Trouble): void;
  /** Lets what is taken wait so long for its answer. */
  answerAfter(ms: number): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startMailDouble(): Promise<MailDouble> {
  const keys = { postmark: 'postmark-key-CANARY-0001', resend: 're_resend-key-CANARY-0002' };
  const requests: MailRequest[] = [];
  const known = new Map<string, { text: string; id: string }>();
  let trouble: Required<Trouble> | null = null;
  let answeredAfterMs = 0;
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    // Who died while asking has asked nothing.
    if (text === null) return;
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, text, body: JSON.parse(text || 'null') as unknown };
    requests.push(seen);
    if (trouble && trouble.times-- > 0) return misbehave(trouble, response);
    const answer = answerTo(seen, keys, known);
    if (answeredAfterMs > 0) await sleep(answeredAfterMs);
    reply(response, answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    requests,
    trouble(wanted) {
      trouble = { kind: 'answer', status: 200, headers: {}, body: '', times: 1, ...wanted };
    },
    answerAfter(ms) {
      answeredAfterMs = ms;
    },
    reset() {
      trouble = null;
      answeredAfterMs = 0;
      requests.length = 0;
      known.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return null;
  }
}

interface Reply {
  status: number;
  body: object;
}

function answerTo(
  seen: MailRequest,
  keys: MailDouble['keys'],
  known: Map<string, { text: string; id: string }>,
): Reply {
  const { method, path } = seen;
  if (method === 'POST' && path === '/email') return postmark(seen, keys.postmark);
  if (method === 'POST' && path === '/emails') return resend(seen, keys.resend, known);
  return { status: 404, body: { message: `There is no ${method} ${path}` } };
}

function reply(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function misbehave({ kind, status, headers, body }: Required<Trouble>, response: ServerResponse): void {
  if (kind === 'reset') response.destroy();
  if (kind === 'stalled_body') response.writeHead(status, { 'content-type': 'application/json' }).write('{"Mess');
  if (kind === 'endless')
    Readable.from(forever())
      .on('error', () => undefined)
      .pipe(response.writeHead(status));
  if (kind === 'answer') response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function* forever() {
  for (;;) yield 'x'.repeat(16_384);
}

function postmark({ headers, body }: MailRequest, key: string): Reply {
  const expectRejected = (status: number, ErrorCode: number, Message: string) => ({
    status,
    body: { ErrorCode, Message },
  });
  if (headers['x-postmark-server-token'] !== key)
    return expectRejected(401, 10, 'Request does not contain a valid Server token.');
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return expectRejected(422, 402, 'Invalid JSON');
  if (!body.From || !body.To || !(body.HtmlBody || body.TextBody))
    return expectRejected(422, 300, 'Zero recipients specified');
  const MessageID = `pm-${body.Metadata?.idempotency_key}`;
  return {
    status: 200,
    body: { To: body.To, SubmittedAt: '2026-11-16T10:00:00Z', MessageID, ErrorCode: 0, Message: 'OK' },
  };
}

function resend(
  { headers, body, text }: MailRequest,
  key: string,
  known: Map<string, { text: string; id: string }>,
): Reply {
  const expectRejected = (statusCode: number, name: string, message: string) => ({
    status: statusCode,
    body: { statusCode, name, message },
  });
  if (headers.authorization !== `Bearer ${key}`) return expectRejected(401, 'validation_error', 'API key is invalid');
  if (!body.from || !body.to) return expectRejected(422, 'missing_required_field', 'Missing `to` field.');
  const idempotencyKey = String(headers['idempotency-key'] ?? '');
  const earlier = known.get(idempotencyKey);
  if (earlier && earlier.text !== text)
    return expectRejected(409, 'invalid_idempotent_request', 'Same key, another payload.');
  const id = earlier?.id ?? `re-${known.size + 1}`;
  if (idempotencyKey) known.set(idempotencyKey, { text, id });
  return { status: 200, body: { id } };
}
