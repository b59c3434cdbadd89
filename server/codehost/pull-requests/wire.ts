import { z } from 'zod';
import { isRevertTitle } from '../../metrics/delivery/failure-fixes.ts';
import type { OpenPullRequest, PullRequest, Review } from '../../metrics/kernel/delivery-facts.ts';
import { accountFields, graphqlAccount } from '../accounts/graphql-people.ts';
import { readableOnly } from '../client/readable-items.ts';
import { instant, integer, maybeInstant, shownAddress, shownText } from '../client/wire.ts';
import type { ActorOf } from '../runs/wire.ts';
import { clockFields, plain, toClock, wireClockItems, withLastPush } from './clock-events.ts';
import { mergeQueueFields, toMergeQueueHistory, wireMergeCommit, wireQueueItems } from './merge-queue.ts';

/** How many reviews of a pull request are read. */
const maxReviews = 50;

/** Everything a pull request's facts need; goes with the fragment for accounts. */
export const pullRequestFragment = `
fragment PullRequestFields on PullRequest {
  number title state isDraft createdAt updatedAt closedAt mergedAt url
  baseRefName headRefName headRefOid additions deletions changedFiles
  author { ...Account }
  mergedBy { ...Account }
  labels(first: 100) { nodes { name } }
  commits(first: 1) { totalCount nodes { commit { authoredDate } } }
  reviews(first: ${maxReviews}) {
    totalCount
    nodes { id state submittedAt author { ...Account } commit { oid } comments { totalCount } }
  }${clockFields}${mergeQueueFields}
}`;

export const pullRequestFields = `${pullRequestFragment}\n${accountFields}`;

/** What open pull requests have in addition. `$teams` is false for a token that may not read teams. */
export const openFields = `
fragment OpenFields on PullRequest {
  mergeable
  reviewDecision
  reviewRequests(first: 20) {
    nodes {
      requestedReviewer {
        __typename
        ... on User { login }
        ... on Bot { login }
        ... on Mannequin { login }
        ... on Team @include(if: $teams) { slug }
      }
    }
  }
  lastCommit: commits(last: 1) { nodes { commit { committedDate } } }
}`;

/** Schema that converts a pull request of the GraphQL answers into a fact. */
export const pullRequestReader = (toActor: ActorOf) =>
  wirePullRequest
    .refine(({ state, mergedAt }) => state !== 'MERGED' || mergedAt !== null, { path: ['mergedAt'] })
    .refine(({ state, closedAt }) => state === 'OPEN' || closedAt !== null, { path: ['closedAt'] })
    .transform((wire): PullRequest => toPullRequest(wire, toActor));

/** The same for an open one. */
export const openPullRequestReader = (toActor: ActorOf) =>
  wirePullRequest.extend(wireOpen).transform((wire): OpenPullRequest => {
    const fact = toPullRequest(wire, toActor);
    const pushes = (fact.clock ?? []).filter(({ kind }) => kind === 'pushed').map(({ at }) => at);
    const committedAt = wire.lastCommit.nodes?.[0]?.commit.committedDate;
    const lastPushAt = committedAt === undefined || fact.clock === null ? null : Math.max(committedAt, ...pushes);
    // Who is requested and cannot be read is a team: people can.
    const requested = present(wire.reviewRequests).map(({ requestedReviewer }) => requestedReviewer ?? unreadableTeam);
    return {
      ...fact,
      clock: withLastPush(fact.clock, committedAt),
      mergeable: wire.mergeable,
      reviewDecision: wire.reviewDecision,
      requestedReviewers: requested.flatMap(({ __typename, login }) =>
        __typename !== 'Team' && login ? plain(login) : [],
      ),
      requestedTeams: requested.flatMap(({ __typename, slug }) => (__typename === 'Team' ? (slug ?? unnamedTeam) : [])),
      lastPushAt,
    };
  });

/** Parts of a pull request that were not reported, as the platform names them. */
export const partsLackedBy = ({ labels, reviews, clock }: PullRequest): string[] => [
  ...(labels === null ? ['labels'] : []),
  ...(reviews === null ? ['reviews'] : []),
  ...(clock === null ? ['timelineItems'] : []),
];

/** What a requested team is called when the token may not read its name. */
const unnamedTeam = 'team';
const unreadableTeam = { __typename: 'Team', login: null, slug: null };

const nodes = <S extends z.ZodType>(node: S) => z.object({ nodes: readableOnly(node.nullable()).nullish() });

const wireReview = z
  .object({
    id: z.string(),
    state: z.string(),
    submittedAt: maybeInstant,
    author: graphqlAccount,
    isAuthorUnread: z.literal(true).optional(),
    commit: z.object({ oid: z.string() }).nullish(),
    isCommitUnread: z.literal(true).optional(),
    comments: z.object({ totalCount: integer }).nullish(),
  })
  .refine(({ state, submittedAt }) => submittedAt !== null || state === 'PENDING');

const wirePullRequest = z.object({
  number: integer,
  title: shownText,
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  isDraft: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
  closedAt: maybeInstant,
  mergedAt: maybeInstant,
  url: shownAddress,
  baseRefName: z.string(),
  headRefName: z.string(),
  headRefOid: z.string().nullish(),
  additions: integer,
  deletions: integer,
  changedFiles: integer,
  author: graphqlAccount,
  isAuthorUnread: z.literal(true).optional(),
  mergedBy: graphqlAccount,
  isMergerUnread: z.literal(true).optional(),
  // Without one of them, it cannot be determined whether it mends something.
  labels: z
    .object({ nodes: z.array(z.object({ name: z.string() })) })
    .nullish()
    .catch(null),
  commits: nodes(z.object({ commit: z.object({ authoredDate: maybeInstant }) })).extend({ totalCount: integer }),
  // Without one of them, it cannot be determined what the reviews come to.
  reviews: z
    .object({ nodes: z.array(wireReview), totalCount: integer })
    .nullish()
    .catch(null),
  timelineItems: wireClockItems,
  queueItems: wireQueueItems,
  mergeCommit: wireMergeCommit,
});

const wireOpen = {
  mergeable: z
    .enum(['MERGEABLE', 'CONFLICTING', 'UNKNOWN'])
    .transform((text) => text.toLowerCase() as Lowercase<typeof text>)
    .catch('unknown'),
  reviewDecision: z
    .enum(['APPROVED', 'CHANGES_REQUESTED', 'REVIEW_REQUIRED'])
    .transform((text) => text.toLowerCase() as Lowercase<typeof text>)
    .nullable()
    .catch(null),
  reviewRequests: nodes(
    z.object({
      requestedReviewer: z
        .object({ __typename: z.string(), login: z.string().nullish(), slug: z.string().nullish() })
        .nullish(),
    }),
  ).nullish(),
  lastCommit: nodes(z.object({ commit: z.object({ committedDate: instant }) })),
};

function toPullRequest(wire: z.output<typeof wirePullRequest>, toActor: ActorOf): PullRequest {
  const given = wire.reviews?.nodes ?? null;
  // Whoever gave it may be a bot or the author, so that it is not known what the reviews come to.
  const reviews = given?.some(({ isAuthorUnread }) => isAuthorUnread) ? null : given;
  return {
    number: wire.number,
    title: wire.title ?? null,
    isRevert: isRevertTitle(wire.title ?? ''),
    author: toActor(wire.author),
    isAuthorUnread: wire.isAuthorUnread,
    state: wire.state.toLowerCase() as Lowercase<typeof wire.state>,
    isDraft: wire.isDraft,
    createdAt: wire.createdAt,
    updatedAt: wire.updatedAt,
    closedAt: wire.closedAt,
    mergedAt: wire.mergedAt,
    mergedBy: toActor(wire.mergedBy),
    isMergerUnread: wire.isMergerUnread,
    baseBranch: wire.baseRefName,
    headBranch: wire.headRefName,
    // A branch that is gone may have zeros for an id.
    headSha: wire.headRefOid && /[^0]/.test(wire.headRefOid) ? wire.headRefOid : null,
    labels: wire.labels?.nodes.map(({ name }) => name) ?? null,
    additions: wire.additions,
    deletions: wire.deletions,
    changedFiles: wire.changedFiles,
    commitCount: wire.commits.totalCount,
    firstCommitAt: present(wire.commits)[0]?.commit.authoredDate ?? null,
    reviews: reviews?.flatMap((review) => toReview(review, toActor)) ?? null,
    reviewsTruncated: (wire.reviews?.totalCount ?? Infinity) > (reviews?.length ?? 0),
    clock: toClock(wire.timelineItems),
    mergeQueue: toMergeQueueHistory(wire.queueItems, wire.mergeCommit),
    htmlUrl: wire.url,
  };
}

const present = <T>(list: { nodes?: (T | null)[] | null | undefined } | null | undefined): T[] =>
  (list?.nodes ?? []).filter((one): one is T => one !== null);

/** A review that was begun and not sent has no time; it shows to its author alone. */
function toReview(wire: z.output<typeof wireReview>, toActor: ActorOf): Review[] {
  const state = reviewStates[wire.state];
  if (!state || wire.submittedAt === null) return [];
  const { id, submittedAt, commit, isCommitUnread } = wire;
  const reviewer = toActor(wire.author);
  const comments = wire.comments?.totalCount ?? null;
  return [{ id, reviewer, state, submittedAt, commitSha: commit?.oid ?? null, isCommitUnread, comments }];
}

const reviewStates: Record<string, Review['state']> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};
