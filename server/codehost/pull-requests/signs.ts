import { z } from 'zod';
import type { CommitSigns } from '../../metrics/ai-authorship/classify.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { unreadableFields } from '../client/failures.ts';
import {
  createConnectionSchema,
  createPageReader,
  type GraphqlPage,
  noItems,
  pageInfoField,
  rateLimitCost,
} from '../client/graphql-pages.ts';
import { isUnavailable, unknownPlace } from '../client/part-errors.ts';
import type { PartError } from '../client/transport.ts';
import { instant, integer } from '../client/wire.ts';
import type { DeliveryReads, SignedPullRequest } from '../delivery/client.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';

/** Pull requests of a request, commits that come with each of them, and authors of a commit. */
const pageSize = 25;
const firstCommits = 30;
const maxAuthors = 4;
/** Commits of a pull request that are read at most; what did not come with it in pages of a hundred. */
const maxCommits = 250;
const commitPageSize = 100;

/** Reads what of pull requests can carry a mark, the newest update first, a page at a time; see `DeliveryReads`. */
export function signPages(
  context: DeliveryContext,
  name: RepositoryName,
): ReturnType<DeliveryReads['pullRequests']['signPages']> {
  const inRepository = repositoryIn(context, name, { pullRequests: createConnectionSchema(pullRequest) });
  const operation = 'signs of pull requests';
  let isPlaceUnknown = false;
  const readPage = createPageReader(context.transport, {
    operation,
    query: signsQuery,
    variables: repositoryVariables(name),
    first: pageSize,
    read(data: unknown, errors: PartError[]) {
      isPlaceUnknown = errors.some(({ type }) => type === unknownPlace);
      return isPlaceUnknown ? noItems : inRepository(data, errors).pullRequests;
    },
  });
  return async (after) => {
    const { items, next, partial, excluded } = await readPage(after);
    if (isPlaceUnknown) return null;
    // Who goes on below a gap never comes back to it.
    if (partial || excluded) throw unreadableFields(operation, ['repository.pullRequests.nodes']);
    const signed: SignedPullRequest[] = [];
    for (const item of items) signed.push(await readOn(context, name, item));
    return { items: signed, oldestUpdate: items.at(-1)?.updatedAt ?? null, next };
  };
}

/** The same with the commits that did not come with it; incomplete where they cannot be read. */
async function readOn(
  context: DeliveryContext,
  name: RepositoryName,
  { commits: first, ...item }: z.output<typeof pullRequest>,
): Promise<SignedPullRequest> {
  const { number, title, body, updatedAt, isMerged, mergeSha, ...signs } = item;
  const found = [...(first?.items ?? [])];
  let next = first?.next ?? null;
  const readPage = furtherCommits(context, name, number);
  while (next !== null && found.length < maxCommits) {
    const page = await readPage(next).catch((error: unknown) => (isUnavailable(error) ? null : Promise.reject(error)));
    if (!page || page.partial || page.excluded || page.items.length === 0) break;
    found.push(...page.items);
    next = page.next;
  }
  const commits = found.slice(0, maxCommits);
  const isComplete = commits.length === first?.totalCount && commits.every(({ isAuthorMissing }) => !isAuthorMissing);
  return { number, title, body, updatedAt, isMerged, mergeSha, signs: { ...signs, app: null, commits, isComplete } };
}

function furtherCommits(context: DeliveryContext, name: RepositoryName, number: number) {
  const inRepository = repositoryIn(context, name, { pullRequest: z.object({ commits: commitPage }).nullish() });
  return createPageReader<ReadCommit>(context.transport, {
    operation: 'signs of more commits',
    query: `
query SignsOfMoreCommits($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    pullRequest(number: $number) { commits(first: $first, after: $after) { ...CommitSigns } }
  }
}
${commitSigns}`,
    variables: { ...repositoryVariables(name), number },
    first: commitPageSize,
    read: (data: unknown, errors: PartError[]) => inRepository(data, errors).pullRequest?.commits ?? noItems,
  });
}

interface ReadCommit extends CommitSigns {
  /** Whether it has authors that were not read. */
  isAuthorMissing: boolean;
}

const person = z
  .object({ name: z.string().nullish(), email: z.string().nullish() })
  .transform(({ name, email }) => ({ name: name ?? '', address: email ?? '' }));

const readCommit = z
  .object({
    message: z.string(),
    parents: z.object({ totalCount: integer }),
    authors: z.object({ totalCount: integer, nodes: z.array(person) }),
    committer: person.nullish(),
  })
  .transform(
    ({ message, parents, authors, committer }): ReadCommit => ({
      message,
      isMerge: parents.totalCount > 1,
      authors: authors.nodes,
      committer: committer ?? null,
      isAuthorMissing: authors.totalCount !== authors.nodes.length,
    }),
  );

const commitPage = createConnectionSchema(z.object({ commit: readCommit }).transform(({ commit }) => commit));

const wireAuthor = z.object({ __typename: z.string(), login: z.string(), databaseId: integer.nullish() });

const pullRequest = z
  .object({
    number: integer,
    title: z.string(),
    body: z.string().nullish(),
    merged: z.boolean(),
    mergeCommit: z.object({ oid: z.string() }).nullish(),
    createdAt: instant,
    updatedAt: instant,
    headRefName: z.string(),
    isCrossRepository: z.boolean(),
    author: wireAuthor.nullish(),
    // Without all of them it cannot be determined whether one is a mark.
    labels: z
      .object({ totalCount: integer, nodes: z.array(z.object({ name: z.string() })) })
      .nullish()
      .catch(null),
    commits: commitPage.nullish().catch(null),
  })
  .transform(({ body, merged, mergeCommit, headRefName, isCrossRepository, author, labels, commits, ...rest }) => ({
    ...rest,
    body: body ?? '',
    isMerged: merged,
    mergeSha: merged ? (mergeCommit?.oid ?? null) : null,
    headBranch: headRefName,
    isFromFork: isCrossRepository,
    author: author ? toAuthor(author) : null,
    labels: labels && labels.totalCount === labels.nodes.length ? labels.nodes.map(({ name }) => name) : null,
    commits: (commits ?? null) as GraphqlPage<ReadCommit> | null,
  }));

const toAuthor = ({ __typename, login, databaseId }: z.output<typeof wireAuthor>) => ({
  id: databaseId ?? null,
  login,
  isBot: __typename === 'Bot',
});

const commitSigns = `
fragment CommitSigns on PullRequestCommitConnection {
  totalCount
  ${pageInfoField}
  nodes {
    commit {
      message
      parents { totalCount }
      authors(first: ${maxAuthors}) { totalCount nodes { name email } }
      committer { name email }
    }
  }
}`;

const signsQuery = `
query SignsOfPullRequests($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    pullRequests(orderBy: { field: UPDATED_AT, direction: DESC }, first: $first, after: $after) {
      totalCount
      ${pageInfoField}
      nodes {
        number title body merged mergeCommit { oid } createdAt updatedAt headRefName isCrossRepository
        author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
        labels(first: 20) { totalCount nodes { name } }
        commits(first: ${firstCommits}) { ...CommitSigns }
      }
    }
  }
}
${commitSigns}`;
