import { describe, expect, test } from 'vitest';
import { lastDaysWindow } from '../../server/metrics/kernel/window.ts';
import { activityCalendar, commitActivity, commitDays } from '../../server/metrics/people/activity.ts';
import { busFactor, overallBusFactor } from '../../server/metrics/people/bus-factor.ts';
import { createPeople, type People } from '../../server/metrics/people/people.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { outsideWorkdayShare, workloadRows } from '../../server/metrics/people/workload.ts';
import {
  assigneeLoad,
  issueAges,
  issueFigures,
  neglectedIssues,
  oldestOpenIssue,
  topLabels,
} from '../../server/metrics/pull-requests/issue-triage.ts';
import {
  closedIssues,
  daysToClose,
  openedIssues,
  openIssues,
  staleIssues,
  unansweredIssues,
  unassignedIssues,
  unlabelledIssues,
} from '../../server/metrics/pull-requests/issues.ts';
import { teamRuns } from '../../server/metrics/runs/team-runs.ts';
import { type DeliveryWorld, shuffled } from './delivery-worlds.ts';
import { inEveryWorld, sampleWorlds, share } from './every-world.ts';
import { opensEvidence } from './evidence.ts';
import { total } from './naive-people.ts';
import { naiveActivity, naiveBusFactors, naiveIssues, naiveTeam, naiveWorkload } from './naive-work.ts';

function workdayOf({ timezone }: DeliveryWorld) {
  return { calendar: createCalendar(timezone), start: 8, end: 19 };
}

function workload(world: DeliveryWorld, people: People, windowDays = 42, isCapped = false) {
  const { commits, openPullRequests, now } = world;
  return workloadRows({
    commits,
    openPullRequests,
    windowDays,
    now,
    workday: workdayOf(world),
    people,
    isOpenKnown: true,
    isCapped,
    hasGaps: false,
  });
}

function factors({ commits, directories, now }: DeliveryWorld, people: People) {
  return busFactor(commits, directories, { window: lastDaysWindow(90, now), people });
}

function team({ runs, now, timezone }: DeliveryWorld, people: People) {
  return teamRuns(runs, { now, calendar: createCalendar(timezone), people });
}

describe('a second, naive reading agrees in random worlds on', () => {
  test('bus factors', () => {
    inEveryWorld((world, people) => expect(factors(world, people)).toMatchObject(naiveBusFactors(world)));
  });

  test('workload', () => {
    inEveryWorld((world, people) => {
      const windowDays = [30, 42, 90][world.runs.length % 3] ?? 42;
      const isCapped = world.issues.length % 4 === 0;
      const rows = workload(world, people, windowDays, isCapped);
      const named = rows.map(({ login, unlinkedName, ...row }) => ({
        ...row,
        id: `${login.toLowerCase()}${unlinkedName ? ' (name)' : ''}`,
      }));
      expect(named).toMatchObject(naiveWorkload(world, windowDays, isCapped));
    });
  });

  test('the hours and days of commits', () => {
    inEveryWorld((world) => {
      expect(commitActivity(world.commits, world.now, workdayOf(world))).toMatchObject(naiveActivity(world));
    });
  });

  test('issues', () => {
    inEveryWorld((world, people) => {
      const { issues, now } = world;
      const expected = naiveIssues(world, 30);
      expect(issueFigures(issues, lastDaysWindow(30, now))).toEqual(expected.figures);
      expect(issueAges(issues, now).map(({ count }) => count)).toEqual(expected.ages);
      expect(topLabels(issues)?.map(({ label, count }) => [label, count])).toEqual(expected.labels);
      expect(assigneeLoad(issues, people)?.map(({ login, open }) => [login.toLowerCase(), open])).toEqual(
        expected.load,
      );
      expect(neglectedIssues(issues, now).map(({ number }) => number)).toEqual(expected.neglected);
      expect(oldestOpenIssue(issues, now)?.number ?? null).toBe(expected.oldest);
    });
  });

  test('runs of people', () => {
    inEveryWorld((world, people) => {
      const { contributors, topContributor, mostReliable, ...rest } = team(world, people);
      const { people: expected, topContributor: top, mostReliable: best, ...others } = naiveTeam(world);
      expect(contributors.map((row) => ({ ...row, id: row.login.toLowerCase() }))).toMatchObject(expected);
      expect([topContributor?.toLowerCase() ?? null, mostReliable?.toLowerCase() ?? null]).toEqual([top, best]);
      expect(rest).toEqual(others);
    });
  });
});

describe('in random worlds', () => {
  test('every headline is the value of its evidence', () => {
    inEveryWorld((world, people) => {
      const window = lastDaysWindow(90, world.now);
      opensEvidence(overallBusFactor({ window, people }), world.commits);
      opensEvidence(outsideWorkdayShare({ window, people, workday: workdayOf(world) }), world.commits);
      const aboutIssues = [daysToClose(window), daysToClose(window, 0.9), unassignedIssues, unlabelledIssues];
      const counts = [openIssues, openedIssues(window), closedIssues(window)];
      for (const metric of [...aboutIssues, ...counts, staleIssues(world.now), unansweredIssues(world.now)]) {
        opensEvidence(metric, world.issues);
      }
      expect(overallBusFactor({ window, people })(world.commits).value).toBe(factors(world, people).overallBusFactor);
    });
  });

  test('the order of facts changes nothing', () => {
    inEveryWorld((world, people) => {
      const everything = (facts: DeliveryWorld) => [
        factors(facts, people),
        workload(facts, people),
        team(facts, people),
        commitActivity(facts.commits, facts.now, workdayOf(facts)),
        issueFigures(facts.issues, lastDaysWindow(30, facts.now)),
        topLabels(facts.issues),
        assigneeLoad(facts.issues, people),
      ];
      expect(everything(shuffled(world, 5))).toEqual(everything(world));
    });
  });

  test('links change no sums', () => {
    inEveryWorld((world, people) => {
      const apart = createPeople([], ['own-ci']);
      const sums = (who: People) => {
        const rows = workload(world, who);
        const { totalRuns, unattributedRuns, contributors } = team(world, who);
        return [
          total(rows.map(({ totalCommits }) => totalCommits ?? 0)),
          total(rows.map(({ openPrCount }) => openPrCount ?? 0)),
          total(contributors.map((row) => row.totalRuns)),
          factors(world, who).totalCommits,
          totalRuns,
          unattributedRuns,
        ];
      };
      expect(sums(people)).toEqual(sums(apart));
    });
  });

  test('shares lie between 0 and 100, and those outside the workday are no fewer than either kind', () => {
    inEveryWorld((world, people) => {
      for (const { afterHoursPct, weekendPct, outsideWorkdayPct } of workload(world, people)) {
        for (const pct of [afterHoursPct, weekendPct]) {
          expect(pct === null || (pct >= 0 && pct <= (outsideWorkdayPct ?? 0) && (outsideWorkdayPct ?? 0) <= 100)).toBe(
            true,
          );
        }
      }
    });
  });

  test('a calendar has every day of 52 weeks and today once, and loses no commit of them', () => {
    inEveryWorld((world) => {
      const { calendar } = workdayOf(world);
      const days = activityCalendar(commitDays(world.commits, calendar), world.now, calendar);
      expect(new Set(days.map(({ date }) => date)).size).toBe(365);
      expect(days.at(-1)?.date).toBe(calendar.getDay(world.now));
      expect(total(days.map(({ count }) => count))).toBe(world.commits.filter(({ parents }) => parents < 2).length);
    });
  });
});

test('the random worlds reach both sides of every limit', () => {
  const people = createPeople([{ alias: 'ana-old', primary: 'ana' }], ['own-ci']);
  const worlds = sampleWorlds();
  const rows = worlds.flatMap((world) => workload(world, people, 90).filter(({ isBot }) => !isBot));
  const modules = worlds.flatMap((world) => factors(world, people).modules);
  const shares = [
    ...(['afterHours', 'weekend', 'concurrentPrOverload', 'activityCliff'] as const).map((flag) =>
      share(rows.map(({ flags }) => flags[flag] === true)),
    ),
    share(rows.map(({ sampleOk }) => sampleOk === true)),
    share(rows.map(({ unlinkedName }) => unlinkedName)),
    ...['critical', 'warning', 'healthy', 'low_sample'].map((risk) => share(modules.map((each) => each.risk === risk))),
    share(modules.map(({ module }) => module.split('/').length > 2)),
    share(worlds.map((world) => team(world, people).mostReliable !== null)),
    share(worlds.map((world) => issueFigures(world.issues, lastDaysWindow(30, world.now)).medianDaysToClose === null)),
  ];
  for (const [index, each] of shares.entries()) {
    expect(each, `share ${index}`).toBeGreaterThan(0.01);
    expect(each, `share ${index}`).toBeLessThan(0.99);
  }
});
