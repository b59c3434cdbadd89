import { describe, expect, test } from 'vitest';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import {
  contributorRows,
  lastClosedSample,
  mergeTotals,
  windowSample,
} from '../../../server/metrics/people/contributors.ts';
import { createPeople, type People } from '../../../server/metrics/people/people.ts';
import {
  personAvgPrSize,
  personPrsMerged,
  personPrsOpened,
  personReviewsGiven,
  personReviewTurnaround,
} from '../../../server/metrics/people/person-work.ts';
import { ownPullRequests, periodComparison, reviewWork } from '../../../server/metrics/people/profile.ts';
import { ageDistribution, getOpenState, roundDistribution } from '../../../server/metrics/pull-requests/open.ts';
import {
  abandonRate,
  approvalToMerge,
  firstPassApproval,
  medianHoursToMerge,
  mergedPullRequests,
  reviewedShare,
  timeToFirstReview,
} from '../../../server/metrics/pull-requests/pull-requests.ts';
import { reviewPairs } from '../../../server/metrics/pull-requests/review-pairs.ts';
import { selfMergedShare } from '../../../server/metrics/pull-requests/self-merges.ts';
import { anActor } from '../delivery-builders.ts';
import { type DeliveryWorld, shuffled } from '../delivery-worlds.ts';
import { inEveryWorld, sampleWorlds, share } from '../every-world.ts';
import { opensEvidence } from '../evidence.ts';
import { naiveMedianToMerge, naivePairs, naiveProfile, naiveRows, naiveTotals } from '../naive-contributors.ts';
import { sortedBy, total } from '../naive-people.ts';
import { naiveBenchmarks, naiveOpenState } from '../naive-reviews.ts';
import { day, hour } from '../worlds.ts';

function inWindow(world: DeliveryWorld, people: People) {
  const sample = windowSample(world.pullRequests, lastDaysWindow(90, world.now));
  return { sample, rows: contributorRows(sample, people), totals: mergeTotals(sample.merged, people) };
}

describe('a second, naive reading agrees in random worlds on', () => {
  test('the rows of contributors, in both modes', () => {
    inEveryWorld((world, people) => {
      const from = world.now - 30 * day;
      const merged = world.pullRequests.filter((pr) => pr.mergedAt !== null && pr.mergedAt >= from);
      const opened = world.pullRequests.filter((pr) => pr.createdAt >= from);
      const windowed = windowSample(world.pullRequests, lastDaysWindow(30, world.now));
      const rows = contributorRows(windowed, people).map(withId);
      expect(rows).toMatchObject(naiveRows(world, merged, opened, merged));
      const closed = sortedBy(
        world.pullRequests.filter((pr) => pr.closedAt !== null),
        (pr) => [-Number(pr.closedAt), -pr.number],
      ).slice(0, 12);
      const last = contributorRows(lastClosedSample(world.pullRequests, 12), people).map(withId);
      expect(last).toMatchObject(
        naiveRows(
          world,
          closed.filter((pr) => pr.mergedAt !== null),
          closed,
          closed,
        ),
      );
    });
  });

  test('pairs and totals', () => {
    inEveryWorld((world, people) => {
      const { sample, totals } = inWindow(world, people);
      const pairs = reviewPairs(sample, people);
      expect(
        pairs.map(({ author, reviewer, count }) => [author?.toLowerCase(), reviewer.toLowerCase(), count]),
      ).toEqual(naivePairs(world, sample.merged).map(({ author, reviewer, count }) => [author, reviewer, count]));
      expect(totals).toEqual(naiveTotals(world, sample.merged));
      const scope = { window: lastDaysWindow(90, world.now), people };
      expect(mergedPullRequests(scope)(world.pullRequests).value).toBe(sample.merged.length);
      expect(medianHoursToMerge(scope)(world.pullRequests).value).toBe(naiveMedianToMerge(sample.merged));
    });
  });

  test('open pull requests', () => {
    inEveryWorld((world, people) => {
      for (const each of world.openPullRequests) {
        expect(getOpenState(each, world.now, people)).toEqual(naiveOpenState(each, world));
      }
    });
  });

  test('review times, abandoned work and rounds', () => {
    inEveryWorld((world, people) => {
      const window = lastDaysWindow(90, world.now);
      const scope = { window, people };
      const { pullRequests } = world;
      expect({
        first50: timeToFirstReview(scope)(pullRequests).value,
        first90: timeToFirstReview(scope, 0.9)(pullRequests).value,
        merge50: approvalToMerge(scope)(pullRequests).value,
        merge90: approvalToMerge(scope, 0.9)(pullRequests).value,
        abandon: abandonRate(scope)(pullRequests).value,
        firstPass: firstPassApproval(scope)(pullRequests).value,
        rounds: roundDistribution(pullRequests, window, people),
      }).toEqual(naiveBenchmarks(world, window.from, window.to));
    });
  });

  test('profiles and the comparison of periods', () => {
    inEveryWorld((world, people) => {
      const { now, pullRequests } = world;
      const subject = { person: anActor('ana'), people };
      const window = lastDaysWindow(90, now);
      const expected = naiveProfile(world, 'ana', window.from, window.to);
      expect(ownPullRequests(pullRequests, window, subject)).toEqual(expected.own);
      expect(reviewWork(pullRequests, window, subject)).toEqual(expected.reviews);
      const opened = [
        [personPrsMerged, expected.own.prsMerged],
        [personPrsOpened, expected.own.prsOpened],
        [personAvgPrSize, expected.own.avgPrSize],
        [personReviewsGiven, expected.reviews.reviewsGiven],
        [personReviewTurnaround, expected.reviews.avgReviewTurnaroundHours],
      ] as const;
      for (const [declare, value] of opened) {
        expect(declare(window, subject)(pullRequests).value).toBe(value);
        opensEvidence(declare(window, subject), pullRequests);
      }
      const halves = [
        naiveProfile(world, 'ana', now - 45 * day, now),
        naiveProfile(world, 'ana', now - 90 * day, now - 45 * day - 1),
      ].map(({ own, reviews }) => ({
        prsOpened: own.prsOpened,
        prsMerged: own.prsMerged,
        avgHoursToMerge: own.avgHoursToMerge,
        medianHoursToMerge: own.medianHoursToMerge,
        reviewsGiven: reviews.reviewsGiven,
      }));
      const { recent, prior } = periodComparison(pullRequests, now, subject);
      expect([recent, prior]).toEqual(halves);
    });
  });
});

describe('in random worlds', () => {
  test('rows, pairs and totals add up', () => {
    inEveryWorld((world, people) => {
      const { sample, rows, totals } = inWindow(world, people);
      const pairs = reviewPairs(sample, people);
      const ghosts = sample.merged.filter(({ author }) => author === null);
      expect(total(rows.map(({ prsMerged }) => prsMerged)) + ghosts.length).toBe(totals.prsMergedTotal);
      if (totals.prsHumanReviewed !== null)
        expect(totals.prsHumanReviewed + Number(totals.prsNoHumanReview)).toBe(totals.prsMergedTotal);
      for (const { login, reviewsGiven, isBot } of rows) {
        const given = pairs.filter(({ reviewer }) => reviewer === login && !isBot);
        expect(total(given.map(({ count }) => count))).toBe(reviewsGiven);
      }
      for (const { author, reviewer } of pairs) expect(author).not.toBe(reviewer);
      expect(total(rows.map(({ selfMergeCount }) => selfMergeCount ?? Number.NaN))).toBe(totals.prsSelfMerged);
      expect(rows.some(({ login }) => login === 'ghost')).toBe(false);
    });
  });

  test('links change no totals but those of a person’s own merges and reviews', () => {
    inEveryWorld((world, people) => {
      const apart = createPeople([], ['own-ci']);
      const [linked, unlinked] = [inWindow(world, people), inWindow(world, apart)];
      const { prsMergedTotal, botPrs, reviewsTruncatedPrs } = unlinked.totals;
      expect(linked.totals).toMatchObject({ prsMergedTotal, reviewsTruncatedPrs });
      // A review by oneself is none, so that of fewer it is known what those beyond the first come to.
      if (linked.totals.botReviews !== null) expect(linked.totals.botReviews).toBe(unlinked.totals.botReviews);
      expect(linked.totals.botPrs.merged).toBe(botPrs.merged);
      expect(linked.totals.prsSelfMerged).toBeGreaterThanOrEqual(unlinked.totals.prsSelfMerged ?? Number.NaN);
      if (linked.totals.prsHumanReviewed !== null)
        expect(linked.totals.prsHumanReviewed).toBeLessThanOrEqual(Number(unlinked.totals.prsHumanReviewed));
      const merges = ({ rows }: typeof linked) => total(rows.map(({ prsMerged }) => prsMerged));
      expect(merges(linked)).toBe(merges(unlinked));
      const scope = { window: lastDaysWindow(90, world.now), people };
      const median = (who: People) => medianHoursToMerge({ ...scope, people: who })(world.pullRequests);
      expect(median(people)).toEqual(median(apart));
    });
  });

  test('the order of facts changes nothing', () => {
    inEveryWorld((world, people) => {
      const everything = (facts: DeliveryWorld) => {
        const { rows, totals, sample } = inWindow(facts, people);
        const mixed = facts.pullRequests.map((each) => ({ ...each, reviews: each.reviews?.toReversed() ?? null }));
        return [rows, totals, reviewPairs(sample, people), periodComparison(mixed, facts.now, ana(people))];
      };
      expect(everything(shuffled(world, 7))).toEqual(everything(world));
    });
  });

  test('every headline is the value of its evidence, and every rate lies between 0 and 100', () => {
    inEveryWorld((world, people) => {
      const scope = { window: lastDaysWindow(90, world.now), people };
      const rates = [reviewedShare(scope), selfMergedShare(scope), firstPassApproval(scope), abandonRate(scope)];
      const times = [medianHoursToMerge(scope), timeToFirstReview(scope, 0.9), approvalToMerge(scope)];
      for (const each of [mergedPullRequests(scope), ...rates, ...times]) opensEvidence(each, world.pullRequests);
    });
  });
});

test('the random worlds reach both sides of every limit', () => {
  const sample = sampleWorlds();
  const people = createPeople([{ alias: 'ana-old', primary: 'ana' }], ['own-ci']);
  const states = sample.flatMap((world) => world.openPullRequests.map((each) => getOpenState(each, world.now, people)));
  const shares = [
    ...['author', 'merge', 'nobody', 'reviewer'].map((on) => share(states.map(({ waitingOn }) => waitingOn === on))),
    share(states.map(({ isStale }) => isStale === true)),
    share(states.map(({ readyAgeMs }) => (readyAgeMs ?? 0) > 120 * hour)),
    share(states.map(({ reviewRounds }) => Number(reviewRounds) > 1)),
    ...[0, 1, 2, 3, 4].map((bucket) =>
      share(sample.map((world) => (ageDistribution(world.openPullRequests, world.now)[bucket]?.count ?? 0) > 0)),
    ),
    share(sample.map((world) => inWindow(world, people).totals.prsSelfMerged !== 0)),
    share(sample.map((world) => inWindow(world, people).totals.botPrs.noHumanReview !== 0)),
    share(sample.map((world) => inWindow(world, people).rows.some(({ linkedLogins }) => linkedLogins.length > 0))),
  ];
  for (const each of shares) {
    expect(each).toBeGreaterThan(0.03);
    expect(each).toBeLessThan(0.97);
  }
});

function ana(people: People) {
  return { person: anActor('ana'), people };
}

function withId<Row extends { login: string }>(row: Row) {
  return { ...row, id: row.login.toLowerCase() };
}
