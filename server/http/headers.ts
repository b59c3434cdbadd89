import type { Env } from '../platform/env.ts';

/** The headers that every answer carries, whatever made it. */
export function secure(headers: Headers, env: Env, requestId: string): void {
  headers.set('X-Request-Id', requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('X-Frame-Options', 'DENY');
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'strict-origin-when-cross-origin');
  headers.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
  if (env.APP_URL.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
}

/** The policy of an answer that is no page: where a browser shows it, it loads nothing and runs nothing. */
export const inertPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Lets pages of other sites show an image, in which nothing runs where a browser opens it by itself. */
export function allowAsImage(headers: Headers): void {
  headers.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** The policy of a page: only its own scripts, marked by a nonce that is made for this answer. */
export const contentSecurityPolicy = (nonce: string, env: Env): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: https://avatars.githubusercontent.com ${env.CODEHOST_WEB_URL}`,
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action 'self' ${env.CODEHOST_WEB_URL}`,
    "object-src 'none'",
  ].join('; ');
