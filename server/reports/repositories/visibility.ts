import type { Context } from '../../access/context.ts';
import type { Listing } from '../../codehost/client/client.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';

/**
 * Proves that the caller's token can see a repository before stored data of it is shown.
 * When the platform cannot be reached, nothing is shown.
 */
export async function visibleRepository({ owner, repo }: RepositoryName, context: Context): Promise<Repository> {
  const codehost = await context.codehost();
  return codehost.repositories.get({ owner, repo }).catch(failClosed);
}

/** The repositories of an owner that the caller's token can see; the word of an old list is no proof. */
export async function listVisibleRepositories(
  owner: string,
  context: Context,
): Promise<Pick<Listing<Repository>, 'items' | 'partial'>> {
  const { repositories } = await context.codehost();
  const { items, partial, stale } = await repositories
    .ofOrganization(owner)
    .catch((error: unknown): Promise<Listing<Repository>> => {
      if (error instanceof Problem && error.code === 'not_found') return repositories.mine();
      throw error;
    })
    .catch(failClosed);
  if (stale) throw unproved();
  return { items: items.filter((one) => sameName(one.owner, owner)), partial };
}

/**
 * Throws `not_found` for an owner of whom the caller sees no repository, unless it is an organization that the platform
 * knows, or the caller.
 */
export async function assertOwner(owner: string, context: Context): Promise<void> {
  const [{ login }, { repositories }] = await Promise.all([context.actor(), context.codehost()]);
  if (!sameName(owner, login)) await repositories.ofOrganization(owner).catch(failClosed);
}

/**
 * The repositories of an owner that the caller's token can see, where there are any or the platform knows it.
 * @throws Problem `not_found` for any other owner.
 */
export async function listOfKnownOwner(
  owner: string,
  context: Context,
): Promise<Pick<Listing<Repository>, 'items' | 'partial'>> {
  const listing = await listVisibleRepositories(owner, context);
  if (listing.items.length === 0) await assertOwner(owner, context);
  return listing;
}

/** All repositories that the caller's token lists as their own; the word of an old list is no proof. */
export async function listOwnRepositories(context: Context): Promise<Pick<Listing<Repository>, 'items' | 'partial'>> {
  const { items, partial, stale } = await (await context.codehost()).repositories.mine().catch(failClosed);
  if (stale) throw unproved();
  return { items, partial };
}

/** The same for what makes no claim to have all. */
export const visibleRepositories = async (context: Context): Promise<Repository[]> =>
  (await listOwnRepositories(context)).items;

/** What a repository's name is compared by. */
export const nameKey = ({ owner, repo }: RepositoryName): string => `${owner}/${repo}`.toLowerCase();

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function failClosed(error: unknown): never {
  throw error instanceof Problem && error.code === 'upstream_unavailable' ? unproved(error) : error;
}

const unproved = (cause?: unknown) =>
  new Problem('authz_unavailable', 'GitHub cannot be reached to check your access. Try again shortly.', {
    cause,
    details: { retry_after_s: 30 },
  });

/** Of names as `owner/name` those that the caller sees; administrators of the service see all. */
export async function onlyVisibleNames(names: readonly string[], context: Context): Promise<string[]> {
  if (names.length === 0 || (await context.actor()).isAdmin) return [...names];
  const visible = new Set((await visibleRepositories(context)).map(nameKey));
  return names.filter((name) => visible.has(name.toLowerCase()));
}
