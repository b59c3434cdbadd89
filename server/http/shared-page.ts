// Pages behind share links: read without a cookie, shown without links and scripts, framed where that is allowed.
import { data } from 'react-router';
import type { Context } from '../access/context.ts';
import { type OpenedLink, openLink } from '../sharing/snapshot.ts';
import { toProblem } from './error-body.ts';

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
export async function openShared(context: Context, token: string, phrase: string | null) {
  // The router knows other spellings of the address, for which the rules of shared pages would not hold.
  if (!isSharedPage(context.url)) throw data(null, { status: 404 });
  try {
    const opened: OpenedLink = await openLink(token, phrase, context);
    return { ...opened, installation: new URL(context.services.env.APP_URL).host };
  } catch (error) {
    throw data(null, { status: toProblem(error, context).status });
  }
}

/**
 * The markup of a shared page without what leads elsewhere: of a link its words stay, unless it is there to lead
 * somewhere alone. React escapes every `>` in an attribute.
 */
export const withoutLinks = (html: string): string =>
  html
    .replace(/<a class="(skip|definition)"[^>]*>[\s\S]*?<\/a>/g, '')
    .replace(/<a\b[^>]*>/g, '<span>')
    .replaceAll('</a>', '</span>')
    .replace(/<(form|script)\b(?![^>]*data-kept)[^>]*>[\s\S]*?<\/\1>/g, '');
