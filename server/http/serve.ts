import type { Context, Services } from '../access/context.ts';
import { clientAddress } from '../platform/address.ts';
import { countAnswer } from '../platform/process-metrics.ts';
import { createRequestRecord, getCacheState, withRequestRecord } from '../platform/request-record.ts';
import { answer, type Outgoing, toResponse } from './answer.ts';
import { createContext, isUnencrypted } from './context.ts';
import { hasDeferredParts } from './deferred-panels.ts';
import { secure } from './headers.ts';
import type { RequestBody } from './input.ts';
import { answerMetrics, isMetrics } from './metrics.ts';
import { isSharedPage, secureShared, withoutCaller } from './shared-page.ts';

/** One request, as any listener passes it on. */
export interface Incoming extends RequestBody {
  method: string;
  url: URL;
  /** Aborted when the caller goes away before the answer. */
  signal: AbortSignal;
}

/** What answers pages: everything outside of `/api`. */
type Pages = (context: Context, request: RequestBody) => Promise<Outgoing>;

/** The same over web standards, for whoever reads the socket by other means than our own server. */
export async function serve(services: Services, request: Request, peer: string, pages: Pages): Promise<Response> {
  const { method, headers, body, signal } = request;
  const incoming = { method, url: new URL(request.url), headers, body, signal };
  return toResponse(await respond(services, incoming, peer, pages));
}

/**
 * One request of whichever kind: who sent it, what every answer carries, one log line. That of a page of which parts
 * follow, or of a file that is made on the way, is written when these were sent.
 */
export async function respond(services: Services, incoming: Incoming, peer: string, pages: Pages): Promise<Outgoing> {
  const { env, log } = services;
  const started = performance.now();
  const { method, url, headers, signal } = incoming;
  services.forwardedHeaders.note(headers);
  const address = clientAddress(peer, headers.get('x-forwarded-for'), env.TRUST_PROXY_HOPS);
  const isShared = isSharedPage(url);
  const own = isShared ? withoutCaller(headers) : headers;
  const context = createContext(services, { method, url, headers: own, address, signal });
  const adapter = isMetrics(url.pathname) ? answerMetrics : isApi(url.pathname) ? answer : pages;
  const record = createRequestRecord();
  const outgoing = await withRequestRecord(record, async () => toSecureOrigin(context) ?? adapter(context, incoming));
  secure(outgoing.headers, env, context.requestId);
  if (isShared) secureShared(outgoing.headers, context);
  const logRequest = () => {
    const ms = performance.now() - started;
    countAnswer(countedAs(url.pathname, record.operation), method, outgoing.status, ms);
    log.info({
      method,
      path: url.pathname,
      status: outgoing.status,
      ms: Math.round(ms),
      operation: record.operation,
      ...(record.mcp && { mcp_method: record.mcp.method, mcp_name: record.mcp.name }),
      cache: getCacheState(record),
      upstream_requests: record.upstreamRequests,
      request_id: context.requestId,
    });
  };
  const { status, body, isMadeOnTheWay = false } = outgoing;
  if ((hasDeferredParts(context) || isMadeOnTheWay) && body instanceof ReadableStream)
    return { status, headers: outgoing.headers, body: whenRead(body, logRequest), isMadeOnTheWay };
  logRequest();
  return outgoing;
}

/** The same stream; says when the last of it was read, or no more will be. */
function whenRead(body: ReadableStream<Uint8Array>, then: () => void): ReadableStream<Uint8Array> {
  // The types do not know `cancel` yet.
  const ending: Transformer<Uint8Array, Uint8Array> & { cancel(): void } = { flush: then, cancel: then };
  return body.pipeThrough(new TransformStream(ending));
}

/** What an answer is counted as: the declared path; all pages together. `operation` is `GET /api/…` with its template. */
function countedAs(path: string, operation: string | null): string {
  if (operation === null) return 'unknown';
  return isApi(path) || isMetrics(path) ? operation.slice(operation.indexOf(' ') + 1) : 'page';
}

/** Whether a path belongs to the JSON adapter, however little of it exists. */
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** A page requested without encryption is requested again with it. */
function toSecureOrigin(context: Context): Outgoing | null {
  const { url, services } = context;
  if (isApi(url.pathname) || isMetrics(url.pathname) || !isUnencrypted(context)) return null;
  const location = `${services.env.APP_URL}${url.pathname}${url.search}`;
  return { status: 308, headers: new Headers({ Location: location }), body: null };
}
