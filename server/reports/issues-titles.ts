import type { DeliveryReads } from '../codehost/delivery-client.ts';
import type { FactShelf } from '../facts/shelf.ts';
import { titlesBeside } from '../facts/title-memory.ts';
import type { Issue } from '../metrics/delivery-facts.ts';
import type { Repository } from '../metrics/facts.ts';
import { isOpenIssue } from '../metrics/issues.ts';
import { ifReadable } from './deployments.ts';

interface TitleSource {
  codehost: Pick<DeliveryReads, 'issues'>;
  shelf: FactShelf;
}

/**
 * The same issues with their titles, which are never stored: from this process, else, where an open one of `named`
 * lacks its own, from the list of open issues. Where neither tells, the title stays null. The caller proved that the
 * repository may be seen.
 */
export async function withIssueTitles(
  { codehost, shelf }: TitleSource,
  repository: Repository,
  issues: readonly Issue[],
  named: readonly Issue[] = issues,
): Promise<Issue[]> {
  const titles = titlesBeside(shelf, repository);
  titles.note(issues);
  if (named.some((one) => isOpenIssue(one) && !titles.has(one)))
    titles.note((await ifReadable(codehost.issues.open(repository)))?.items ?? []);
  return titles.fill(issues);
}
