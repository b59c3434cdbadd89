import type { Context, Services } from '../access/context.ts';
import { clientAddress } from '../platform/address.ts';
import { answer } from './answer.ts';
import { createContext } from './context.ts';
import { secure } from './headers.ts';
import type { RequestBody } from './input.ts';
import { type Outgoing, toResponse } from './outgoing.ts';

/** One request, as whichever listener read it tells it. */
export interface Incoming extends RequestBody {
  method: string;
  url: URL;
  headers: Headers;
}

/** A request that a page or the JSON door answers. */
export async function serve(
  services: Services,
  request: Request,
  peer: string,
  page: (context: Context) => Promise<Response>,
): Promise<Response> {
  const { method, headers, body } = request;
  const url = new URL(request.url);
  const door = isApi(url.pathname) ? answer : page;
  return toResponse(await respond(services, { method, url, headers, body }, peer, door));
}

/** A request that is known to be for the JSON door. */
export const serveApi = (services: Services, incoming: Incoming, peer: string): Promise<Outgoing> =>
  respond(services, incoming, peer, answer);

/** One request from the socket's side: who sent it, what every answer carries, one log line. */
async function respond(
  services: Services,
  incoming: Incoming,
  peer: string,
  door: (context: Context, request: RequestBody) => Promise<Outgoing>,
): Promise<Outgoing> {
  const { env, log } = services;
  const started = performance.now();
  const { method, url, headers } = incoming;
  const address = clientAddress(peer, headers.get('x-forwarded-for'), env.TRUST_PROXY_HOPS);
  const context = createContext(services, { method, url, headers, address });
  const outgoing = toSecureOrigin(context) ?? (await door(context, incoming));
  log.info({
    method,
    path: url.pathname,
    status: outgoing.status,
    ms: Math.round(performance.now() - started),
    request_id: context.requestId,
  });
  secure(outgoing.headers, env, context.requestId);
  return outgoing;
}

/** Whether a path belongs to the JSON door, however little of it exists. */
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** A page asked for without encryption, seen by a trusted proxy, is asked for again with it. */
function toSecureOrigin({ url, headers, services: { env } }: Context): Outgoing | null {
  const plain = env.TRUST_PROXY_HOPS > 0 && headers.get('x-forwarded-proto') === 'http';
  if (!plain || !env.APP_URL.startsWith('https:') || machinePath.test(url.pathname)) return null;
  const location = `${env.APP_URL}${url.pathname}${url.search}`;
  return { status: 308, headers: new Headers({ Location: location }), body: null };
}

const machinePath = /^\/api\/(health|webhooks|cron)(\/|$)/;
