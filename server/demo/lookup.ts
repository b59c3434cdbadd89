import type { Listing } from '../codehost/client/client.ts';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import { same, type World, type WorldRepository } from './world.ts';

/** Throws `Problem('not_found')` when the sample world has no repository of that name. */
export function repositoryNamed(world: World, name: RepositoryName): WorldRepository {
  const found = world.repositories.find((one) => isNamed(one, name));
  if (!found) throw notFound(`repository ${name.owner}/${name.repo}`);
  return found;
}

export const isNamed = ({ repository }: WorldRepository, { owner, repo }: RepositoryName) =>
  same(repository.owner, owner) && same(repository.repo, repo);

export const notFound = (what: string) => new Problem('not_found', `The sample data has no ${what}.`);

/** A list as a client gives it, truncated after `max`; its count is of all. */
export const listing = <T>(world: World, items: T[], max = items.length): Listing<T> => ({
  items: items.slice(0, max),
  partial: items.length > max,
  totalCount: items.length,
  stale: false,
  asOf: world.now,
});

/** Those that have the time, newest first. */
export const sortNewestFirst = <T>(items: T[], getTime: (item: T) => Instant | null): T[] =>
  items
    .filter((one) => getTime(one) !== null)
    .sort((one, other) => (getTime(other) as Instant) - (getTime(one) as Instant));
