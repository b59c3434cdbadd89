import { createHash } from 'node:crypto';
import type { Context } from '../access/context.ts';

/** How long the page that a form led to shows what was done. */
const messageTtlMs = 600_000;

/**
 * Stores that an action of the caller led to this address, so that the page there may show its message: a parameter
 * of an address alone could have been written by anybody. A failure to store it does not undo the action.
 */
export async function saveFlash(context: Context, target: string): Promise<void> {
  const { answers, clock, log } = context.services;
  const url = URL.parse(target, context.url);
  if (!url?.search) return;
  const now = clock.now();
  await toFlashKey(context, url)
    .then((key) => answers.put(key, true, now, now + messageTtlMs))
    .catch((error: unknown) =>
      log.warn({ err: error, request_id: context.requestId }, 'the message about a completed action is not shown'),
    );
}

/** The completed action that this parameter names; null where no action of the caller led here, or too long ago. */
export async function readFlash(context: Context, name: string): Promise<string | null> {
  const message = context.url.searchParams.get(name);
  if (!message) return null;
  const { answers, log } = context.services;
  const stored = await toFlashKey(context, context.url)
    .then((key) => answers.get<true>(key))
    .catch((error: unknown) =>
      log.warn({ err: error, request_id: context.requestId }, 'the message about a completed action is not shown'),
    );
  return stored ? message : null;
}

const toFlashKey = async (context: Context, { pathname, search }: URL) => {
  const address = createHash('sha256').update(`${pathname}${search}`).digest('base64url');
  return `done:${(await context.actor()).id}:${address}`;
};
