import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { unreadableFields } from '../client/failures.ts';
import {
  createConnectionSchema,
  createPageReader,
  noItems,
  pageInfoField,
  rateLimitCost,
} from '../client/graphql-pages.ts';
import { unknownPlace } from '../client/part-errors.ts';
import type { PartError } from '../client/transport.ts';
import type { DeliveryReads } from '../delivery/client.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';
import { partsLackedBy, pullRequestFields, pullRequestReader } from './wire.ts';

/** Reads the closed and merged pull requests of a repository, the newest update first, a page at a time. */
export function endedPages(
  context: DeliveryContext,
  name: RepositoryName,
): ReturnType<DeliveryReads['pullRequests']['endedPages']> {
  const inRepository = repositoryIn(context, name, {
    pullRequests: createConnectionSchema(pullRequestReader(context.toActor)),
  });
  const operation = 'pages of closed pull requests';
  let isPlaceUnknown = false;
  const readPage = createPageReader(context.transport, {
    operation,
    query: endedQuery,
    variables: repositoryVariables(name),
    first: 50,
    lacks: partsLackedBy,
    read(data: unknown, errors: PartError[]) {
      isPlaceUnknown = errors.some(({ type }) => type === unknownPlace);
      return isPlaceUnknown ? noItems : inRepository(data, errors).pullRequests;
    },
  });
  return async (after) => {
    const { items, next, partial } = await readPage(after);
    if (isPlaceUnknown) return null;
    // Who goes on below a gap never comes back to it.
    if (partial) throw unreadableFields(operation, ['repository.pullRequests.nodes']);
    return { items: items.filter((one) => !isImported(one)), oldestUpdate: items.at(-1)?.updatedAt ?? null, next };
  };
}

/** Imported from elsewhere with its old dates: made after it was merged. */
export const isImported = ({ createdAt, mergedAt }: { createdAt: Instant; mergedAt: Instant | null }) =>
  mergedAt !== null && createdAt > mergedAt;

/** Query of a list of pull requests, in pages. `$teams` is declared where `more` is requested of each. */
export const listQuery = (operation: string, states: string, order: string, more: string) => `
query ${operation}($owner: String!, $name: String!, $first: Int!, $after: String${more ? ', $teams: Boolean!' : ''}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    pullRequests(states: ${states}, orderBy: ${order}, first: $first, after: $after) {
      totalCount
      ${pageInfoField}
      nodes { ...PullRequestFields ${more ? '...OpenFields' : ''} }
    }
  }
}
${pullRequestFields}
${more}`;

export const endedQuery = listQuery(
  'ClosedPullRequests',
  '[CLOSED, MERGED]',
  '{ field: UPDATED_AT, direction: DESC }',
  '',
);
