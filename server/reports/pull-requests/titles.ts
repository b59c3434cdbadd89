import type { Context } from '../../access/context.ts';
import { withTitles } from '../../facts/titles.ts';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import { getEndedAt } from '../../metrics/pull-requests/pull-requests.ts';
import type { RepositoryFacts } from '../repositories/facts.ts';

/** Two requests' worth. */
const maxTitles = 200;

/** Titles by number of those that ended last; null where the platform does not return them. */
export async function readNewestTitles(
  pullRequests: readonly PullRequest[],
  { codehost, repository }: RepositoryFacts,
  { services }: Pick<Context, 'services'>,
): Promise<ReadonlyMap<number, string | null>> {
  const newest = pullRequests
    .toSorted((one, other) => (getEndedAt(other) ?? 0) - (getEndedAt(one) ?? 0))
    .slice(0, maxTitles);
  const titled = await withTitles({ codehost, factRepository: services.facts }, repository, newest);
  return new Map(titled.map(({ number, title }) => [number, title]));
}
