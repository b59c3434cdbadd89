import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { accountFields, graphqlAccount } from '../accounts/graphql-people.ts';
import { createConnectionSchema, pageInfoField, rateLimitCost, readPages } from '../client/graphql-pages.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { instant, integer } from '../client/wire.ts';
import type { PullRequestWindow } from '../delivery/client.ts';
import {
  type DeliveryContext,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  toAgeMinutes,
  withRenameRetry,
} from '../delivery/context.ts';

/** Counts the pull requests since an instant and lists those that are still open, all in one request. */
export async function pullRequestWindow(
  context: DeliveryContext,
  requested: RepositoryName,
  since: Instant,
): Promise<PullRequestWindow> {
  const { reader, clock } = context;
  const { value, stale, asOf } = await reader.remember(
    {
      key: `pull request window ${nameKey(requested)} ${toAgeMinutes(since, clock.now())}`,
      freshMs: ({ partial }) => (partial ? 1 : 30) * minuteMs,
    },
    () => withRenameRetry(context, requested, (name) => requestWindow(context, name, since)),
  );
  return { ...value, stale, asOf };
}

async function requestWindow(context: DeliveryContext, name: RepositoryName, since: Instant) {
  const inRepository = repositoryIn(context, name, {});
  const schema = createWindowSchema(context);
  const counts = { opened: 0, merged: 0 };
  const { items, partial, partialReason, totalCount } = await readPages(
    context.transport,
    {
      operation: 'pull requests of a window',
      query,
      variables: { ...repositoryVariables(name), ...searchQueries(name, since) },
      first: 100,
      read(data, errors) {
        inRepository(data, errors);
        const { stillOpen, opened, merged } = schema.parse(data);
        Object.assign(counts, { opened: opened.issueCount, merged: merged.issueCount });
        return stillOpen;
      },
    },
    { maxItems: maxPerSearch, identity: ({ number }) => number },
  );
  return { ...counts, stillOpen: items, partial: partial || (totalCount ?? 0) > items.length, partialReason };
}

const createWindowSchema = ({ toActor }: DeliveryContext) =>
  z.object({
    opened: count,
    merged: count,
    stillOpen: createConnectionSchema(
      z
        .object({ number: integer, createdAt: instant, author: graphqlAccount })
        .transform(({ author, ...rest }) => ({ ...rest, author: toActor(author) })),
    ),
  });

const count = z.object({ issueCount: integer });

/** The platform ends a search there. */
const maxPerSearch = 1000;

function searchQueries(name: RepositoryName, since: Instant) {
  const { owner, repo } = repositoryParams(name);
  const terms = `repo:${owner}/${repo} is:pr`;
  const from = isoSeconds(since);
  return {
    stillOpen: `${terms} is:open created:>=${from} sort:created-desc`,
    opened: `${terms} created:>=${from}`,
    merged: `${terms} is:merged merged:>=${from}`,
  };
}

const query = `
query PullRequestWindow(
  $owner: String!, $name: String!, $stillOpen: String!, $opened: String!, $merged: String!, $first: Int!, $after: String
) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) { ${repositoryNameField} }
  stillOpen: search(query: $stillOpen, type: ISSUE, first: $first, after: $after) {
    issueCount
    ${pageInfoField}
    nodes { ... on PullRequest { number createdAt author { ...Account } } }
  }
  opened: search(query: $opened, type: ISSUE, first: 1) { issueCount }
  merged: search(query: $merged, type: ISSUE, first: 1) { issueCount }
}
${accountFields}`;
