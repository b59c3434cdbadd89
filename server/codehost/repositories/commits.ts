import { z } from 'zod';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Listing } from '../client/client.ts';
import { problemOfUnreadItems } from '../client/failures.ts';
import {
  asListing,
  createConnectionSchema,
  noItems,
  pageInfoField,
  rateLimitCost,
  readPages,
  unreadIn,
} from '../client/graphql-pages.ts';
import { isPossibleName, nameKey, repositoryParams } from '../client/names.ts';
import { describePartial, mergeExcluded, readableItems } from '../client/readable-items.ts';
import type { CommitWithRepository, DeliveryReads } from '../delivery/client.ts';
import {
  type DeliveryContext,
  fromSecond,
  isoSeconds,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
  toAgeMinutes,
  toStartOfDay,
} from '../delivery/context.ts';
import { branchWith, commitFields, commitReader } from './commits-wire.ts';
import { readDirectories } from './directories.ts';

/** Reads of the default branch's commits over GraphQL, newest first. */
export function createCommits(context: DeliveryContext): DeliveryReads['commits'] {
  const history: DeliveryReads['commits']['history'] = async (name, since, max) => {
    const from = toStartOfDay(since);
    const read = await context.reader.remember(
      { key: `history ${nameKey(name)} ${from} ${max}`, freshMs: (result) => freshMs(result.unanswered) },
      () => readHistory(context, name, { since: isoSeconds(from), until: null }, max),
    );
    return { ...sinceOnly(asListing(read), since), head: read.value.head };
  };
  const untilNow: CommitsUntilNow = async (name, since, max) => {
    const now = context.clock.now();
    const read = await context.reader.remember(
      {
        key: `commits of ${toAgeMinutes(since, now)} minutes ${nameKey(name)} ${max}`,
        freshMs: (result) => freshMs(result.unanswered),
      },
      () => readHistory(context, name, { since: fromSecond(since), until: isoSeconds(now) }, max),
    );
    return asListing(read);
  };
  return {
    history,
    directories: (name, since, max, below = '') =>
      readDirectories(context, untilNow, { name, since, maxEntries: max, below }),
    async historiesBy(given, authorId, since) {
      const from = toStartOfDay(since);
      const names = given.filter(isPossibleName).slice(0, maxHistories);
      const key = `histories by ${authorId} ${from} ${names.map(nameKey).join(' ')}`;
      const read = await context.reader.remember({ key, freshMs: () => 15 * minuteMs }, () =>
        readHistoriesBy(context, names, authorId, from),
      );
      const listing = sinceOnly(asListing(read), since);
      return { ...listing, partial: listing.partial || names.length < given.length };
    },
  };
}

/** What an outage interrupted is soon requested again. */
const freshMs = (unanswered = false) => (unanswered ? 1 : 15) * minuteMs;

const maxHistories = 20;

/** The newest commits of a window that ends now: those dated into the future take no place of others. */
export type CommitsUntilNow = (name: RepositoryName, since: Instant, max: number) => Promise<Listing<Commit>>;

/** Both ends as they are requested from the platform. */
interface Span {
  since: string;
  until: string | null;
}

async function readHistory(context: DeliveryContext, name: RepositoryName, span: Span, max: number) {
  const inRepository = repositoryIn(
    context,
    name,
    branchWith({ oid: z.string(), history: createConnectionSchema(commitReader(context.toActor)) }),
  );
  let head: string | null = null;
  const result = await readPages(
    context.transport,
    {
      operation: 'commits',
      query: `
query Commits(
  $owner: String!, $name: String!, $since: GitTimestamp!, $until: GitTimestamp, $first: Int!, $after: String
) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    defaultBranchRef { target { ... on Commit { oid history(since: $since, until: $until, first: $first, after: $after) {
      totalCount
      ${pageInfoField}
      nodes { ...CommitFields }
    } } } }
  }
}
${commitFields}`,
      variables: { ...repositoryVariables(name), since: span.since, until: span.until },
      first: Math.min(100, max),
      read(data, errors) {
        const target = inRepository(data, errors).defaultBranchRef?.target;
        // Further pages go on from the commit in which the first began.
        head ??= target?.oid ?? null;
        return target?.history ?? noItems;
      },
    },
    { maxItems: max, identity: ({ sha }) => sha },
  );
  return { ...result, head: head as string | null };
}

/**
 * The newest 100 of each repository, in one request; repositories the token cannot see are excluded. Throws where there
 * may be commits and none of them could be read.
 */
async function readHistoriesBy(context: DeliveryContext, names: RepositoryName[], authorId: string, from: Instant) {
  if (names.length === 0) return { items: [], partial: false, capped: false, totalCount: 0 };
  const variables = names.map((name, index) => {
    const { owner, repo } = repositoryParams(name);
    return { [`owner${index}`]: owner, [`name${index}`]: repo };
  });
  const declared = variables.flatMap((one) => Object.keys(one)).map((name) => `, $${name}: String!`);
  const history = createConnectionSchema(commitReader(context.toActor));
  const repository = z.object({ ...branchWith({ history }), name: z.string(), owner: z.object({ login: z.string() }) });
  const repositories = readableItems(repository.nullish());
  const schema = z.record(z.string(), z.unknown());
  const operation = 'commits of an author';
  return context.transport.graphql({
    operation,
    query: `
query CommitsOfAuthor($author: ID!, $since: GitTimestamp!${declared.join('')}) {
  ${rateLimitCost}
  ${names.map((_, index) => `r${index}: repository(owner: $owner${index}, name: $name${index}) { ...ByAuthor }`).join('\n  ')}
}
fragment ByAuthor on Repository {
  ${repositoryNameField}
  defaultBranchRef { target { ... on Commit {
    history(since: $since, author: { id: $author }, first: 100) { totalCount ${pageInfoField} nodes { ...CommitFields } }
  } } }
}
${commitFields}`,
    variables: Object.assign({ author: authorId, since: isoSeconds(from) }, ...variables),
    retry: true,
    read(data, errors) {
      const answers = schema.parse(data);
      const { items: found, excluded } = repositories.parse(names.map((_, index) => answers[`r${index}`]));
      const pages = found.map((one) => one?.defaultBranchRef?.target?.history ?? noItems);
      const items = found.flatMap((one, index) =>
        (pages[index]?.items ?? []).map(
          (commit): CommitWithRepository => ({
            ...commit,
            repository: { owner: one?.owner.login ?? '', repo: one?.name ?? '' },
          }),
        ),
      );
      const counts = pages.flatMap((page) => page.totalCount ?? []);
      const totalCount = counts.length === pages.length ? counts.reduce((sum, count) => sum + count, 0) : null;
      const isTruncated = pages.some(({ next }) => next !== null);
      const allExcluded = mergeExcluded([{ excluded }, ...pages]);
      context.transport.warnExcluded(operation, allExcluded);
      const unread = unreadIn(errors);
      const missing = mergeExcluded([{ excluded: allExcluded }, { excluded: unread }]);
      if (missing && items.length === 0) throw problemOfUnreadItems(operation, missing.fields, errors);
      const partialReason = describePartial(operation, allExcluded, unread);
      return {
        items,
        totalCount,
        partial: missing !== null || isTruncated,
        partialReason,
        capped: isTruncated && !missing,
      };
    },
  });
}

/** Removes what the widened request added; a cap that only truncated such commits is none. */
function sinceOnly<T extends Commit>(listing: Listing<T>, since: Instant): Listing<T> {
  const items = listing.items.filter(({ committedAt }) => committedAt >= since);
  const isTruncated = listing.partial && items.length === listing.items.length;
  const partial = isTruncated || listing.partialReason !== undefined;
  return { ...listing, items, partial, totalCount: partial ? listing.totalCount : items.length };
}
