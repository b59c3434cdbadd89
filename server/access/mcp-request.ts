import { isLocalClient } from '../platform/address.ts';
import { isLoopback } from '../platform/env-fields.ts';
import { Problem } from '../platform/problem.ts';
import type { Context } from './context.ts';
import { bearerToken } from './machines.ts';
import { isOwnToken } from './token-text.ts';

/**
 * What can be determined of a request to the MCP endpoint before its token is looked up: that no page of another site
 * sent it, that no name was pointed at this machine, and that it carries a token of this service. A platform token is
 * not looked at, because MCP servers take only tokens that were issued for themselves (MCP 2026-07-28, authorization).
 * @throws Problem `origin_not_allowed`, `unauthenticated`
 */
export function assertMcpRequest(context: Context): void {
  assertOrigin(context);
  assertHost(context);
  const sent = bearerToken(context.headers);
  if (sent !== null && isOwnToken(sent)) return;
  throw new Problem('unauthenticated', 'Send an access token of this service as a bearer token.', {
    details: { reason: 'token_not_valid' },
  });
}

function assertOrigin({ headers, services: { env } }: Context): void {
  const origin = headers.get('origin');
  if (origin === null || origin === env.APP_URL || env.MCP_ALLOWED_ORIGINS.includes(origin)) return;
  throw new Problem('origin_not_allowed', 'Pages of this origin may not call the MCP endpoint.');
}

/** Against DNS rebinding: a page reaches this machine under the name of its own site. */
function assertHost({ headers, url, address, services: { env } }: Context): void {
  const host = headers.get('host') ?? url.host;
  const { protocol, host: own } = new URL(env.APP_URL);
  if (URL.parse(`${protocol}//${host}`)?.host === own) return;
  if (isLocalClient(address) && isLoopback(URL.parse(`http://${host}`)?.hostname ?? '')) return;
  throw new Problem('origin_not_allowed', 'The Host header is not that of this service.');
}
