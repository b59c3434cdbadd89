import type { Context } from '../access/context.ts';
import { isOutdated } from '../access/renewed.ts';

/**
 * Seals the cookie of a caller who was known by an earlier secret again with the newest, unless the session has ended
 * or another one began.
 */
export async function renewSession(context: Context, answered: Headers): Promise<void> {
  const { services, headers } = context;
  if (!isOutdated(context) || answered.has('Set-Cookie')) return;
  const opened = await services.sessions.open(headers);
  if (opened) answered.append('Set-Cookie', services.sessions.cookie(opened.session));
}
