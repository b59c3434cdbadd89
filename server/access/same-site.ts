import { Problem } from '../platform/problem.ts';
import type { Context } from './context.ts';
import { sendsToken } from './machines.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method only reads. */
export const isSafe = (method: string): boolean => safeMethods.has(method);

/**
 * Rejects a write that a foreign page could have sent with the caller's cookie.
 * A caller who sends a token instead of a cookie is no browser and is not checked.
 */
export function assertSameSite({ method, headers, services }: Context): void {
  if (isSafe(method) || sendsToken(headers)) return;
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const allowed = origin ? origin === services.env.APP_URL : site ? site === 'same-origin' || site === 'none' : isJson;
  if (!allowed) throw new Problem('csrf_rejected', describeRejection(origin, site, services.env.APP_URL));
}

/** Whether the browser says that the page was opened at another address than that of the installation. */
export function isElsewhere({ headers, services }: Pick<Context, 'headers' | 'services'>): boolean {
  const origin = headers.get('origin');
  // A browser that keeps it back says `null`, also of a page at the right address.
  return origin !== null && URL.canParse(origin) && new URL(origin).origin !== services.env.APP_URL;
}

/** Which header it was for, so that whoever wrote the request knows what to send. */
function describeRejection(origin: string | null, site: string | null, appUrl: string): string {
  if (origin === 'null')
    return 'The Origin header is null: your browser keeps back where the form is from. Reload the page and retry.';
  if (origin)
    return `The Origin header is not ${appUrl}, where this installation answers. Open it there, or set APP_URL.`;
  if (site) return 'The request was denied: Sec-Fetch-Site is another site.';
  return 'The headers Origin and Sec-Fetch-Site are missing: send one of them, or a JSON body.';
}
