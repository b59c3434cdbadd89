import { z } from 'zod';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { asListing, createConnectionSchema, rateLimitCost, readPages, requestAll } from '../client/graphql-pages.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { integer } from '../client/wire.ts';
import type { DeliveryReads } from '../delivery/client.ts';
import {
  type DeliveryContext,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  withRenameRetry,
} from '../delivery/context.ts';
import { readPullRequestCommits } from './commits.ts';
import { readOpening } from './opening.ts';
import { endedPages, endedQuery, isImported, listQuery } from './pages.ts';
import { readQueue } from './queue.ts';
import { createPullRequestSearches } from './searches.ts';
import { signPages } from './signs.ts';
import { readTitles } from './titles.ts';
import { pullRequestWindow } from './window.ts';
import { openFields, openPullRequestReader, partsLackedBy, pullRequestReader } from './wire.ts';

/** Reads of pull requests over GraphQL, each with its reviews, its first commit and its review clock. */
export const createPullRequests = (context: DeliveryContext): DeliveryReads['pullRequests'] => ({
  ...createPullRequestSearches(context),
  endedPages: (name) => endedPages(context, name),
  readCommits: async (name, numbers) => readPullRequestCommits(context, name, numbers),
  signPages: (name) => signPages(context, name),
  opening: async (name, number) => readOpening(context, name, number),
  lastClosed: async (name, count) => lastClosed(context, name, count),
  open: async (name, { always = false } = {}) => open(context, name, always),
  queue: async (name, branch) => readQueue(context, name, branch),
  window: async (name, since) => pullRequestWindow(context, name, since),
  titles: async (name, numbers) => readTitles(context, name, numbers),
  mergedCounts: async (name, branch, spans) => {
    const base = `is:merged base:${branch.replace(/[\s"]/g, '')}`;
    const now = context.clock.now();
    const end = (to: Instant) => (to < now - 15 * minuteMs ? to : 'now');
    const named = spans.map(({ from, to }) => `${from}-${end(to)}`).join(' ');
    const { value } = await context.reader.remember(
      { key: `merged counts ${nameKey(name)} ${base} ${named}`, freshMs: () => 15 * minuteMs },
      // A span ends before its last instant, so that one that follows another counts nothing twice.
      () =>
        counts(
          context,
          name,
          spans.map(({ from, to }) => `${base} merged:${isoSeconds(from)}..${isoSeconds(to - 1)}`),
        ),
    );
    return value;
  },
});

async function lastClosed(context: DeliveryContext, name: RepositoryName, count: number) {
  const fields = { pullRequests: createConnectionSchema(pullRequestReader(context.toActor)) };
  const inRepository = repositoryIn(context, name, fields);
  const read = await context.reader.remember(
    { key: `last closed ${nameKey(name)} ${count}`, freshMs: () => 5 * minuteMs },
    async () => {
      const question = {
        operation: 'closed pull requests',
        query: endedQuery,
        variables: repositoryVariables(name),
        first: 50,
        lacks: partsLackedBy,
        read: (data: unknown, errors: Parameters<typeof inRepository>[1]) => inRepository(data, errors).pullRequests,
      };
      // An update is never older than the closing: nothing further down was closed later than the last one read.
      const enough = (items: PullRequest[]) =>
        (newestClosings(items.filter((one) => !isImported(one)))[count - 1] ?? -Infinity) >=
        (items.at(-1)?.updatedAt ?? Infinity);
      const listed = await readPages(context.transport, question, {
        maxItems: 500,
        enough,
        identity: ({ number }) => number,
      });
      const newest = listed.items
        .filter((one) => !isImported(one))
        .sort((one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0))
        .slice(0, count);
      return { ...listed, items: newest };
    },
  );
  return asListing(read);
}

const newestClosings = (items: { closedAt: Instant | null }[]) =>
  items.map(({ closedAt }) => closedAt ?? 0).sort((one, other) => other - one);

async function open(context: DeliveryContext, name: RepositoryName, always: boolean) {
  const fields = { pullRequests: createConnectionSchema(openPullRequestReader(context.toActor)) };
  const inRepository = repositoryIn(context, name, fields);
  const readOpen = (teams: boolean) =>
    readPages(
      context.transport,
      {
        operation: 'open pull requests',
        query: listQuery('OpenPullRequests', '[OPEN]', '{ field: CREATED_AT, direction: ASC }', openFields),
        variables: { ...repositoryVariables(name), teams },
        first: 50,
        lacks: partsLackedBy,
        read: (data: unknown, errors: Parameters<typeof inRepository>[1]) => inRepository(data, errors).pullRequests,
      },
      { maxItems: 300, identity: ({ number }) => number },
    );
  const read = await context.reader.remember(
    { key: `open ${nameKey(name)}`, freshMs: () => 5 * minuteMs, always },
    // The names of teams need a permission that many tokens lack; the rest does not.
    () => readOpen(true).catch((error) => (isForbidden(error) ? readOpen(false) : Promise.reject(error))),
  );
  return asListing(read);
}

const isForbidden = (error: unknown) => error instanceof Problem && error.code === 'upstream_forbidden';

/** How many pull requests of a repository each search finds; one request. */
async function counts(context: DeliveryContext, requested: RepositoryName, searches: string[]): Promise<number[]> {
  if (searches.length === 0) return [];
  return withRenameRetry(context, requested, (name) => {
    const { owner, repo } = repositoryParams(name);
    const aliases = searches.map((_, index) => `c${index}`);
    const inRepository = repositoryIn(context, name, {});
    const schema = z.object(Object.fromEntries(aliases.map((alias) => [alias, z.object({ issueCount: integer })])));
    return requestAll(context.transport, {
      operation: 'pull request counts',
      query: `
query PullRequestCounts($owner: String!, $name: String!, ${aliases.map((alias) => `$${alias}: String!`).join(', ')}) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) { ${repositoryNameField} }
  ${aliases.map((alias) => `${alias}: search(query: $${alias}, type: ISSUE, first: 1) { issueCount }`).join('\n  ')}
}`,
      variables: {
        ...repositoryVariables(name),
        ...Object.fromEntries(aliases.map((alias, index) => [alias, `repo:${owner}/${repo} is:pr ${searches[index]}`])),
      },
      read(data, errors) {
        inRepository(data, errors);
        const found = schema.parse(data);
        return aliases.map((alias) => found[alias]?.issueCount ?? 0);
      },
    });
  });
}
