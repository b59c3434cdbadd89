import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Log } from '../platform/log.ts';
import { compressed } from './compression.ts';
import type { Outgoing } from './outgoing.ts';
import { type Incoming, isApi } from './serve.ts';

type Door = (incoming: Incoming, address: string) => Promise<Outgoing>;

/**
 * Lets `/api/*` be answered before the framework's own chain (logging, compression, static files, router), which costs
 * most of the time of a small answer. Everything else goes where it went.
 */
export function putApiFirst(server: Server, log: Log, door: Door): void {
  const framework = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const url = apiUrl(request.url ?? '');
    if (url) void handle(request, response, url, door).catch((error: unknown) => breakOff(response, error, log));
    else for (const listener of framework) listener.call(server, request, response);
  });
}

/** null for what is no address of the JSON door, also once `..` in it is resolved. */
function apiUrl(target: string): URL | null {
  if (!/^\/api(?:[/?]|$)/.test(target)) return null;
  const url = URL.parse(`http://localhost${target}`);
  return url && isApi(url.pathname) ? url : null;
}

async function handle(request: IncomingMessage, response: ServerResponse, url: URL, door: Door): Promise<void> {
  const outgoing = await door(read(request, url), request.socket.remoteAddress ?? '');
  if (!request.complete || request.readableDidRead) discardRest(request);
  await write(outgoing, response, request.headers['accept-encoding']);
}

/** Half an answer must not look like a whole one. That the caller went away is no fault of ours. */
function breakOff(response: ServerResponse, error: unknown, log: Log): void {
  const isGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (!isGone) log.error({ err: error }, 'an answer could not be sent');
  response.destroy();
}

function read(request: IncomingMessage, url: URL): Incoming {
  const headers = new Headers(request.headers as Record<string, string>);
  const { method = 'GET' } = request;
  // A refusal must still find its way back, so a body that is not read to its end does not end the connection.
  const body = method === 'GET' || method === 'HEAD' ? null : () => request.iterator({ destroyOnReturn: false });
  return { method, url, headers, body: body && { [Symbol.asyncIterator]: body } };
}

const discardedMs = 1000;

/** What still comes of a refused body is not kept, and not awaited for long. */
function discardRest(request: IncomingMessage): void {
  request.resume();
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), discardedMs);
  timer.unref();
  request.once('end', () => clearTimeout(timer));
}

async function write(outgoing: Outgoing, response: ServerResponse, acceptEncoding: string | undefined): Promise<void> {
  const { status, headers, body } = outgoing;
  const told: Record<string, string | string[]> = {};
  for (const [name, value] of headers) told[name] = name === 'set-cookie' ? headers.getSetCookie() : value;
  told.vary = told.vary ? `${told.vary}, Accept-Encoding` : 'Accept-Encoding';
  if (body === null) {
    response.writeHead(status, told).end();
  } else if (typeof body === 'string') {
    const { encoding, bytes } = await compressed(body, acceptEncoding);
    if (encoding) told['content-encoding'] = encoding;
    told['content-length'] = String(bytes.length);
    response.writeHead(status, told).end(bytes);
  } else {
    response.writeHead(status, told);
    await pipeline(Readable.fromWeb(body as ReadableStream), response);
  }
}
