import type { LookupFunction } from 'node:net';
import { assertPublicLiteral, isAllowed, privateLookup, publicLookup, whyUnsafe } from './safe-address.ts';

/**
 * Why an address that somebody chose may not be sent to, as the end of a sentence; null when it may. Queries DNS.
 * `allowedHosts`, in lower case, may be private and be called over http.
 */
export async function whyUnusable(address: string, allowedHosts: readonly string[]): Promise<string | null> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'is no https address';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password';
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(address)) return 'has a query or a fragment';
  if (url.protocol === 'http:' && !isAllowed(url, { allowedHosts })) return 'must begin with https://';
  return whyUnsafe(address, { allowedHosts });
}

/**
 * How a connection finds the addresses of a receiver's host, so that what was checked is what is connected to.
 * @throws UnsafeAddress where the host is a literal address that is not public.
 */
export function lookupFor(url: URL, allowedHosts: readonly string[]): LookupFunction {
  if (isAllowed(url, { allowedHosts })) return privateLookup({ allowedHosts });
  assertPublicLiteral(url);
  return publicLookup({ allowedHosts });
}
