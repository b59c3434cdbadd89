import type { Context } from '../access/context.ts';
import type { Opened } from '../access/session.ts';

/** By the headers of a request, which stay the same however its context is passed on. */
const outdated = new WeakSet<Headers>();

/** Remembers that the caller of this request was known by a cookie of an earlier secret. */
export function noteOutdated({ headers }: Context, opened: Opened): void {
  if (opened.outdated) outdated.add(headers);
}

/** Seals such a cookie again with the newest secret, unless the session has ended or another one began. */
export async function renewSession({ services: { sessions }, headers }: Context, answered: Headers): Promise<void> {
  if (!outdated.has(headers) || answered.has('Set-Cookie')) return;
  const opened = await sessions.open(headers);
  if (opened) answered.append('Set-Cookie', sessions.cookie(opened.session));
}
