import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recentDeployments } from '../../server/metrics/delivery/environments.ts';
import { compositeHealth, throughputTrend } from '../../server/metrics/delivery/health-score.ts';
import { lastDaysWindow } from '../../server/metrics/kernel/window.ts';
import { activityCalendar, commitActivity, commitDays } from '../../server/metrics/people/activity.ts';
import { busFactor } from '../../server/metrics/people/bus-factor.ts';
import { contributorRows, windowSample } from '../../server/metrics/people/contributors.ts';
import { weekdayHours } from '../../server/metrics/people/person.ts';
import { recentOwn } from '../../server/metrics/people/profile.ts';
import { talkingPoints } from '../../server/metrics/people/talking-points.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { scatterPoints } from '../../server/metrics/pull-requests/cycle.ts';
import { ageDistribution, closedCount, concurrentByAuthor } from '../../server/metrics/pull-requests/open.ts';
import { reviewLoad } from '../../server/metrics/pull-requests/review-pairs.ts';
import { orgRuns } from '../../server/metrics/runs/org-summary.ts';
import { rounds } from '../support/rounds.ts';
import { anActor } from './delivery-builders.ts';
import { inEveryWorld } from './every-world.ts';
import { naiveRecent } from './naive-deployments.ts';
import {
  naiveAges,
  naiveCalendar,
  naiveCapped,
  naiveComposite,
  naiveConcurrent,
  naiveLinked,
  naiveLoad,
  naiveOrgRuns,
  naiveScatter,
  naiveTrendOfWeeks,
} from './naive-figures.ts';
import { naiveId, naiveRound, sortedBy } from './naive-people.ts';
import { day, hour } from './worlds.ts';

const thousand = { numRuns: rounds('PROPERTY_RUNS', 50, 1000) };
const lower = <Row extends { login: string }>(row: Row) => ({ ...row, login: row.login.toLowerCase() });

describe('a second, naive reading agrees in random worlds on', () => {
  test('the newest merges and the newest deployments', () => {
    inEveryWorld((world, people) => {
      const window = lastDaysWindow(90, world.now);
      const delivery = { repositoryCreatedAt: null, hasDeployments: true, defaultBranch: 'main' };
      const scope = { ...delivery, window, people, calendar: createCalendar(world.timezone) };
      expect(scatterPoints(world.pullRequests, scope)).toMatchObject(naiveScatter(world));
      const recent = recentDeployments(world.deployments, lastDaysWindow(30, world.now));
      const reported = recent.map(({ deployment: { id }, outcome, superseded, isRollback }) => {
        return { id, outcome, superseded, isRollback };
      });
      expect(reported).toEqual(naiveRecent(world.deployments, world.now - 30 * day, world.now));
    });
  });

  test('the ages of open pull requests and who has how many', () => {
    inEveryWorld((world, people) => {
      const { openPullRequests, pullRequests, now } = world;
      expect(ageDistribution(openPullRequests, now).map(({ count }) => count)).toEqual(naiveAges(world));
      expect(concurrentByAuthor(openPullRequests, people).map(lower)).toEqual(naiveConcurrent(world));
      const ended = pullRequests.filter((pr) => pr.closedAt !== null && pr.closedAt >= now - 90 * day);
      expect(closedCount(pullRequests, lastDaysWindow(90, now))).toBe(ended.length);
    });
  });

  test('whose accounts are joined in a row', () => {
    inEveryWorld((world, people) => {
      const from = world.now - 30 * day;
      const merged = world.pullRequests.filter((pr) => pr.mergedAt !== null && pr.mergedAt >= from);
      const opened = world.pullRequests.filter((pr) => pr.createdAt >= from);
      const linked = naiveLinked(world, merged, opened);
      const rows = contributorRows(windowSample(world.pullRequests, lastDaysWindow(30, world.now)), people);
      const aliases = rows.map(({ linkedLogins }) => linkedLogins.map((login) => login.toLowerCase()));
      expect(aliases).toEqual(rows.map(({ login }) => linked(login.toLowerCase())));
    });
  });

  test('the whole of the bus factor where the cap cuts', () => {
    inEveryWorld((world, people) => {
      const commits = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((turn) =>
        world.commits.map((one) => ({ ...one, sha: `${one.sha}-${turn}`, committedAt: one.committedAt - turn * hour })),
      );
      const figures = busFactor(commits, new Map(), { window: lastDaysWindow(90, world.now), people });
      expect(figures).toMatchObject(naiveCapped(commits, world));
    });
  });

  test('the year, the weeks and the hours of commits', () => {
    inEveryWorld((world) => {
      const workday = { calendar: createCalendar(world.timezone), start: 8, end: 19 };
      const { year, weeks, grid } = naiveCalendar(world);
      const days = commitDays(world.commits, workday.calendar);
      expect(activityCalendar(days, world.now, workday.calendar)).toEqual(year);
      expect(commitActivity(world.commits, world.now, workday).weeklyCommits).toEqual(weeks);
      expect(weekdayHours(world.commits, lastDaysWindow(90, world.now), workday)).toEqual(grid);
    });
  });

  test('a person’s newest pull requests', () => {
    inEveryWorld((world, people) => {
      const window = lastDaysWindow(90, world.now);
      // Many of the same day, so that the number decides.
      const daily = world.pullRequests.map((pr) => {
        const age = Math.ceil((world.now - pr.createdAt) / day);
        return { ...pr, createdAt: world.now - age * day };
      });
      const own = daily.filter((pr) => naiveId(pr.author, world.links) === 'ana' && pr.createdAt >= window.from);
      const expected = sortedBy(own, (pr) => [-pr.createdAt, -pr.number]).map(({ number, mergedAt, createdAt }) => {
        const isMerged = mergedAt !== null && mergedAt >= createdAt;
        return [number, isMerged ? naiveRound(mergedAt - createdAt, hour, 1) : null];
      });
      const recent = recentOwn(daily, window, { person: anActor('ana'), people });
      expect(recent.map(({ pullRequest, hoursToMerge }) => [pullRequest.number, hoursToMerge])).toEqual(
        expected.slice(0, 20),
      );
    });
  });
});

describe('a second, naive reading agrees on a thousand random', () => {
  test('loads of reviewers', () => {
    const name = fc.constantFrom('ana', 'Ben', 'cy', 'dot');
    const pairs = fc.uniqueArray(fc.record({ author: name, reviewer: name, count: fc.integer({ min: 1, max: 9 }) }), {
      selector: ({ author, reviewer }) => `${author} ${reviewer}`,
    });
    const check = (load: { author: string; reviewer: string; count: number }[], most: number) => {
      const reviewed = new Map(load.map(({ author, count }) => [author, count + most]));
      const { overloaded, soleReviewer } = reviewLoad(load, reviewed);
      const reported = soleReviewer.map(({ author, reviewer, count }) => ({ author, reviewer, count }));
      expect({ overloaded, soleReviewer: reported }).toEqual(naiveLoad(load, reviewed));
    };
    fc.assert(fc.property(pairs, fc.nat(3), check), thousand);
  });

  test('trends of weeks', () => {
    const weeks = fc.oneof(
      fc.array(fc.nat(3), { maxLength: 14 }),
      fc.array(fc.constantFrom(16, 17, 20, 23, 24), { maxLength: 14 }),
    );
    fc.assert(
      fc.property(weeks, (counts) => {
        expect(throughputTrend(counts)).toBe(naiveTrendOfWeeks(counts));
      }),
      thousand,
    );
  });

  test('repositories of an organization', () => {
    const repository = fc.record({
      successRate: fc.option(fc.nat(100)),
      passed: fc.nat(9),
      failed: fc.nat(3),
      totalRuns: fc.option(fc.nat(20)),
    });
    fc.assert(
      fc.property(fc.array(repository, { maxLength: 6 }), (all) => {
        expect(orgRuns(all)).toEqual(naiveOrgRuns(all));
      }),
      thousand,
    );
  });

  test('halves of a person’s work, for what to talk about', () => {
    const hours = fc.option(fc.constantFrom(0, 1, 1.4, 1.5, 1.6, 2, 3, 4.5, 60));
    const half = fc.record({
      prsOpened: fc.nat(6),
      prsMerged: fc.nat(9),
      avgHoursToMerge: hours,
      medianHoursToMerge: hours,
      reviewsGiven: fc.nat(9),
    });
    const facts = fc.record({
      recent: half,
      prior: half,
      prsEnded: fc.nat(9),
      commits: fc.nat(20),
      prMergeRate: fc.option(fc.nat(100)),
      afterHoursPct: fc.option(fc.nat(60)),
      openDays: fc.array(fc.nat(30), { maxLength: 3 }),
      reviewWaitDays: fc.array(fc.nat(30), { maxLength: 3 }),
    });
    const check = ({
      recent,
      prior,
      prsEnded,
      commits,
      prMergeRate,
      afterHoursPct,
      openDays,
      reviewWaitDays,
    }: typeof facts extends fc.Arbitrary<infer F> ? F : never) => {
      const merged = prior.prsMerged >= 5 ? (100 * (recent.prsMerged - prior.prsMerged)) / prior.prsMerged : 0;
      const reviews =
        prior.reviewsGiven >= 5 ? (100 * (recent.reviewsGiven - prior.reviewsGiven)) / prior.reviewsGiven : 0;
      const [now, before] = [recent.medianHoursToMerge, prior.medianHoursToMerge];
      const expected = [
        Math.max(0, ...reviewWaitDays) >= 14 && 'reviews_waiting',
        Math.max(0, ...openDays) >= 14 && 'open_long',
        merged <= -40 && 'merged_fewer',
        merged >= 60 && 'merged_more',
        reviews >= 60 && 'reviews_more',
        now !== null &&
          before !== null &&
          [recent, prior].every(({ prsMerged }) => prsMerged >= 5) &&
          before > 0 &&
          now / before > 1.5 &&
          'merges_slower',
        afterHoursPct !== null && afterHoursPct >= 30 && commits >= 10 && 'after_hours',
        prMergeRate !== null && prMergeRate < 50 && prsEnded >= 5 && 'merged_less_than_half',
      ].filter(Boolean);
      const points = talkingPoints({
        recent,
        prior,
        areListsComplete: true,
        prsEnded,
        commits,
        mergeMoments: 0,
        workday: { start: 8, end: 19, timezone: 'UTC' },
        prMergeRate,
        afterHoursPct,
        openDays,
        reviewWaitDays,
      });
      expect(points.map(({ rule }) => rule)).toEqual(expected);
    };
    fc.assert(fc.property(facts, check), thousand);
  });
});

test('a second reading of the composite agrees for every tier and factor', () => {
  for (const tier of ['elite', 'high', 'medium', 'low', null] as const)
    for (const factor of [null, 0, 1, 2, 3, 9])
      expect(compositeHealth(tier, factor)).toEqual(naiveComposite(tier, factor));
});
