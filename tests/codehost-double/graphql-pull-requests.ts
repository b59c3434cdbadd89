import type { Instant } from '../../server/metrics/kernel/facts.ts';
import type { DoublePullRequest } from './delivery.ts';
import { aCommit, anActor } from './delivery-builders.ts';
import { commit } from './graphql-commits.ts';
import { connection, keyed, type Paging } from './graphql-connection.ts';
import { timeline } from './graphql-timeline.ts';
import { GraphqlRequestError, ghost, person, personOrNull, team, type View } from './graphql-view.ts';
import { idOf, moment, momentOrNull, webAddress } from './wire.ts';
import { type DoubleRepository, fullName, sameName } from './world.ts';

export interface Order {
  field: string;
  direction: 'ASC' | 'DESC';
}

interface PullRequestsArgs extends Paging {
  states?: string[] | null;
  labels?: string[] | null;
  headRefName?: string | null;
  baseRefName?: string | null;
  orderBy?: Order | null;
}

/** The list of a repository's pull requests; the platform gives the oldest first when no order is requested. */
export function pullRequests(view: View, one: DoubleRepository, args: PullRequestsArgs) {
  const wanted = one.pullRequests
    .filter(({ state }) => !args.states || args.states.includes(state.toUpperCase()))
    .filter(({ labels }) => !args.labels || args.labels.some((label) => labels?.includes(label)))
    .filter(({ headBranch }) => !args.headRefName || headBranch === args.headRefName)
    .filter(({ baseBranch }) => !args.baseRefName || baseBranch === args.baseRefName);
  const list = ordered(wanted, args.orderBy);
  const places = keyed(list, keyOf(args.orderBy), signOf(args.orderBy));
  return connection(list, args, (each) => pullRequest(view, one, each), list.length, places);
}

/** Sorts by creation or last update. */
export function ordered<T extends { number: number; createdAt: Instant; updatedAt: Instant }>(
  items: T[],
  order: Order | null | undefined,
): T[] {
  const key = keyOf(order);
  return [...items].sort((one, other) => signOf(order) * (key(one) - key(other) || one.number - other.number));
}

type Wanted = Order | null | undefined;

const keyOf = (order: Wanted) => (one: { createdAt: Instant; updatedAt: Instant }) =>
  order?.field === 'UPDATED_AT' ? one.updatedAt : one.createdAt;

const signOf = (order: Wanted) => (order?.direction === 'DESC' ? -1 : 1);

export function pullRequestNumbered(view: View, one: DoubleRepository, number: number) {
  const found = one.pullRequests.find((each) => each.number === number);
  if (!found)
    throw new GraphqlRequestError('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
  return pullRequest(view, one, found);
}

export function pullRequest(view: View, one: DoubleRepository, given: DoublePullRequest) {
  return {
    ...facts(one, given),
    ...people(given),
    repository: () => view.repository(one),
    labels: (args: Paging) =>
      connection(given.labels ?? [], args, (name) => ({ id: `LA_${name}`, name, color: 'c5def5', description: null })),
    commits: (args: Paging) =>
      connection(given.commits, args, (each) => ({
        id: `PRC_${each.sha}`,
        commit: () => commit(view, one, each),
        url: `${address(one, given)}/commits/${each.sha}`,
      })),
    files: (args: Paging) =>
      connection([...new Set(given.commits.flatMap(({ files }) => files.map(({ path }) => path)))], args, (path) => ({
        path,
        additions: 1,
        deletions: 0,
        changeType: 'MODIFIED',
      })),
    mergeCommit: () => mergeCommit(view, one, given),
    reviews: (args: ReviewsArgs) => reviews(view, one, given, args),
    reviewRequests: (args: Paging) =>
      connection(requested(given), args, (requestedReviewer) => ({ id: 'RR', requestedReviewer })),
    timelineItems: (args: Parameters<typeof timeline>[3]) => timeline(view, one, given, args),
    comments: () => ({ totalCount: given.comments }),
  };
}

function facts(one: DoubleRepository, given: DoublePullRequest) {
  return {
    __typename: 'PullRequest',
    id: pullRequestId(one, given.number),
    databaseId: one.facts.id * 10_000 + given.number,
    number: given.number,
    title: given.title,
    body: given.body ?? '',
    url: address(one, given),
    state: given.state.toUpperCase(),
    isDraft: given.isDraft,
    locked: false,
    merged: given.mergedAt !== null,
    closed: given.closedAt !== null,
    createdAt: moment(given.createdAt),
    updatedAt: moment(given.updatedAt),
    closedAt: momentOrNull(given.closedAt),
    mergedAt: momentOrNull(given.mergedAt),
    baseRefName: given.baseBranch,
    headRefName: given.headBranch,
    // The platform insists on an id even when the branch is gone.
    headRefOid: given.headSha ?? '0'.repeat(40),
    isCrossRepository: given.isFromFork ?? false,
    additions: given.additions,
    deletions: given.deletions,
    changedFiles: given.changedFiles,
    mergeable: given.mergeable.toUpperCase(),
    reviewDecision: given.reviewDecision?.toUpperCase() ?? null,
    totalCommentsCount: given.comments + given.reviews.reduce((sum, each) => sum + each.comments, 0),
  };
}

const people = ({ author, mergedBy }: DoublePullRequest) => ({
  author: personOrNull(author),
  mergedBy: personOrNull(mergedBy),
});

export const pullRequestId = (one: DoubleRepository, number: number) => `PR_${idOf(`${fullName(one)}#${number}`)}`;

const address = ({ facts }: DoubleRepository, { number }: DoublePullRequest) => `${webAddress(facts)}/pull/${number}`;

function mergeCommit(view: View, one: DoubleRepository, given: DoublePullRequest) {
  const { mergeSha, mergedAt } = given;
  if (mergeSha === null || mergedAt === null) return null;
  const known = one.commits.find((each) => each.sha === mergeSha);
  return commit(view, one, known ?? aCommit(mergedAt, given.mergedBy, given.title, { sha: mergeSha }));
}

interface ReviewsArgs extends Paging {
  states?: string[] | null;
  author?: string | null;
}

/** A review that was not sent yet is there for its author alone, and without a time. */
function reviews(
  view: View,
  one: DoubleRepository,
  given: DoublePullRequest,
  { states, author, ...asked }: ReviewsArgs,
) {
  const own = given.pending
    .filter(({ reviewer }) => sameName(reviewer.login, view.token.login))
    .map(({ id, reviewer }) => ({ id, reviewer, state: 'pending', submittedAt: null, commitSha: null, comments: 0 }));
  const submitted = [...given.reviews].sort((a, b) => a.submittedAt - b.submittedAt);
  const shown = [...submitted, ...own]
    .filter(({ state }) => !states || states.includes(state.toUpperCase()))
    .filter(({ reviewer }) => !author || (reviewer && sameName(reviewer.login, author)));
  return connection(shown, asked, (each) => ({
    __typename: 'PullRequestReview',
    id: each.id,
    databaseId: idOf(each.id),
    author: personOrNull(each.reviewer),
    state: each.state.toUpperCase(),
    body: '',
    submittedAt: momentOrNull(each.submittedAt),
    createdAt: moment(each.submittedAt ?? given.createdAt),
    updatedAt: moment(each.submittedAt ?? given.createdAt),
    url: `${address(one, given)}#${each.id}`,
    commit: () => reviewedCommit(view, one, given, each.commitSha),
    comments: () => ({ totalCount: each.comments }),
  }));
}

function reviewedCommit(view: View, one: DoubleRepository, given: DoublePullRequest, sha: string | null) {
  if (sha === null) return null;
  const known = given.commits.find((each) => each.sha === sha);
  return commit(view, one, known ?? aCommit(given.createdAt, given.author ?? ghost, given.title, { sha }));
}

const requested = ({ requestedReviewers, requestedTeams }: DoublePullRequest) => [
  ...requestedReviewers.map((login) => person(anActor(login))),
  ...requestedTeams.map(team),
];
