import type { OpenPullRequest, PullRequest, Review, ReviewClockEvent } from '../kernel/delivery-facts.ts';
import type { Actor, Instant } from '../kernel/facts.ts';
import { dayMs, hourMs, isWithin, type Window } from '../kernel/window.ts';
import { compareLogins, loginKey, type People } from '../people/people.ts';
import { getEndedAt } from './pull-requests.ts';
import { humanReviews, isClockCut, reviewRounds } from './reviews.ts';

/** Whose move an open pull request is. */
export type WaitingOn = 'author' | 'merge' | 'nobody' | 'reviewer';

export interface OpenState {
  ageMs: number;
  /** Creation, or the last time it became ready for review; null, as all that follows from it, where that is unknown. */
  readyAt: Instant | null;
  readyAgeMs: number | null;
  /** By a person other than the author; null, as all that reviews decide, where they could not be read, or not all. */
  hasReview: boolean | null;
  reviewRounds: number | null;
  awaitingReview: boolean | null;
  waitingOn: WaitingOn | null;
  /** When that wait began; null for drafts. */
  waitingSince: Instant | null;
  /** Ready for more than five days without a review by a person. */
  isStale: boolean | null;
}

export function getOpenState(pullRequest: OpenPullRequest, now: Instant, people: People): OpenState {
  const reviews = humanReviews(pullRequest, people);
  const readyAt = getReadyAt(pullRequest);
  const readyAgeMs = readyAt === null ? null : now - readyAt;
  const hasReview = reviews && (reviews.length > 0 || (pullRequest.reviewsTruncated ? null : false));
  const wait = getWait(pullRequest, { readyAt, now, people });
  return {
    ageMs: now - pullRequest.createdAt,
    readyAt,
    readyAgeMs,
    hasReview,
    reviewRounds: reviewRounds(pullRequest, people),
    awaitingReview: wait.on && wait.on === 'reviewer',
    waitingOn: wait.on,
    waitingSince: wait.since,
    isStale: isEvery([!pullRequest.isDraft, readyAgeMs === null ? null : readyAgeMs > 5 * dayMs, isNot(hasReview)]),
  };
}

/** null where one is unknown and no other is false. */
const isEvery = (holds: readonly (boolean | null)[]): boolean | null =>
  holds.includes(false) ? false : holds.includes(null) ? null : true;

const isNot = (holds: boolean | null) => (holds === null ? null : !holds);

/** Creation, or the last time it became ready for review; null where the review clock was not read, or not so far back. */
export function getReadyAt({ createdAt, clock }: PullRequest): Instant | null {
  if (clock === null) return null;
  const ready = listInstants(clock, 'ready_for_review');
  return ready.length === 0 && isClockCut(clock) ? null : Math.max(createdAt, ...ready);
}

/** Whose review is requested, each with when it was last requested; null where that is not known. */
export function listReviewRequests({
  requestedReviewers,
  clock,
}: OpenPullRequest): { login: string; requestedAt: Instant | null }[] {
  return requestedReviewers.map((login) => {
    const isTheirs = (event: ReviewClockEvent) => event.login !== null && loginKey(event.login) === loginKey(login);
    const requests = listInstants((clock ?? []).filter(isTheirs), 'review_requested');
    return { login, requestedAt: requests.length > 0 ? Math.max(...requests) : null };
  });
}

export const ageLabels = ['< 1 day', '1-3 days', '3-7 days', '1-2 weeks', '2+ weeks'] as const;

/** Open pull requests by age, drafts excluded. */
export function ageDistribution(
  pullRequests: readonly OpenPullRequest[],
  now: Instant,
): { bucket: (typeof ageLabels)[number]; count: number }[] {
  const ages = pullRequests.filter(({ isDraft }) => !isDraft).map(({ createdAt }) => now - createdAt);
  return ageLabels.map((bucket, index) => {
    const [from, to] = [ageBounds[index - 1] ?? -Infinity, ageBounds[index] ?? Infinity];
    return { bucket, count: ages.filter((age) => age >= from && age < to).length };
  });
}

export const roundLabels = ['0', '1', '2', '3+'] as const;

/** Pull requests merged in the window by how many rounds of review they took; null while that is unknown of any. */
export function roundDistribution(
  pullRequests: readonly PullRequest[],
  window: Window,
  people: People,
): { rounds: (typeof roundLabels)[number]; count: number | null }[] {
  const rounds = pullRequests
    .filter(({ mergedAt }) => isWithin(mergedAt, window))
    .map((each) => reviewRounds(each, people));
  const isKnown = !rounds.includes(null);
  const count = (index: number) => rounds.filter((each) => Math.min(3, each ?? 0) === index).length;
  return roundLabels.map((label, index) => ({ rounds: label, count: isKnown ? count(index) : null }));
}

/** How many pull requests ended in the window, merged or not. */
export function closedCount(pullRequests: readonly PullRequest[], window: Window): number {
  return pullRequests.filter((each) => isWithin(getEndedAt(each), window)).length;
}

export interface ConcurrentWork {
  login: string;
  isBot: boolean;
  /** Drafts included. */
  count: number;
  drafts: number;
}

/** Open pull requests per person, most first. Deleted accounts are excluded. */
export function concurrentByAuthor(pullRequests: readonly OpenPullRequest[], people: People): ConcurrentWork[] {
  const own = (key: string) => pullRequests.filter(({ author }) => author !== null && people.toKey(author) === key);
  return [...people.roster(pullRequests.map(({ author }): Actor | null => author)).values()]
    .map(({ key, login, isBot }) => {
      const open = own(key);
      return { login, isBot, count: open.length, drafts: open.filter(({ isDraft }) => isDraft).length };
    })
    .sort((a, b) => b.count - a.count || compareLogins(a.login, b.login));
}

const ageBounds = [24, 72, 168, 336].map((hours) => hours * hourMs);

interface Wait {
  /** null where the reviews, the last of them or the review clock could not be read, and decide. */
  on: WaitingOn | null;
  since: Instant | null;
}

interface Seen {
  readyAt: Instant | null;
  now: Instant;
  people: People;
}

function getWait(pullRequest: OpenPullRequest, { readyAt, now, people }: Seen): Wait {
  if (pullRequest.isDraft) return { on: 'nobody', since: null };
  const reviews = humanReviews(pullRequest, people);
  if (reviews === null || pullRequest.reviewsTruncated)
    return { on: pullRequest.reviewDecision === 'approved' ? 'merge' : null, since: null };
  const last = reviews.at(-1);
  const opinions = listOpinions(reviews, people);
  const decision = pullRequest.reviewDecision ?? getDecision(opinions);
  const approval = reviews.findLast(({ state }) => state === 'approved');
  if (decision === 'approved') return { on: 'merge', since: approval?.submittedAt ?? null };
  if (last === undefined) return { on: 'reviewer', since: readyAt };
  if (pullRequest.clock === null) return { on: null, since: null };
  const pushes = [
    ...listInstants(pullRequest.clock, 'pushed'),
    ...(pullRequest.lastPushAt === null ? [] : [pullRequest.lastPushAt]),
  ];
  // Whoever makes a commit dates it: one of the future would come after every review.
  const news = [...pushes.filter((at) => at <= now), ...listInstants(pullRequest.clock, 'review_requested')].filter(
    (at) => at > last.submittedAt,
  );
  const isCut = pullRequest.clock.some(({ kind, at }) => kind === 'earlier_unread' && at > last.submittedAt);
  if (news.length > 0) return { on: 'reviewer', since: isCut ? null : Math.min(...news) };
  if (isCut) return { on: null, since: null };
  // The branch requires more approvals than those given: the next one is no work of the author.
  const lacksApprovals = decision === 'review_required' && getDecision(opinions) === 'approved';
  if (approval && lacksApprovals) return { on: 'reviewer', since: approval.submittedAt };
  const requested = decision === 'changes_requested' ? reviews.findLast(({ state }) => state === decision) : undefined;
  return { on: 'author', since: (requested ?? last).submittedAt };
}

/** The last opinion of each person who approved or requested changes. */
function listOpinions(reviews: readonly Review[], people: People): Review['state'][] {
  const opinions = reviews.filter(({ state }) => state !== 'commented');
  return [
    ...new Map(
      opinions.map(({ reviewer, state }) => [reviewer === null ? null : people.toKey(reviewer), state]),
    ).values(),
  ];
}

/**
 * Where no rule of the branch requires reviews the platform decides nothing, so the opinions do: one request for
 * changes outweighs approvals.
 */
function getDecision(opinions: readonly Review['state'][]): OpenPullRequest['reviewDecision'] {
  if (opinions.includes('changes_requested')) return 'changes_requested';
  return opinions.length > 0 ? 'approved' : null;
}

function listInstants(clock: readonly ReviewClockEvent[], kind: ReviewClockEvent['kind']): Instant[] {
  return clock.filter((event) => event.kind === kind).map(({ at }) => at);
}
