import { resultCap } from './answers.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { issue } from './graphql-issues.ts';
import { pullRequest } from './graphql-pull-requests.ts';
import type { View } from './graphql-view.ts';
import { type Found, readSearch } from './search-query.ts';
import { closedOrganization, sees } from './world.ts';

/**
 * Searches issues and pull requests in all that the token sees. A repository it does not see is silently without
 * results, and so is a former name. At most 1,000 results can be reached, whatever the count says.
 */
export function search(view: View, { query, type, ...asked }: Paging & { query: string; type: string }) {
  if (!type.startsWith('ISSUE')) throw new Error(`The double does not serve a search of type ${type}`);
  const { fits, compare } = readSearch(query);
  const found = candidates(view).filter(fits).sort(compare);
  const page = connection(found, asked, (one) => resultOf(view, one), resultCap);
  const counts = { codeCount: 0, discussionCount: 0, repositoryCount: 0, userCount: 0, wikiCount: 0 };
  const edges = page.edges.map((one) => ({ ...one, textMatches: null }));
  return { nodes: page.nodes, edges, pageInfo: page.pageInfo, issueCount: found.length, ...counts };
}

const resultOf = (view: View, found: Found) =>
  found.kind === 'pr' ? pullRequest(view, found.repository, found.item) : issue(view, found.repository, found.item);

const candidates = ({ world, token }: View): Found[] =>
  world.repositories
    .filter((one) => sees(world, token, one) && !closedOrganization(world, token, one.facts.owner))
    .flatMap((repository) => [
      ...repository.pullRequests.map((item): Found => ({ kind: 'pr', repository, item })),
      ...(repository.issuesEnabled ? repository.issues : []).map(
        (item): Found => ({ kind: 'issue', repository, item }),
      ),
    ]);
