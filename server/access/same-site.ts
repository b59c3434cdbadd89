import { Problem } from '../platform/problem.ts';
import { sendsToken } from './bearer.ts';
import type { Context } from './context.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a write that a foreign page could have sent with the caller's cookie.
 * A caller who sends a token instead of a cookie is no browser and is not asked.
 */
export function assertSameSite({ method, headers, services }: Context): void {
  if (safeMethods.has(method) || sendsToken(headers)) return;
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const allowed = origin ? origin === services.env.APP_URL : site ? site === 'same-origin' || site === 'none' : isJson;
  if (!allowed) throw new Problem('csrf_rejected', 'The request came from another site and was refused.');
}
