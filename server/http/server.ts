import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import compression from 'compression';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import { countAnswer, httpRefusals } from '../platform/process-metrics.ts';
import type { Outgoing } from './answer.ts';
import { compressed, compressing } from './compression.ts';
import { toRequestId } from './context.ts';
import { toErrorBody } from './error-body.ts';
import { inertPolicy, secure } from './headers.ts';
import { isMetrics } from './metrics.ts';
import { type Incoming, isApi } from './serve.ts';
import type { Middleware } from './static-files.ts';

export interface ServerOptions {
  env: Env;
  log: Log;
  /** Answers GET and HEAD of files, and passes everything else on. */
  files: Middleware;
  answer(incoming: Incoming, address: string): Promise<Outgoing>;
}

/** The HTTP server, not yet listening: `/api/*` goes straight to the JSON adapter, the rest to files and pages. */
export function createHttpServer(options: ServerOptions): Server {
  const { env, files } = options;
  const compress = compression();
  const listener: RequestListener = (request, response) => {
    // Before Node's own listener, which ends a connection that is to close.
    response.prependOnceListener('finish', () => endUpload(request));
    const url = parseUrl(request, env.APP_URL);
    if (url && (isApi(url.pathname) || isMetrics(url.pathname)))
      return void answerWith(options, request, response, url);
    response.setHeaders(secured(env, toRequestId(request.headers['x-request-id'])));
    if (!url) return badRequest(response, env);
    compress(request, response, () => {
      const started = performance.now();
      const countFile = () =>
        countAnswer('static', request.method ?? '', response.statusCode, performance.now() - started);
      response.once('finish', countFile);
      files(request, response, () => {
        response.off('finish', countFile);
        void answerWith(options, request, response, url);
      });
    });
  };
  const timeouts = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
  return createServer(timeouts, listener).on('connect', denyTunnel);
}

function secured(env: Env, requestId: string): Headers {
  const headers = new Headers();
  secure(headers, env, requestId);
  return headers;
}

/** The address of a request under our own origin; null where its target or its `Host` is malformed (RFC 9112 §3.2). */
function parseUrl({ url: target = '', headers: { host } }: IncomingMessage, origin: string): URL | null {
  if (host !== undefined && !isHost(host)) return null;
  if (target.startsWith('/')) return URL.parse(`${origin}${target}`);
  const absolute = /^https?:/i.test(target) ? URL.parse(target) : null;
  return absolute && URL.parse(`${origin}${absolute.pathname}${absolute.search}`);
}

const isHost = (host: string): boolean => /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);

function badRequest(response: ServerResponse, env: Env): void {
  const problem = new Problem('invalid_request', 'The address or the Host header is malformed.', {
    details: { fields: [] },
  });
  httpRefusals.add({ code: problem.code });
  countAnswer('unknown', response.req.method ?? '', 400, 0);
  const body = JSON.stringify(toErrorBody(problem, String(response.getHeader('x-request-id')), env));
  const length = Buffer.byteLength(body);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Security-Policy': inertPolicy,
    'Content-Length': length,
  };
  response.writeHead(400, headers).end(body);
}

/** CONNECT requests a proxy. Node does not hand it to the listener of requests. */
const denyTunnel = (_request: IncomingMessage, socket: Socket) =>
  socket
    .on('error', () => undefined)
    .end('HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');

async function answerWith(
  { answer, log }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  try {
    const outgoing = await answer(read(request, response, url), request.socket.remoteAddress ?? '');
    // A shared page that may be framed goes without it.
    if (!outgoing.headers.has('x-frame-options')) response.removeHeader('x-frame-options');
    await write(outgoing, response, request.headers['accept-encoding']);
  } catch (error) {
    breakOff(response, error, log);
  }
}

/** Half an answer must not look like a complete one. That the caller went away is no error of ours. */
function breakOff(response: ServerResponse, error: unknown, log: Log): void {
  const isGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (!isGone) log.error({ err: error }, 'an answer could not be sent');
  response.destroy();
}

function read(request: IncomingMessage, response: ServerResponse, url: URL): Incoming {
  const headers = new Headers(request.headers as Record<string, string>);
  const { method = 'GET' } = request;
  // A failure must still reach the caller, so a body that is not read to its end does not end the connection.
  const body = method === 'GET' || method === 'HEAD' ? null : () => request.iterator({ destroyOnReturn: false });
  return { method, url, headers, signal: goneSignal(response), body: body && { [Symbol.asyncIterator]: body } };
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/**
 * As long as nginx waits (`lingering_timeout`): a caller that is still sending loses an answer when its connection
 * ends.
 */
const discardedMs = 5000;

/** What still comes of a body after its answer is not stored, and not awaited for long. */
function endUpload(request: IncomingMessage): void {
  request.resume();
  if (request.complete) return;
  const { socket } = request;
  // With `Connection: close` Node would close at once, and what still comes would reset the connection.
  socket.destroySoon = () => socket.end();
  const timer = setTimeout(() => socket.destroy(), discardedMs);
  timer.unref();
  request.once('end', () => {
    clearTimeout(timer);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  });
}

async function write(outgoing: Outgoing, response: Flushable, acceptEncoding: string | undefined): Promise<void> {
  const { status, headers, body } = outgoing;
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of headers) fields[name] = name === 'set-cookie' ? headers.getSetCookie() : value;
  fields.vary = fields.vary ? `${fields.vary}, Accept-Encoding` : 'Accept-Encoding';
  if (body === null) {
    response.writeHead(status, fields).end();
  } else if (typeof body === 'string') {
    const { encoding, bytes } = await compressed(body, acceptEncoding);
    if (encoding) fields['content-encoding'] = encoding;
    fields['content-length'] = String(bytes.length);
    response.writeHead(status, fields).end(bytes);
  } else if (outgoing.isMadeOnTheWay) {
    const coding = compressing(acceptEncoding);
    if (coding) fields['content-encoding'] = coding.encoding;
    response.writeHead(status, fields);
    const chunks = Readable.fromWeb(body as ReadableStream);
    await (coding ? pipeline(chunks, coding.stream, response) : pipeline(chunks, response));
  } else {
    response.writeHead(status, fields);
    const chunks = Readable.fromWeb(body as ReadableStream);
    await pipeline(chunks, (source: AsyncIterable<Uint8Array>) => flushed(source, response), response);
  }
}

/** A response that `compression` has wrapped can send what it holds back. */
type Flushable = ServerResponse & { flush?(): void };

/** Each chunk reaches the caller before the next one is made. */
async function* flushed(chunks: AsyncIterable<Uint8Array>, response: Flushable) {
  for await (const chunk of chunks) {
    yield chunk;
    response.flush?.();
  }
}
