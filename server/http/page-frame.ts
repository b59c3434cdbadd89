import { randomBytes } from 'node:crypto';
import type { RouterContextProvider } from 'react-router';
import { assertSameSite } from '../access/same-site.ts';
import { Problem } from '../platform/problem.ts';
import { demoContext } from './context.ts';
import { contentSecurityPolicy } from './headers.ts';
import { nonceContext, requestContext } from './router-context.ts';

/** Around every page: which world it shows, who may post to it, and which scripts it may run. */
export async function framePage(
  provider: Readonly<RouterContextProvider>,
  next: () => Promise<Response>,
): Promise<Response> {
  const context = provider.get(requestContext);
  // The JSON door frames and refuses by itself.
  if (context.url.pathname.startsWith('/api/')) return next();
  if (/^\/demo(\/|\.data$|$)/.test(context.url.pathname)) provider.set(requestContext, demoContext(context));
  const nonce = randomBytes(16).toString('base64url');
  provider.set(nonceContext, nonce);
  assertFormOrigin(context);
  const response = await next();
  if (response.headers.get('Content-Type')?.startsWith('text/html')) {
    response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, context.services.env));
    response.headers.set('Cache-Control', 'private, no-store');
  }
  return response;
}

function assertFormOrigin(context: Parameters<typeof assertSameSite>[0]) {
  try {
    assertSameSite(context);
  } catch (error) {
    if (error instanceof Problem) throw new Response(error.message, { status: error.status, statusText: error.code });
    throw error;
  }
}
