import { describe, expect, test } from 'vitest';
import {
  changeFailureEstimate,
  type DeliveryScope,
  deliveryEstimate,
  leadTime,
  mergeFrequency,
  releaseFrequency,
  restoreEstimate,
} from '../../../server/metrics/delivery/delivery.ts';
import { deploymentFailureRate, deploymentsPerDay } from '../../../server/metrics/delivery/deployments.ts';
import { deploymentFigures, recentDeployments } from '../../../server/metrics/delivery/environments.ts';
import { findOutages, timeToRestore } from '../../../server/metrics/delivery/restores.ts';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { createPeople, type People } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import {
  cycleBreakdown,
  cyclePhases,
  phaseTime,
  scatterPoints,
  throughputByWeek,
} from '../../../server/metrics/pull-requests/cycle.ts';
import { type DeliveryWorld, shuffled } from '../delivery-worlds.ts';
import { inEveryWorld, sampleWorlds, share } from '../every-world.ts';
import { opensEvidence } from '../evidence.ts';
import { naiveCycle, naiveDelivered, naiveDeployments, naiveEstimate, naiveWeeks } from '../naive-delivery.ts';
import { day } from '../worlds.ts';

function scopeOf({ now, timezone, runs }: DeliveryWorld, people: People): DeliveryScope {
  return {
    people,
    window: lastDaysWindow(90, now),
    calendar: createCalendar(timezone),
    defaultBranch: 'main',
    repositoryCreatedAt: ageOf(runs.length) === null ? null : now - (ageOf(runs.length) ?? 0),
    hasDeployments: runs.length % 2 === 0,
  };
}

/** Whatever else the world holds decides how old its repository is. */
function ageOf(runs: number): number | null {
  return [null, 400 * day, 14 * day, 13.9 * day, 2.5 * day][runs % 5] ?? null;
}

describe('a second, naive reading agrees in random worlds on', () => {
  test('the four keys', () => {
    inEveryWorld((world, people) => {
      const { repositoryCreatedAt, hasDeployments, ...scope } = scopeOf(world, people);
      const full = { ...scope, repositoryCreatedAt, hasDeployments };
      const estimate = deliveryEstimate(world.pullRequests, world.releases, full);
      expect(estimate).toMatchObject(naiveEstimate(world, repositoryCreatedAt, hasDeployments));
    });
  });

  test('the four keys of what a cap left, by the days that were read', () => {
    inEveryWorld((world, people) => {
      const knownFrom = { releases: world.now - 20.5 * day, merges: world.now - 33 * day };
      const { repositoryCreatedAt, hasDeployments, ...scope } = scopeOf(world, people);
      const left = {
        ...world,
        pullRequests: world.pullRequests.filter(({ mergedAt }) => (mergedAt ?? 0) >= knownFrom.merges),
        releases: world.releases.filter(({ publishedAt }) => (publishedAt ?? 0) >= knownFrom.releases),
      };
      const full = { ...scope, repositoryCreatedAt, hasDeployments, knownFrom };
      const estimate = deliveryEstimate(left.pullRequests, left.releases, full);
      expect(estimate).toMatchObject(naiveEstimate(left, repositoryCreatedAt, hasDeployments, knownFrom));
    });
  });

  test('the phases of pull requests and the weeks', () => {
    inEveryWorld((world, people) => {
      const scope = scopeOf(world, people);
      expect(cycleBreakdown(world.pullRequests, scope)).toEqual(naiveCycle(world));
      expect(throughputByWeek(world.pullRequests, scope)).toEqual(naiveWeeks(world));
    });
  });

  test('deployments', () => {
    inEveryWorld((world) => {
      const repositoryCreatedAt = world.runs.length % 2 === 0 ? null : world.now - 13 * day;
      const scope = {
        window: lastDaysWindow(30, world.now),
        calendar: createCalendar(world.timezone),
        repositoryCreatedAt,
      };
      const figures = deploymentFigures(world.deployments, false, scope);
      expect(figures).toMatchObject(naiveDeployments(world, repositoryCreatedAt));
    });
  });
});

describe('in random worlds', () => {
  test('every headline is the value of its evidence', () => {
    inEveryWorld((world, people) => {
      const scope = scopeOf(world, people);
      opensEvidence(releaseFrequency(scope), world.releases);
      for (const phase of cyclePhases) opensEvidence(phaseTime(phase, scope), world.pullRequests);
      const metrics = [mergeFrequency, leadTime, changeFailureEstimate, restoreEstimate];
      for (const metric of metrics) opensEvidence(metric(scope), world.pullRequests);
      const inProduction = { window: lastDaysWindow(30, world.now), environment: 'staging' };
      opensEvidence(deploymentsPerDay(inProduction), world.deployments);
      opensEvidence(deploymentFailureRate(inProduction), world.deployments);
      opensEvidence(timeToRestore(), findOutages(world.deployments, inProduction.window));
    });
  });

  test('the order of facts changes nothing', () => {
    inEveryWorld((world, people) => {
      const scope = scopeOf(world, people);
      const everything = ({ pullRequests, releases, deployments }: DeliveryWorld) => [
        deliveryEstimate(pullRequests, releases, scope),
        cycleBreakdown(pullRequests, scope),
        scatterPoints(pullRequests, scope),
        deploymentFigures(deployments, false, scope),
        recentDeployments(deployments, scope.window),
      ];
      expect(everything(shuffled(world, 3))).toEqual(everything(world));
    });
  });

  test('links change nothing but who counts as a reviewer', () => {
    inEveryWorld((world, people) => {
      const apart = createPeople([], ['own-ci']);
      const estimate = (who: People) => deliveryEstimate(world.pullRequests, world.releases, scopeOf(world, who));
      expect(estimate(people)).toEqual(estimate(apart));
    });
  });
});

test('the random worlds reach both sides of every limit', () => {
  const people = createPeople([], ['own-ci']);
  const worlds = sampleWorlds();
  const estimates = worlds.map((world) =>
    deliveryEstimate(world.pullRequests, world.releases, {
      ...scopeOf(world, people),
      calendar: createCalendar('UTC'),
    }),
  );
  const figures = worlds.map(({ now, deployments }) =>
    deploymentFigures(deployments, false, {
      window: lastDaysWindow(30, now),
      calendar: createCalendar('UTC'),
      repositoryCreatedAt: null,
    }),
  );
  const tiers = (find: (index: number) => string | null) =>
    ['elite', 'high', 'medium', 'low', null].map((tier) => share(worlds.map((_, index) => find(index) === tier)));
  const shares = [
    ...tiers((index) => estimates[index]?.leadTime.level ?? null),
    ...tiers((index) => estimates[index]?.mttr.level ?? null),
    share(estimates.map(({ changeFailureRate }) => changeFailureRate.total >= 10)),
    share(estimates.map(({ overallLevel }) => overallLevel === null)),
    share(estimates.map(({ basis }) => basis.deploymentFrequency === 'releases')),
    share(worlds.map((world) => naiveDelivered(world, 0, world.now).length > 5)),
    ...['deployments', 'stale'].map((source) => share(figures.map((each) => each.source === source))),
    share(figures.map(({ production }) => (production?.mttrSamples ?? 0) > 0)),
    share(figures.map(({ production }) => production !== null && production.openFailureSince !== null)),
    share(figures.map(({ tiers: { changeFailureRate } }) => changeFailureRate === null)),
  ];
  for (const [index, each] of shares.entries()) {
    expect(each, `share ${index}`).toBeGreaterThan(0.01);
    expect(each, `share ${index}`).toBeLessThan(0.99);
  }
});
