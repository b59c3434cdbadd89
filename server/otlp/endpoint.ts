import type { LookupFunction } from 'node:net';
import { assertPublicLiteral, isAllowed, privateLookup, publicLookup, whyUnsafe } from '../platform/safe-address.ts';

/** The address that traces are posted to: the endpoint with the path of the protocol, or as it is where it has that. */
export function tracesUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(tracesPath) ? path : `${path}${tracesPath}`;
  return url;
}

const tracesPath = '/v1/traces';

/**
 * Why an endpoint may not be saved, as the end of a sentence; null when it may. Queries DNS. `allowedHosts`, in lower
 * case, may be private and be called over http.
 */
export async function whyUnusable(endpoint: string, allowedHosts: readonly string[]): Promise<string | null> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'is no https address';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password; use a header';
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(endpoint)) return 'has a query or a fragment';
  if (url.protocol === 'http:' && !isAllowed(url, { allowedHosts })) return 'must begin with https://';
  return whyUnsafe(endpoint, { allowedHosts });
}

/**
 * How a connection finds the addresses of an endpoint's host, so that what was checked is what is connected to.
 * @throws UnsafeAddress where the host is a literal address that is not public.
 */
export function lookupFor(url: URL, allowedHosts: readonly string[]): LookupFunction {
  if (isAllowed(url, { allowedHosts })) return privateLookup({ allowedHosts });
  assertPublicLiteral(url);
  return publicLookup({ allowedHosts });
}
