import type { Context } from '../access/context.ts';
import { operations } from '../api/registry.ts';
import type { Outgoing } from './answer.ts';
import type { Match } from './match.ts';

const requestHeaders = 'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name';
const exposedHeaders = 'www-authenticate, retry-after, x-request-id';

/** The answer to a preflight of an origin that may call an operation here; null for every other request. */
export function answerPreflight(found: Match, context: Context): Outgoing | null {
  if (context.method !== 'OPTIONS' || !allowedOrigin(found, context)) return null;
  const headers = new Headers({
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': requestHeaders,
    'Cache-Control': 'no-store',
  });
  return { status: 204, headers, body: null };
}

/** Lets the page of an allowed origin read the answer, a rejection included. No cookie takes part. */
export function allowOrigin(found: Match, context: Context, { headers }: Outgoing): void {
  const origin = allowedOrigin(found, context);
  if (!origin) return;
  headers.set('Access-Control-Allow-Origin', origin);
  headers.set('Access-Control-Expose-Headers', exposedHeaders);
  headers.append('Vary', 'Origin');
}

/** The origin of the request, where an operation at its address may be called from there. */
function allowedOrigin({ operation }: Match, { url, headers, services: { env } }: Context): string | null {
  const origin = headers.get('origin');
  if (origin === null) return null;
  const called = operation ?? operations.find(({ path }) => path === url.pathname);
  return called?.allowedOrigins?.(env).includes(origin) ? origin : null;
}
