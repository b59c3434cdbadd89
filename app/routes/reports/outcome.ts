import type { Context } from '../../../server/access/context.ts';
import type { Result } from './sync-outcome.tsx';

/** How long the page that follows a synchronization shows what came of it. */
const shownMs = 600_000;

const getCacheKey = async (context: Context, id: string) => `sync-outcome:${(await context.actor()).id}:${id}`;

/** Keeps what a synchronization did for the page that follows it, of its scope, and answers that page's address. */
export async function outcomeHref(
  context: Context,
  form: FormData,
  result: object,
  page: '/' | '/reports',
): Promise<string> {
  const { answers, clock } = context.services;
  const now = clock.now();
  await answers.put(await getCacheKey(context, context.requestId), result, now, now + shownMs);
  const query = new URLSearchParams({ synced: context.requestId });
  const org = form.get('org');
  if (page === '/') {
    if (org) query.set('org', String(org));
    return `/?${query}`;
  }
  const owner = org ?? form.get('owner');
  if (owner) query.set('owner', String(owner));
  if (form.has('repo')) query.set('repo', String(form.get('repo')));
  return `/reports?${query}#sync`;
}

/** What the synchronization did that led to this address; null where none did, or too long ago. */
export async function readOutcome(context: Context): Promise<Result | null> {
  const id = context.url.searchParams.get('synced');
  if (!id) return null;
  const cached = await context.services.answers.get<Result>(await getCacheKey(context, id));
  return cached?.value ?? null;
}
