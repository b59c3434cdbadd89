import type { Context } from '../../access/context.ts';
import { isDatabaseUnavailable, isTooSlow } from '../../store/failure.ts';
import { sharingFor } from './allowed.ts';

/**
 * Which of the repositories that a page names, `owner/name`, are not known to be public, by what is stored of them:
 * whoever may share the page reads so before. None for others; null where it cannot be said.
 */
export async function listPrivateNames(names: readonly string[], context: Context): Promise<string[] | null> {
  const { store, log } = context.services;
  if (!store || names.length === 0) return [];
  const { isAdmin } = await context.actor();
  try {
    const { mayShare } = await sharingFor(context, isAdmin);
    if (!mayShare) return [];
    const keys = names.map((name) => name.toLowerCase());
    const known = await store.repositories.concerning({ names: keys, owners: [], ids: [] });
    const open = known.filter((one) => !one.private).map(({ owner, repo }) => `${owner}/${repo}`.toLowerCase());
    return names.filter((name) => !open.includes(name.toLowerCase()));
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !isTooSlow(error)) throw error;
    log.warn({ err: error, request_id: context.requestId }, 'it could not be read which repositories are public');
    return null;
  }
}
