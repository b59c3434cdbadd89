/**
 * The platform token a script sends as `Authorization: Bearer`. Other schemes belong to proxies in front of the
 * service and do not identify the caller.
 */
export function bearerToken(headers: Headers): string | null {
  const [, token] = /^Bearer (.*)$/is.exec(headers.get('authorization') ?? '') ?? [];
  return token ?? null;
}

/** Whether the caller sends a token, so that a cookie sent along is not looked at. */
export const sendsToken = (headers: Headers): boolean => bearerToken(headers) !== null;
