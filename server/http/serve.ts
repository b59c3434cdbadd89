import type { Context, Services } from '../access/context.ts';
import { clientAddress } from '../platform/address.ts';
import { answer } from './answer.ts';
import { createContext } from './context.ts';
import { secure } from './headers.ts';

/** One request from the socket's side: who sent it, which door, what every answer carries, one log line. */
export async function serve(
  services: Services,
  request: Request,
  peer: string,
  page: (context: Context) => Promise<Response>,
): Promise<Response> {
  const { env, log } = services;
  const started = performance.now();
  const url = new URL(request.url);
  const address = clientAddress(peer, request.headers.get('x-forwarded-for'), env.TRUST_PROXY_HOPS);
  const context = createContext(services, { method: request.method, url, headers: request.headers, address });
  const response = toSecureOrigin(context) ?? (await (isApi(url) ? answer(context, request) : page(context)));
  log.info({
    method: request.method,
    path: url.pathname,
    status: response.status,
    ms: Math.round(performance.now() - started),
    request_id: context.requestId,
  });
  return secure(response, env, context.requestId);
}

const isApi = (url: URL) => url.pathname.startsWith('/api/');

/** A page asked for without encryption, seen by a trusted proxy, is asked for again with it. */
function toSecureOrigin({ url, headers, services: { env } }: Context): Response | null {
  const plain = env.TRUST_PROXY_HOPS > 0 && headers.get('x-forwarded-proto') === 'http';
  if (!plain || !env.APP_URL.startsWith('https:') || machinePath.test(url.pathname)) return null;
  return new Response(null, { status: 308, headers: { Location: `${env.APP_URL}${url.pathname}${url.search}` } });
}

const machinePath = /^\/api\/(health|webhooks|cron)(\/|$)/;
