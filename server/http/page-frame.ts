import { randomBytes } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import type { Context } from '../access/context.ts';
import { assertSameSite } from '../access/same-site.ts';
import { Problem } from '../platform/problem.ts';
import { demoContext } from './context.ts';
import { contentSecurityPolicy } from './headers.ts';
import { refusalOfPage } from './page-status.ts';
import { renewSession } from './renewal.ts';
import { nonceContext, requestContext } from './router-context.ts';
import { isApi } from './serve.ts';

/** Around every page: which world it shows, who may post to it, which scripts it may run, and how it is answered. */
export async function framePage(
  provider: Readonly<RouterContextProvider>,
  next: () => Promise<Response>,
): Promise<Response> {
  const asked = provider.get(requestContext);
  // The JSON door frames and refuses by itself.
  if (isApi(asked.url.pathname)) return next();
  const context = /^\/demo(\/|\.data$|$)/.test(asked.url.pathname) ? demoContext(asked) : asked;
  provider.set(requestContext, context);
  const nonce = randomBytes(16).toString('base64url');
  provider.set(nonceContext, nonce);
  assertFormOrigin(context);
  const response = await next();
  await renewSession(context, response.headers);
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
  response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, context.services.env));
  response.headers.set('Cache-Control', 'private, no-store');
  return refusalOfPage(context, response);
}

function assertFormOrigin(context: Context) {
  const refused = foreignForm(context);
  if (refused) throw new Response(refused.message, { status: refused.status, statusText: refused.code });
}

/** As the framework shall see a request: a foreign form as a visit, for else it refuses without a page of ours. */
export function asVisited(context: Context, request: Request): Request {
  if (!foreignForm(context)) return request;
  const headers = new Headers(request.headers);
  for (const name of ['origin', 'content-type', 'content-length']) headers.delete(name);
  return new Request(request.url, { headers });
}

function foreignForm(context: Context): Problem | null {
  try {
    assertSameSite(context);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
