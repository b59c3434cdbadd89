import { parseCookie, stringifySetCookie } from 'cookie';
import { redirect } from 'react-router';
import type { Context } from '../access/context.ts';
import { isSituation, type Situation, situations } from '../demo/situations.ts';

/** The situation of the demo that links keep; the first is shown where an address names none. */
const name = 'situation';
const cookieName = 'das_situation';
const usual: Situation = 'mixed';

/** What an address of the demo asks to see. */
export function situationOf({ searchParams }: URL): Situation {
  const requested = searchParams.get(name) ?? '';
  return isSituation(requested) ? requested : usual;
}

/** Every situation, the one looked at marked. */
export const listSituations = (url: URL) =>
  (Object.keys(situations) as Situation[]).map((one) => ({
    value: one,
    label: situations[one],
    current: one === situationOf(url),
  }));

/**
 * A link that does not say the situation leads on to the address that does, as long as this browser is in one.
 * The address alone decides what is shown, so that it can be sent to others.
 */
export function findSituatedPage({ method, url, headers }: Pick<Context, 'method' | 'url' | 'headers'>) {
  const stored = parseCookie(headers.get('cookie') ?? '')[cookieName] ?? '';
  if (method !== 'GET' || url.searchParams.has(name) || url.pathname.endsWith('.data')) return null;
  if (!isSituation(stored) || stored === usual) return null;
  const query = new URLSearchParams(url.search);
  query.set(name, stored);
  return redirect(`${url.pathname}?${query}`, { headers: { 'Cache-Control': 'private, no-store' } });
}

/** The cookie that keeps the situation of this address in its browser; null where it is stored already. */
export function situationCookie({ url, headers, services: { env } }: Context): string | null {
  const requested = url.searchParams.get(name);
  const stored = parseCookie(headers.get('cookie') ?? '')[cookieName] ?? usual;
  if (requested === null || situationOf(url) === stored) return null;
  const isUsual = situationOf(url) === usual;
  return stringifySetCookie({
    name: cookieName,
    value: isUsual ? '' : situationOf(url),
    path: '/demo',
    sameSite: 'lax',
    httpOnly: true,
    secure: env.APP_URL.startsWith('https:'),
    ...(isUsual && { maxAge: 0 }),
  });
}
