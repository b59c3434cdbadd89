import type { DeliveryReads } from '../../codehost/delivery/client.ts';
import type { FactRepository } from '../../facts/fact-repository.ts';
import { titlesBeside } from '../../facts/title-memory.ts';
import type { Issue } from '../../metrics/kernel/delivery-facts.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { isOpenIssue } from '../../metrics/pull-requests/issues.ts';
import { ifReadable } from '../kernel/coverage.ts';

interface TitleSource {
  codehost: Pick<DeliveryReads, 'issues'>;
  factRepository: FactRepository;
}

/**
 * The same issues with their titles, which are never stored: from this process, else, where an open one of `named`
 * lacks its own, from the list of open issues. Where neither has it, the title stays null. The caller proved that the
 * repository may be seen.
 */
export async function withIssueTitles(
  { codehost, factRepository }: TitleSource,
  repository: Repository,
  issues: readonly Issue[],
  named: readonly Issue[] = issues,
): Promise<Issue[]> {
  const titles = titlesBeside(factRepository, repository);
  titles.note(issues);
  if (named.some((one) => isOpenIssue(one) && !titles.has(one)))
    titles.note((await ifReadable(codehost.issues.open(repository)))?.items ?? []);
  return titles.fill(issues);
}
