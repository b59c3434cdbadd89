import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { problemOfUnreadItems, unreadableFields } from '../client/failures.ts';
import {
  createConnectionSchema,
  createPageReader,
  type GraphqlPage,
  noItems,
  pageInfoField,
  rateLimitCost,
} from '../client/graphql-pages.ts';
import { deniedErrors, dependsOnSize, isUnavailable } from '../client/part-errors.ts';
import { type Attempt, shrinking } from '../client/shrinking.ts';
import type { PartError } from '../client/transport.ts';
import type { PullRequestCommits } from '../delivery/client.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';
import { commitFields, commitReader } from '../repositories/commits-wire.ts';

/** Commits of one pull request that are read at most. */
const maxCommits = 500;
/** The platform gives no more in a page. */
const pageSize = 100;

/** Reads the commits of some pull requests; see `DeliveryReads`. */
export async function readPullRequestCommits(
  context: DeliveryContext,
  name: RepositoryName,
  numbers: readonly number[],
): Promise<Map<number, PullRequestCommits | null>> {
  if (numbers.length === 0) return new Map();
  const first = await shrinking((share) => requestTogether(context, name, numbers, pageSize * share));
  const commitsByNumber = new Map<number, PullRequestCommits | null>();
  for (const [number, page] of first) {
    const commits = page && (await readOn(context, name, number, page));
    if (commits !== undefined) commitsByNumber.set(number, commits);
  }
  if (commitsByNumber.size === 0) throw unreadableFields(operation, ['commits']);
  return commitsByNumber;
}

type CommitPage = GraphqlPage<PullRequestCommits['commits'][number]>;

const operation = 'commits of pull requests';

/** The first page of each; null where there is no such pull request, absent where the platform failed to report it. */
function requestTogether(
  context: DeliveryContext,
  name: RepositoryName,
  numbers: readonly number[],
  size: number,
): Promise<Attempt<Map<number, CommitPage | null>>> {
  const pullRequest = pullRequestWith(context);
  const fields = Object.fromEntries(numbers.map((number) => [toAlias(number), pullRequest]));
  const inRepository = repositoryIn(context, name, fields);
  return context.transport.graphql({
    operation,
    query: `
query PullRequestCommits($owner: String!, $name: String!, $first: Int!) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    ${numbers.map((number) => `${toAlias(number)}: pullRequest(number: ${number}) { ...CommitPage }`).join('\n    ')}
  }
}
fragment CommitPage on PullRequest { ${commitPage('first: $first')} }
${commitFields}`,
    variables: { ...repositoryVariables(name), first: size },
    retry: false,
    read(data, errors) {
      // What the platform does not have any more is absent; what it denies, now or in part, has no answer.
      const failed = errors.filter(({ type, path }) => type !== 'NOT_FOUND' || path?.includes('nodes'));
      const repository = inRepository(data, errors) as Record<string, unknown> as Record<string, CommitsAnswer>;
      const complete = numbers.filter((number) => !failed.some(isAbout(number)));
      const isDenied = failed.every(({ type, path }) => deniedErrors.has(type) && !path?.includes('nodes'));
      if (complete.length === 0 && isDenied) throw problemOfUnreadItems(operation, ['commits'], failed);
      const value = new Map(complete.map((number) => [number, repository[toAlias(number)]?.commits ?? null]));
      return { value, isTruncated: errors.some(dependsOnSize) };
    },
  });
}

type CommitsAnswer = { commits: CommitPage } | null | undefined;

const toAlias = (number: number) => `p${number}`;

/** An error that names no place may be about anything. */
const isAbout =
  (number: number) =>
  ({ path }: PartError) =>
    !path || path.includes(toAlias(number));

/** The commits from the first page on; undefined where the platform failed to report them, which concerns no other. */
async function readOn(
  context: DeliveryContext,
  name: RepositoryName,
  number: number,
  first: CommitPage,
): Promise<PullRequestCommits | undefined> {
  const commits = [...first.items];
  const readPage = furtherPages(context, name, number);
  for (let { next } = first; next !== null && commits.length < maxCommits; ) {
    const page = await readPage(next).catch((error: unknown) => (isUnavailable(error) ? null : Promise.reject(error)));
    if (!page || page.partial) return undefined;
    commits.push(...page.items);
    next = page.next;
  }
  const stored = commits.slice(0, maxCommits);
  return { commits: stored, truncated: (first.totalCount ?? Infinity) > stored.length };
}

function furtherPages(context: DeliveryContext, name: RepositoryName, number: number) {
  const inRepository = repositoryIn(context, name, { pullRequest: pullRequestWith(context) });
  return createPageReader(context.transport, {
    operation: 'more commits of a pull request',
    query: `
query MoreCommitsOfPullRequest($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    pullRequest(number: $number) { ${commitPage('first: $first, after: $after')} }
  }
}
${commitFields}`,
    variables: { ...repositoryVariables(name), number },
    first: pageSize,
    read: (data: unknown, errors: PartError[]) => inRepository(data, errors).pullRequest?.commits ?? noItems,
  });
}

const commitPage = (page: string) =>
  `commits(${page}) { totalCount ${pageInfoField} nodes { commit { ...CommitFields } } }`;

/** Schema of a pull request with a page of its commits. */
const pullRequestWith = ({ toActor }: DeliveryContext) =>
  z
    .object({
      commits: createConnectionSchema(
        z.object({ commit: commitReader(toActor) }).transform(({ commit: { committedAt: _, ...commit } }) => commit),
      ),
    })
    .nullish();
