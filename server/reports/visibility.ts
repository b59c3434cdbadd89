import type { Context } from '../access/context.ts';
import type { Repository, RepositoryName } from '../metrics/facts.ts';
import { Problem } from '../platform/problem.ts';

/**
 * Proves that the caller's token can see a repository before stored data of it is shown.
 * When the platform cannot be asked, nothing is shown.
 */
export async function visibleRepository({ owner, repo }: RepositoryName, context: Context): Promise<Repository> {
  const codehost = await context.codehost();
  return codehost.repositories.get({ owner, repo }).catch(failClosed);
}

/** The repositories of an owner that the caller's token can see. */
export async function visibleRepositoriesOf(owner: string, context: Context): Promise<Repository[]> {
  const codehost = await context.codehost();
  const own = () => codehost.repositories.mine().then((list) => list.items.filter((one) => sameName(one.owner, owner)));
  return codehost.repositories
    .ofOrganization(owner)
    .then((list) => list.items as Repository[])
    .catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return own();
      throw error;
    })
    .catch(failClosed);
}

/** What a repository's name is compared by. */
export const nameKey = ({ owner, repo }: RepositoryName): string => `${owner}/${repo}`.toLowerCase();

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function failClosed(error: unknown): never {
  if (error instanceof Problem && error.code === 'upstream_unavailable')
    throw new Problem(
      'authz_unavailable',
      'The platform cannot be asked whether you may see this. Try again shortly.',
      {
        details: { retry_after_s: 30 },
      },
    );
  throw error;
}
