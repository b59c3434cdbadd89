import { describe, expect, test } from 'vitest';
import type { ReviewClockEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { firstReviewWait, toPullRequestAt } from '../../../server/metrics/pull-requests/as-of.ts';
import { phaseTime } from '../../../server/metrics/pull-requests/cycle.ts';
import {
  ageDistribution,
  concurrentByAuthor,
  getOpenState,
  getReadyAt,
  roundDistribution,
} from '../../../server/metrics/pull-requests/open.ts';
import {
  abandonRate,
  approvalToMerge,
  timeToFirstReview,
} from '../../../server/metrics/pull-requests/pull-requests.ts';
import { cutReviews, reviewClockStart, unreadClock } from '../../../server/metrics/pull-requests/reviews.ts';
import { anActor, anOpenPullRequest, aPullRequest, aReview } from '../delivery-builders.ts';
import { hour } from '../worlds.ts';

const createdAt = Date.UTC(2026, 2, 6, 10);
const now = createdAt + 200 * hour;
const people = createPeople();
const scope = { window: lastDaysWindow(90, now), people };
const delivery = {
  ...scope,
  calendar: createCalendar('UTC'),
  defaultBranch: 'main',
  repositoryCreatedAt: null,
  hasDeployments: false,
};
const later = (hours: number) => createdAt + hours * hour;

describe('an open pull request waits on', () => {
  const approved = aReview('bob', 'approved', later(1));
  const request = aReview('bob', 'changes_requested', later(1));
  const required = { reviewDecision: 'review_required' as const };
  test.each([
    ['nobody as a draft', { isDraft: true }, 'nobody', null],
    ['a reviewer at first', {}, 'reviewer', 0],
    [
      'a reviewer when only a bot and the author spoke (27)',
      { reviews: [aReview('ana', 'commented', later(1)), aReview('x[bot]', 'approved', later(1))] },
      'reviewer',
      0,
    ],
    ['the author when changes are requested', { reviews: [request] }, 'author', 1],
    ['a reviewer after a newer push', { reviews: [request], lastPushAt: later(5) }, 'reviewer', 5],
    [
      'the author when the newest commit is dated in the future',
      {
        reviews: [request],
        lastPushAt: later(201),
        clock: [{ kind: 'pushed' as const, at: later(201), login: null }],
      },
      'author',
      1,
    ],
    [
      'a reviewer after a push, though a commit is dated in the future',
      { reviews: [request], lastPushAt: later(201), clock: [{ kind: 'pushed' as const, at: later(5), login: null }] },
      'reviewer',
      5,
    ],
    ['the author when the push was older', { reviews: [request], lastPushAt: later(0.5) }, 'author', 1],
    [
      'a reviewer after a newer request',
      { reviews: [request], clock: [{ kind: 'review_requested' as const, at: later(4), login: null }] },
      'reviewer',
      4,
    ],
    ['a merge when approved', { reviews: [approved], lastPushAt: later(5) }, 'merge', 1],
    ['a merge when the platform says so', { reviewDecision: 'approved' as const }, 'merge', null],
    ['a reviewer when more approvals are required', { reviews: [approved], ...required }, 'reviewer', 1],
    [
      'a reviewer also when the approval was commented on',
      { reviews: [approved, aReview('cy', 'commented', later(2))], ...required },
      'reviewer',
      1,
    ],
    [
      'the author when one approved and another requested changes',
      { reviews: [request, aReview('cy', 'approved', later(2))], ...required },
      'author',
      2,
    ],
    [
      'a reviewer when who requested changes approved later',
      { reviews: [request, aReview('bob', 'approved', later(3))], ...required },
      'reviewer',
      3,
    ],
    [
      'the author when a review is required and there are comments alone',
      { reviews: [aReview('bob', 'commented', later(1))], ...required },
      'author',
      1,
    ],
    [
      'the author when the platform counts a request for changes',
      { reviews: [approved], reviewDecision: 'changes_requested' as const },
      'author',
      1,
    ],
  ])('%s', (_, differences, on, hours) => {
    const state = getOpenState(anOpenPullRequest(differences), now, people);
    expect(state.waitingOn).toBe(on);
    expect(state.waitingSince).toBe(hours === null ? null : later(hours));
    expect(state.awaitingReview).toBe(on === 'reviewer');
  });
});

test('it is stale five days after it became ready, not after it was created', () => {
  const readyAt = (at: number) => anOpenPullRequest({ clock: [{ kind: 'ready_for_review', at, login: null }] });
  expect(getOpenState(readyAt(now - 120 * hour), now, people).isStale).toBe(false);
  expect(getOpenState(readyAt(now - 120 * hour - 1), now, people).isStale).toBe(true);
  expect(getOpenState(anOpenPullRequest({ isDraft: true }), now, people).isStale).toBe(false);
});

test('reviews that could not be read leave open whether it was reviewed and who has to act', () => {
  const unread = { reviews: null, createdAt: now - 200 * hour };
  const unknown = { hasReview: null, reviewRounds: null, awaitingReview: null, waitingOn: null, isStale: null };
  expect(getOpenState(anOpenPullRequest(unread), now, people)).toMatchObject(unknown);
  expect(getOpenState(anOpenPullRequest({ ...unread, isDraft: true }), now, people)).toMatchObject({
    waitingOn: 'nobody',
    awaitingReview: false,
    isStale: false,
  });
  const approved = anOpenPullRequest({ ...unread, reviewDecision: 'approved' });
  expect(getOpenState(approved, now, people)).toMatchObject({
    waitingOn: 'merge',
    waitingSince: null,
    hasReview: null,
  });
});

test('rounds are reviewed commits, not submissions (27)', () => {
  const reviews = [1, 2, 3].map((hours) => aReview('bob', 'commented', later(hours), hours === 3 ? 'b' : 'a'));
  expect(getOpenState(anOpenPullRequest({ reviews }), now, people).reviewRounds).toBe(2);
});

test('a review after the merge is no round of it, and none that was missing', () => {
  const merged = (hours: number, more: object = {}) =>
    aPullRequest({ mergedAt: later(2), reviews: [{ ...aReview('bob', 'approved', later(hours)), ...more }] });
  const rounds = (...pullRequests: ReturnType<typeof merged>[]) =>
    roundDistribution(pullRequests, { from: later(0), to: now }, people).map(({ count }) => count);
  expect(rounds(merged(3), merged(2), merged(1))).toEqual([1, 2, 0, 0]);
  expect(rounds(merged(3, { isCommitUnread: true }))).toEqual([1, 0, 0, 0]);
  expect(rounds(merged(1, { isCommitUnread: true }))).toEqual([null, null, null, null]);
});

test('ages fall into their buckets at the bounds, drafts into none', () => {
  const ages = [0, 23.9, 24, 72, 168, 335, 336, 999].map((age) => anOpenPullRequest({ createdAt: now - age * hour }));
  const counts = ageDistribution([...ages, anOpenPullRequest({ isDraft: true })], now).map(({ count }) => count);
  expect(counts).toEqual([2, 1, 1, 2, 2]);
});

test('open work is counted per person, drafts apart', () => {
  const open = ['ana', 'Ana', 'x[bot]'].map((login, n) =>
    anOpenPullRequest({ author: anActor(login), isDraft: n === 1 }),
  );
  expect(concurrentByAuthor(open, people)).toEqual([
    { login: 'Ana', isBot: false, count: 2, drafts: 1 },
    { login: 'x', isBot: true, count: 1, drafts: 0 },
  ]);
});

describe('benchmarks (27)', () => {
  test('start the clock when drafting ends and see people only', () => {
    const pullRequest = aPullRequest({
      mergedAt: later(30),
      clock: [{ kind: 'ready_for_review', at: later(20), login: null }],
      reviews: [aReview('x[bot]', 'approved', later(1)), aReview('bob', 'approved', later(23))],
    });
    expect(timeToFirstReview(scope)([pullRequest]).value).toBe(3);
  });

  test('take the last approval before the merge', () => {
    const reviews = [1, 8, 12].map((hours) => aReview('bob', 'approved', later(hours)));
    expect(approvalToMerge(scope)([aPullRequest({ mergedAt: later(10), reviews })]).value).toBe(2);
  });

  test('leave closures of bots out of the abandoned', () => {
    const closed = { mergedAt: null, closedAt: later(1) };
    const facts = [aPullRequest(closed), aPullRequest(), aPullRequest({ ...closed, author: anActor('x[bot]') })];
    expect(abandonRate(scope)(facts)).toMatchObject({ value: 50, sample: 2 });
  });
});

describe('where more moved the review clock than was read', () => {
  const unread = (hours: number) => ({ kind: 'earlier_unread' as const, at: later(hours), login: null });
  const pushed = (hours: number) => ({ kind: 'pushed' as const, at: later(hours), login: null });
  const ready = (hours: number) => ({ kind: 'ready_for_review' as const, at: later(hours), login: null });
  const review = aReview('bob', 'commented', later(10));
  const startOf = (clock: ReviewClockEvent[]) => reviewClockStart(aPullRequest({ createdAt, clock }), review, people);

  test('the start of a review is unknown unless something that was read began it', () => {
    expect(startOf([pushed(4), pushed(5)])).toBe(createdAt);
    expect(startOf([unread(4), pushed(4), pushed(5)])).toBeNull();
    expect(startOf([unread(4), pushed(4), ready(5)])).toBe(later(5));
    expect(startOf([unread(11), pushed(11), ready(12)])).toBeNull();
    const cut = aPullRequest({ createdAt, reviews: [review], clock: [unread(4), pushed(4)] });
    const measured = timeToFirstReview(scope);
    expect(measured([cut])).toMatchObject({ value: null, sample: 0 });
    expect(measured.evidence([cut]).excluded).toMatchObject([{ reason: unreadClock.unknown }]);
  });

  test('so are when it became ready, also as of an earlier time, and since when it waits', () => {
    const open = (clock: ReviewClockEvent[]) => anOpenPullRequest({ createdAt, clock });
    expect(getReadyAt(open([unread(4), pushed(4)]))).toBeNull();
    expect(getReadyAt(open([unread(4), pushed(4), ready(5)]))).toBe(later(5));
    const then = toPullRequestAt(open([unread(4), pushed(4), ready(5)]), later(3));
    expect(then && getReadyAt(then)).toBeNull();
    expect(getOpenState(open([unread(4), pushed(4)]), now, people)).toMatchObject({
      waitingOn: 'reviewer',
      waitingSince: null,
    });
    const reviewed = (clock: ReviewClockEvent[]) =>
      getOpenState(anOpenPullRequest({ createdAt, reviews: [review], clock }), now, people);
    expect(reviewed([unread(20), pushed(20)])).toMatchObject({ waitingOn: 'reviewer', waitingSince: null });
    expect(reviewed([unread(9), pushed(9), pushed(20)])).toMatchObject({
      waitingOn: 'reviewer',
      waitingSince: later(20),
    });
    expect(reviewed([unread(20), ready(20)])).toMatchObject({ waitingOn: null, waitingSince: null });
  });
});

describe('where only the oldest reviews were read', () => {
  const reviews = [1, 8].map((hours) => aReview('bob', 'approved', later(hours)));
  const cut = { reviews, reviewsTruncated: true };

  test('what the last ones decide is not known, unless the platform says that it is approved', () => {
    const stateOf = (rest: Parameters<typeof anOpenPullRequest>[0]) =>
      getOpenState(anOpenPullRequest({ createdAt, ...cut, ...rest }), now, people);
    const unknown = { waitingOn: null, waitingSince: null, awaitingReview: null };
    expect(stateOf({})).toMatchObject({ ...unknown, hasReview: true, isStale: false });
    expect(stateOf({ reviewDecision: 'review_required' })).toMatchObject(unknown);
    const approved = stateOf({ reviewDecision: 'approved' });
    expect(approved).toMatchObject({ waitingOn: 'merge', waitingSince: null, awaitingReview: false });
    expect(stateOf({ isDraft: true })).toMatchObject({ waitingOn: 'nobody', awaitingReview: false });
    const byBots = stateOf({ reviews: [aReview('x[bot]', 'approved', later(1))] });
    expect(byBots).toMatchObject({ ...unknown, hasReview: null, isStale: null });
  });

  test('times from the last approval leave it out and say why', () => {
    const merged = aPullRequest({ createdAt, mergedAt: later(20), ...cut });
    const whole = aPullRequest({ number: 2, createdAt, mergedAt: later(10), reviews });
    for (const metric of [approvalToMerge(scope), phaseTime('review', delivery), phaseTime('merge', delivery)])
      expect(metric.evidence([merged, whole])).toMatchObject({
        counted: [whole],
        excluded: [{ reason: cutReviews.unknown, fact: merged }],
      });
    // The first one is among the oldest.
    expect(phaseTime('pickup', delivery).evidence([merged, whole]).counted).toHaveLength(2);
  });

  test('and those are by bots, times to the first review are unknown, instead of without one', () => {
    const byBots = { reviews: [aReview('x[bot]', 'approved', later(1))], reviewsTruncated: true };
    const merged = aPullRequest({ createdAt, mergedAt: later(20), ...byBots });
    for (const metric of [timeToFirstReview(scope), phaseTime('pickup', delivery)])
      expect(metric.evidence([merged]).excluded).toEqual([{ reason: cutReviews.unknown, fact: merged }]);
    const unknown = { ms: 0, isKnown: false };
    expect(firstReviewWait(merged, now, people)).toEqual({ readyAt: later(20), ...unknown });
    const open = anOpenPullRequest({ createdAt, ...byBots });
    expect(firstReviewWait(open, now, people)).toEqual({ readyAt: now, ...unknown });
    // Those until then were all read where a later one was.
    expect(firstReviewWait(open, later(0.5), people)).toMatchObject({ ms: hour / 2, isKnown: true });
  });
});
