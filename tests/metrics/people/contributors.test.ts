import { describe, expect, test } from 'vitest';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import {
  contributorRows,
  lastClosedSample,
  mergeTotals,
  windowSample,
} from '../../../server/metrics/people/contributors.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { ownPullRequests, periodComparison, reviewWork } from '../../../server/metrics/people/profile.ts';
import {
  firstPassApproval,
  medianHoursToMerge,
  reviewedShare,
} from '../../../server/metrics/pull-requests/pull-requests.ts';
import { reviewLoad, reviewPairs } from '../../../server/metrics/pull-requests/review-pairs.ts';
import { reviewClockStart } from '../../../server/metrics/pull-requests/reviews.ts';
import { anActor, aPullRequest, aReview } from '../delivery-builders.ts';
import { day, hour } from '../worlds.ts';

const createdAt = Date.UTC(2026, 2, 6, 10);
const window = lastDaysWindow(30, createdAt + day);
const people = createPeople([{ alias: 'ana-old', primary: 'ana' }]);
const soon = createdAt + hour / 2;

function merged(
  number: number,
  author: string | null,
  hours: number,
  merger: string,
  ...reviews: ReturnType<typeof aReview>[]
) {
  const mergedBy = anActor(merger);
  return aPullRequest({
    number,
    author: author === null ? null : anActor(author),
    mergedAt: createdAt + hours * hour,
    mergedBy,
    reviews,
  });
}

describe('four merged pull requests', () => {
  const pullRequests = [
    merged(1, 'ana', 2, 'cy', aReview('bob', 'changes_requested', soon), aReview('bob', 'approved', soon + 1)),
    merged(2, 'ana', 4, 'ana-old', aReview('ana-old', 'approved', soon)),
    merged(3, 'dependabot[bot]', 1, 'bob', aReview('helper[bot]', 'approved', soon)),
    merged(4, null, 10, 'cy', aReview('cy', 'commented', soon)),
  ];
  const sample = windowSample(pullRequests, window);
  const rows = contributorRows(sample, people);
  const rowOf = (name: string) => rows.find(({ login }) => login === name);

  test('give these totals', () => {
    expect(mergeTotals(sample.merged, people)).toMatchObject({
      prsMergedTotal: 4,
      prsHumanReviewed: 2,
      prsNoHumanReview: 2,
      prsSelfMerged: 1,
      botReviews: 1,
      botPrs: { merged: 1, noHumanReview: 1 },
      busFactor: 1,
    });
    expect(medianHoursToMerge({ window, people })(pullRequests)).toMatchObject({ value: 4, sample: 3 });
  });

  test('of which the reviews of one could not be read have no count of reviews', () => {
    const unread = windowSample([...pullRequests, { ...merged(5, 'cy', 1, 'ana'), reviews: null }], window);
    expect(mergeTotals(unread.merged, people)).toMatchObject({
      prsMergedTotal: 5,
      prsHumanReviewed: null,
      prsNoHumanReview: null,
      botReviews: null,
      botPrs: { merged: 1, noHumanReview: null },
    });
    const given = contributorRows(unread, people).find(({ login }) => login === 'bob');
    expect(given).toMatchObject({ reviewsGiven: null, reviewEvents: null, commentCount: null });
    expect(reviewedShare({ window, people })(unread.merged)).toMatchObject({ value: 50, sample: 4 });
    expect(reviewedShare({ window, people }).evidence(unread.merged).excluded).toMatchObject([
      { fact: { number: 5 }, reason: 'reviews could not be read' },
    ]);
  });

  test('of which the oldest fifty reviews of one are by bots have no count of reviews either', () => {
    const cut = { reviewsTruncated: true, reviews: [aReview('helper[bot]', 'commented', soon)] };
    const all = windowSample([...pullRequests, { ...merged(5, 'cy', 1, 'ana'), ...cut }], window);
    expect(mergeTotals(all.merged, people)).toMatchObject({ prsHumanReviewed: null, prsNoHumanReview: null });
    const rows = contributorRows(all, people);
    expect(rows.find(({ login }) => login === 'cy')).toMatchObject({ reviewedPrs: null, firstPassApprovedPrs: null });
    for (const declare of [reviewedShare, firstPassApproval]) {
      const scope = { window, people };
      expect(declare(scope)(all.merged)).toEqual(declare(scope)(sample.merged));
      expect(declare(scope).evidence(all.merged).excluded).toContainEqual(
        expect.objectContaining({ fact: all.merged[4], reason: 'not all of its reviews were read' }),
      );
    }
    const seen = { ...merged(5, 'cy', 1, 'ana', aReview('bob', 'approved', soon)), reviewsTruncated: true };
    const known = windowSample([...pullRequests, seen], window);
    expect(mergeTotals(known.merged, people)).toMatchObject({ prsHumanReviewed: 3, prsNoHumanReview: 2 });
  });

  test('give these pairs', () => {
    expect(reviewPairs(sample, people)).toEqual([
      { author: 'ana', reviewer: 'bob', count: 1 },
      { author: 'ghost', reviewer: 'cy', count: 1 },
    ]);
  });

  test('give these rows', () => {
    expect(rows.map(({ login }) => login)).toEqual(['ana', 'dependabot', 'bob', 'cy']);
    expect(rowOf('ana')).toMatchObject({
      prsMerged: 2,
      reviewedPrs: 1,
      firstPassApprovalRate: 0,
      linkedLogins: ['ana-old'],
      selfMergeCount: 1,
      medianHoursToMerge: 3,
    });
    expect(rowOf('bob')).toMatchObject({ reviewsGiven: 1, reviewEvents: 2, avgHoursToMerge: null });
    expect(rowOf('dependabot')).toMatchObject({ isBot: true, prsMerged: 1 });
  });
});

describe('a reader is not misled when', () => {
  test('size and self-merges are known (16, 23)', () => {
    const [row] = contributorRows(windowSample([merged(1, 'ana', 1, 'ana')], window), people);
    expect(row).toMatchObject({ avgPrSize: 15, selfMergeCount: 1 });
  });

  test('all merged pull requests are read for reviews, not the newest half (17)', () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      merged(n, 'ana', n < 30 ? 1 : 2, 'cy', aReview('bob', 'approved', soon)),
    );
    expect(contributorRows(lastClosedSample(many), people)[1]).toMatchObject({ login: 'bob', reviewsGiven: 60 });
  });

  test('one chatty pull request counts once, and bots review nothing (18)', () => {
    const chat = Array.from({ length: 9 }, (_, n) => aReview('bob', 'commented', soon + n));
    const sample = windowSample([merged(1, 'ana', 1, 'cy', ...chat, aReview('helper[bot]', 'approved', soon))], window);
    expect(reviewPairs(sample, people)).toEqual([{ author: 'ana', reviewer: 'bob', count: 1 }]);
    expect(contributorRows(sample, people).map(({ login }) => login)).toEqual(['ana', 'bob']);
  });

  test('one stuck pull request does not dominate (19)', () => {
    const [row] = contributorRows(
      windowSample(
        [1, 1, 400].map((hours, n) => merged(n, 'ana', hours, 'cy')),
        {
          from: 0,
          to: createdAt + 90 * day,
        },
      ),
      people,
    );
    expect(row).toMatchObject({ avgHoursToMerge: 134, medianHoursToMerge: 1 });
  });

  test('the funnel is about the person’s own pull requests (21, 22)', () => {
    const subject = { person: anActor('ana'), people };
    const facts = [
      merged(1, 'ana', 1, 'cy'),
      aPullRequest({ number: 2, mergedAt: null, reviews: [aReview('bob', 'approved', soon)] }),
      merged(2, 'bob', 1, 'cy', aReview('ana', 'approved', soon)),
    ];
    const { funnel, prsOpened, prsStillOpen, prMergeRate } = ownPullRequests(facts, window, subject);
    expect(funnel).toEqual({ opened: 2, reviewed: 1, approved: 1, merged: 1 });
    expect([prsOpened, prsStillOpen, prMergeRate]).toEqual([2, 1, 100]);
    const isCut = facts.map((each) => ({ ...each, reviewsTruncated: true }));
    expect(ownPullRequests(isCut, window, subject).funnel).toMatchObject({ reviewed: null, approved: null });
    const seen = isCut.map((each) => ({ ...each, reviews: [aReview('bob', 'commented', soon)] }));
    expect(ownPullRequests(seen, window, subject).funnel).toMatchObject({ reviewed: 2, approved: null });
    const unread = facts.map((each) => ({ ...each, reviews: null }));
    const partly = ownPullRequests(unread, window, subject).funnel;
    expect(partly).toEqual({ opened: 2, reviewed: null, approved: null, merged: 1 });
    expect(reviewWork(unread, window, subject)).toMatchObject({ reviewsGiven: null, avgReviewTurnaroundHours: null });
  });

  test('a merge falls into the half in which it happened (24)', () => {
    const now = createdAt + 50 * day;
    const slow = aPullRequest({ mergedAt: createdAt + 49 * day });
    const { recent, prior } = periodComparison([slow], now, { person: anActor('ana'), people });
    expect(recent).toMatchObject({ prsMerged: 1, avgHoursToMerge: 49 * 24, prsOpened: 0 });
    expect(prior).toMatchObject({ prsMerged: 0, avgHoursToMerge: null, prsOpened: 1 });
  });
});

test('the review clock starts with the end of drafting or with the own request, not with somebody else’s', () => {
  const pullRequest = aPullRequest({
    clock: [
      { kind: 'ready_for_review', at: createdAt + hour, login: null },
      { kind: 'review_requested', at: createdAt + 2 * hour, login: 'Bob' },
      { kind: 'review_requested', at: createdAt + 3 * hour, login: 'cy' },
      { kind: 'ready_for_review', at: createdAt + 9 * hour, login: null },
    ],
  });
  const start = (login: string, hours: number) =>
    (reviewClockStart(pullRequest, aReview(login, 'approved', createdAt + hours * hour), people) ?? 0) - createdAt;
  expect(start('bob', 5)).toBe(2 * hour);
  expect(start('dan', 5)).toBe(hour);
  expect(start('bob', 0.5)).toBe(0);
  expect(start('bob', 10)).toBe(9 * hour);
});

test('a heavy reviewer and a sole one stand out', () => {
  const pairs = [
    { author: 'ana', reviewer: 'bob', count: 4 },
    { author: 'cy', reviewer: 'bob', count: 1 },
    { author: 'cy', reviewer: 'dan', count: 4 },
    { author: 'bob', reviewer: 'eve', count: 2 },
  ];
  const load = reviewLoad(
    pairs,
    new Map([
      ['ana', 5],
      ['cy', 6],
      ['bob', 2],
    ]),
  );
  expect(load).toEqual({
    overloaded: ['bob'],
    soleReviewer: [{ author: 'ana', reviewer: 'bob', count: 4, reviewed: 5 }],
  });
});
