import { z } from 'zod';
import type { Issue } from '../../metrics/kernel/delivery-facts.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { accountFields } from '../accounts/graphql-people.ts';
import {
  asListing,
  createConnectionSchema,
  type PagedQuestion,
  pageInfoField,
  rateLimitCost,
  readPages,
} from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { integer } from '../client/wire.ts';
import type { DeliveryReads } from '../delivery/client.ts';
import {
  type DeliveryContext,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  toStartOfDay,
} from '../delivery/context.ts';
import { countIssues } from './counts.ts';
import { assertTracker, issueFields, issueReader, partsLackedBy } from './wire.ts';

/** Reads of issues, pull requests excluded; `issues_disabled` where the tracker is off. */
export const createIssues = (context: DeliveryContext): DeliveryReads['issues'] => ({
  counts: (name, window) => countIssues(context, name, window),
  async open(name) {
    const read = await context.reader.remember(
      { key: `open issues ${nameKey(name)}`, freshMs: () => 5 * minuteMs },
      () => readPages(context.transport, listQuestion(context, name, 'OPEN', null), { maxItems: maxIssues, identity }),
    );
    return asListing(read);
  },
  async closed(name, since) {
    const from = toStartOfDay(since);
    const read = await context.reader.remember(
      { key: `closed issues ${nameKey(name)} ${from}`, freshMs: () => 5 * minuteMs },
      () =>
        readPages(context.transport, listQuestion(context, name, 'CLOSED', isoSeconds(from)), {
          maxItems: maxIssues,
          identity,
        }),
    );
    const listing = asListing(read);
    // The platform filters on the last update, which is never before the closing.
    const items = listing.items
      .filter(({ closedAt }) => closedAt !== null && closedAt >= since)
      .sort((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0));
    const { partial, totalCount: allTime } = listing;
    return { ...listing, items, totalCount: partial ? null : items.length, allTime };
  },
});

/** Open ones, and closed ones, that are read at most. */
export const maxIssues = 1000;
const identity = ({ number }: Issue) => number;

function listQuestion(
  context: DeliveryContext,
  name: RepositoryName,
  state: 'OPEN' | 'CLOSED',
  since: string | null,
): PagedQuestion<Issue> {
  const inRepository = repositoryIn(context, name, {
    hasIssuesEnabled: z.boolean(),
    issues: createConnectionSchema(issueReader(context.toActor)),
    ofState: z.object({ totalCount: integer }),
  });
  const [declared, filter] = since === null ? ['', ''] : [', $since: DateTime!', 'filterBy: { since: $since },'];
  const order = state === 'OPEN' ? '{ field: CREATED_AT, direction: ASC }' : '{ field: UPDATED_AT, direction: DESC }';
  return {
    operation: `${state.toLowerCase()} issues`,
    query: `
query Issues($owner: String!, $name: String!, $first: Int!, $after: String${declared}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    hasIssuesEnabled
    issues(states: ${state}, ${filter} orderBy: ${order}, first: $first, after: $after) {
      ${pageInfoField}
      nodes { ...IssueFields }
    }
    ofState: issues(states: ${state}) { totalCount }
  }
}
${issueFields}
${accountFields}`,
    variables: { ...repositoryVariables(name), ...(since === null ? {} : { since }) },
    first: 100,
    lacks: partsLackedBy,
    read(data, errors) {
      const repository = inRepository(data, errors);
      assertTracker(repository);
      return { ...repository.issues, totalCount: repository.ofState.totalCount };
    },
  };
}
