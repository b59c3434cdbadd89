import type { Context } from './context.ts';
import type { Opened } from './session.ts';

/** By the headers of a request, which stay the same however its context is passed on. */
const outdated = new WeakSet<Headers>();

/** Remembers that the caller of this request was known by a cookie of an earlier secret. */
export function noteOutdated({ headers }: Pick<Context, 'headers'>, opened: Opened): void {
  if (opened.outdated) outdated.add(headers);
}

export const isOutdated = ({ headers }: Pick<Context, 'headers'>): boolean => outdated.has(headers);
