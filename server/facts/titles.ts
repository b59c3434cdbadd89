import type { DeliveryReads } from '../codehost/delivery/client.ts';
import type { PullRequest } from '../metrics/kernel/delivery-facts.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import type { FactRepository } from './fact-repository.ts';
import { titlesBeside } from './title-memory.ts';

interface TitleSource {
  codehost: Pick<DeliveryReads, 'pullRequests'>;
  factRepository: FactRepository;
}

/**
 * The same pull requests with their titles, which are never stored: from this process, else requested, 100 in one
 * request. Where the platform does not answer, the title stays null. The caller proved that the repository may be seen.
 */
export async function withTitles(
  { codehost, factRepository }: TitleSource,
  repository: Repository,
  pullRequests: readonly PullRequest[],
): Promise<PullRequest[]> {
  const titles = titlesBeside(factRepository, repository);
  titles.note(pullRequests);
  const missing = pullRequests.filter((one) => !titles.has(one));
  if (missing.length > 0) {
    const numbers = missing.map(({ number }) => number);
    const found = await codehost.pullRequests.titles(repository, numbers).catch(noTitles);
    for (const one of missing) {
      const title = found.get(one.number);
      if (title !== undefined) titles.put(one, title);
    }
  }
  return titles.fill(pullRequests);
}

/** A number without its title is still worth showing. */
function noTitles(error: unknown): Map<number, string> {
  if (error instanceof Problem && error.code !== 'unauthenticated') return new Map();
  throw error;
}
