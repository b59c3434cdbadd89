// Pages behind share links: read without a cookie, shown without links and scripts, framed where that is allowed.
import { data } from 'react-router';
import type { Context } from '../access/context.ts';
import { type OpenedLink, type Opening, openLink } from '../sharing/snapshot.ts';
import { errorHeaders, toProblem } from './error-body.ts';

const path = /^\/s\/[^/]+$/;

export const isSharedPage = ({ pathname }: URL): boolean => path.test(pathname);

/** The headers of a request without whatever says who sends it. */
export function withoutCaller(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete('cookie');
  others.delete('authorization');
  return others;
}

/** The headers of a shared page, in place of those of other pages. */
export function secureShared(headers: Headers, { url, services: { env } }: Context): void {
  const isFramed = url.searchParams.get('embed') === '1' && env.EMBED_ORIGINS.length > 0;
  const ancestors = isFramed ? env.EMBED_ORIGINS.join(' ') : "'none'";
  headers.delete('Set-Cookie');
  headers.set('Cache-Control', 'private, no-store');
  headers.set('X-Robots-Tag', 'noindex, nofollow, noarchive');
  headers.set('Referrer-Policy', 'no-referrer');
  if (isFramed) headers.delete('X-Frame-Options');
  headers.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`,
  );
}

/** What a shared page shows, with the host of this installation. Whatever is not there looks the same. */
export async function openShared(context: Context, opening: Opening) {
  // The router knows other spellings of the address, for which the rules of shared pages would not hold.
  if (!isSharedPage(context.url)) throw data(null, { status: 404 });
  try {
    const opened: OpenedLink = await openLink(opening, context);
    return { ...opened, installation: new URL(context.services.env.APP_URL).host };
  } catch (error) {
    const problem = toProblem(error, context);
    throw data(null, { status: problem.status, headers: errorHeaders(problem, context) });
  }
}

/** Whether a browser loads a page before anybody opens it. */
export const isPrefetch = ({ headers }: Context): boolean => headers.get('sec-purpose')?.includes('prefetch') ?? false;
