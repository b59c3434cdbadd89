import { createHash } from 'node:crypto';
import type { Context } from '../access/context.ts';

/** How long the page that a form led to says what was done. */
const messageTtlMs = 600_000;

/**
 * Keeps that something the caller did led to this address, so that the page there may say so: what an address says by
 * itself, anybody could have written. What was done stays done where that cannot be stored.
 */
export async function noteDone(context: Context, target: string): Promise<void> {
  const { answers, clock, log } = context.services;
  const url = URL.parse(target, context.url);
  if (!url?.search) return;
  const now = clock.now();
  await toFlashKey(context, url)
    .then((key) => answers.put(key, true, now, now + messageTtlMs))
    .catch((error: unknown) => log.warn({ err: error, request_id: context.requestId }, 'what was done is not told'));
}

/** What this parameter of the address says was done; null where nothing the caller did led here, or too long ago. */
export async function whatWasDone(context: Context, name: string): Promise<string | null> {
  const message = context.url.searchParams.get(name);
  if (!message) return null;
  const { answers, log } = context.services;
  const stored = await toFlashKey(context, context.url)
    .then((key) => answers.get<true>(key))
    .catch((error: unknown) => log.warn({ err: error, request_id: context.requestId }, 'what was done is not told'));
  return stored ? message : null;
}

const toFlashKey = async (context: Context, { pathname, search }: URL) => {
  const address = createHash('sha256').update(`${pathname}${search}`).digest('base64url');
  return `done:${(await context.actor()).id}:${address}`;
};
