import type { Context } from '../../../server/access/context.ts';
import type { Result } from './sync-outcome.tsx';

/** How long the page that follows a synchronization shows what came of it. */
const shownMs = 600_000;

const keyOf = async (context: Context, id: string) => `sync-outcome:${(await context.actor()).id}:${id}`;

/** Keeps what a synchronization did for the page that follows it, and answers that page's address. */
export async function outcomeHref(context: Context, form: FormData, result: object): Promise<string> {
  const { answers, clock } = context.services;
  const now = clock.now();
  await answers.put(await keyOf(context, context.requestId), result, now, now + shownMs);
  const page = new URLSearchParams({ synced: context.requestId });
  const owner = form.get('org') ?? form.get('owner');
  if (owner) page.set('owner', String(owner));
  if (form.has('repo')) page.set('repo', String(form.get('repo')));
  return `/reports?${page}#sync`;
}

/** What the synchronization did that led to this address; null where none did, or too long ago. */
export async function readOutcome(context: Context): Promise<Result | null> {
  const id = context.url.searchParams.get('synced');
  if (!id) return null;
  const kept = await context.services.answers.get<Result>(await keyOf(context, id));
  return kept?.value ?? null;
}
