import type { Context } from '../access/context.ts';

/**
 * Where forms work, if the browser is somewhere else; null at the right address. Behind a proxy `Host` may be any name,
 * so that nothing is said there.
 */
export function findOtherAddress({ headers, services: { env } }: Context): string | null {
  const host = headers.get('host');
  const isKnown = host !== null && env.TRUST_PROXY_HOPS === 0;
  return isKnown && host !== new URL(env.APP_URL).host ? env.APP_URL : null;
}
