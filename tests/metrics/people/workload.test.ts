import { describe, expect, test } from 'vitest';
import { commitActivity } from '../../../server/metrics/people/activity.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { cliffPriorMinimum } from '../../../server/metrics/people/silence.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { isAfterHours, isOutsideWorkday, isWeekend, workloadRows } from '../../../server/metrics/people/workload.ts';
import { aCommit, anActor, anOpenPullRequest } from '../delivery-builders.ts';
import { day } from '../worlds.ts';

const workday = { calendar: createCalendar('Asia/Saigon'), start: 8, end: 19 };
const now = Date.UTC(2026, 2, 6, 10);
const input = {
  commits: [],
  openPullRequests: [],
  windowDays: 42,
  now,
  workday,
  people: createPeople(),
  isOpenKnown: true,
  isCapped: false,
  hasGaps: false,
};
const daysAgo = (...days: number[]) => days.map((age, n) => aCommit({ sha: `${n}`, authoredAt: now - age * day }));

test.each([
  ['2026-03-06T01:00Z', false, false],
  ['2026-03-06T00:59Z', true, false],
  ['2026-03-06T11:59Z', false, false],
  ['2026-03-06T12:00Z', true, false],
  ['2026-03-06T18:00Z', true, true],
  ['2026-03-07T03:00Z', false, true],
])('%s: after hours %s, weekend %s', (time, afterHours, weekend) => {
  const instant = Date.parse(time);
  expect(isAfterHours(instant, workday)).toBe(afterHours);
  expect(isWeekend(instant, workday)).toBe(weekend);
  expect(isOutsideWorkday(instant, workday)).toBe(afterHours || weekend);
});

describe('an activity cliff', () => {
  test.each([
    [42, 3],
    [30, 3],
    [90, 9],
  ])('in %d days needs %d commits before', (windowDays, least) => {
    expect(cliffPriorMinimum(windowDays)).toBe(least);
    const before = Array.from({ length: least }, () => 20);
    const cliff = (...ages: number[]) =>
      workloadRows({ ...input, windowDays, commits: daysAgo(...ages) })[0]?.flags.activityCliff;
    expect(cliff(...before)).toBe(true);
    expect(cliff(...before.slice(1))).toBe(false);
    expect(cliff(...before, 14)).toBe(false);
  });

  test('is not known of a login whose account goes on under another one', () => {
    const by = (login: string, id: number, age: number, n: number) =>
      aCommit({
        sha: `${login}${n}`,
        author: { ...anActor(login), avatarUrl: `https://avatars.githubusercontent.com/u/${id}?v=4` },
        authoredAt: now - age * day,
      });
    const silent = (login: string, id: number) => [20, 21, 22].map((age, n) => by(login, id, age, n));
    const flags = (commits: ReturnType<typeof by>[]) =>
      Object.fromEntries(
        workloadRows({ ...input, commits }).map(({ login, flags: { activityCliff } }) => [login, activityCliff]),
      );
    expect(flags([...silent('old', 7), by('new', 7, 1, 9), ...silent('ben', 71)])).toEqual({
      old: null,
      new: false,
      ben: true,
    });
    expect(flags([...silent('old', 7), by('new', 70, 1, 9)])).toEqual({ old: true, new: false });
  });

  test('is none where a commit that was written before came to the branch since, be it older than the window', () => {
    const cliff = (changes: object) =>
      workloadRows({
        ...input,
        commits: [...daysAgo(20, 20, 20), { ...aCommit({ sha: 'rebased', authoredAt: now - 20 * day }), ...changes }],
      })[0]?.flags.activityCliff;
    expect(cliff({ committedAt: now - day })).toBe(false);
    expect(cliff({ committedAt: now - day, authoredAt: now - 50 * day })).toBe(false);
    expect(cliff({ committedAt: now - 15 * day })).toBe(true);
    expect(cliff({ committedAt: now - day, parents: 2 })).toBe(true);
    expect(cliff({ committedAt: now - day, author: anActor('ben') })).toBe(true);
  });

  test('is unknown for everybody when commits were not all read (33)', () => {
    const commits = [...daysAgo(20, 20, 20), aCommit({ author: anActor('x[bot]'), authoredAt: now })];
    const rows = workloadRows({ ...input, commits, isCapped: true });
    expect(rows.map(({ flags }) => flags.activityCliff)).toEqual([null, null]);
    expect(rows.map(({ riskScore }) => riskScore)).toEqual([0, 0]);
  });
});

describe('workload', () => {
  test('of commits of which one has an unread author is unknown for everybody', () => {
    const night = daysAgo(1, 2, 3, 4, 5, 6);
    const unread = aCommit({
      sha: 'unread',
      author: null,
      authorName: '',
      isAuthorUnread: true,
      authoredAt: now - day,
    });
    const rows = workloadRows({ ...input, commits: [...night, unread], hasGaps: true, isCapped: true });
    expect(rows).toHaveLength(1);
    expect(rows).toMatchObject([
      {
        totalCommits: null,
        recentPeriodCommits: null,
        priorPeriodCommits: null,
        outsideWorkdayPct: null,
        flags: { afterHours: null, weekend: null, activityCliff: null },
        riskScore: null,
        sampleOk: null,
      },
    ]);
  });

  test('of commits that are missing is no zero', () => {
    const openPullRequests = [anOpenPullRequest({ author: anActor('ben') })];
    const rows = workloadRows({ ...input, commits: daysAgo(1), openPullRequests, hasGaps: true, isCapped: true });
    expect(rows.map(({ totalCommits, riskScore }) => [totalCommits, riskScore])).toEqual([
      [1, null],
      [null, null],
    ]);
  });

  test('of four nightly commits says so without a flag', () => {
    const night = daysAgo(1, 2, 3, 4).map((commit) => ({ ...commit, authoredAt: commit.authoredAt + 8 * 3_600_000 }));
    expect(workloadRows({ ...input, commits: night })).toMatchObject([
      { afterHoursPct: 100, sampleOk: false, flags: { afterHours: false } },
    ]);
  });

  test('of drafts is not at once', () => {
    const open = (drafts: number) =>
      workloadRows({
        ...input,
        openPullRequests: [0, 1, 2, 3, 4].map((n) => anOpenPullRequest({ isDraft: n < drafts })),
      })[0];
    expect(open(2)).toMatchObject({ openPrCount: 5, openDraftCount: 2, flags: { concurrentPrOverload: false } });
    expect(open(1)).toMatchObject({ flags: { concurrentPrOverload: true }, riskScore: 1 });
  });

  test('counts no open pull requests where not all are known, though flags what is known', () => {
    const openPullRequests = [0, 1, 2, 3].map(() => anOpenPullRequest({ author: anActor('ben') }));
    const rows = workloadRows({ ...input, commits: daysAgo(1, 2), openPullRequests, isOpenKnown: false });
    expect(rows).toMatchObject([
      { login: 'ben', openPrCount: null, openDraftCount: null, riskScore: null, flags: { concurrentPrOverload: true } },
      {
        login: 'ana',
        openPrCount: null,
        openDraftCount: null,
        riskScore: null,
        flags: { concurrentPrOverload: false },
      },
    ]);
  });

  test('shows people without commits and leaves merges and bots out of signals (33)', () => {
    const merges = daysAgo(20, 20, 20).map((commit) => ({ ...commit, parents: 2 }));
    const bots = daysAgo(...Array(9).fill(20)).map((commit) => ({ ...commit, author: anActor('x[bot]') }));
    const rows = workloadRows({
      ...input,
      commits: [...bots, ...merges],
      openPullRequests: [anOpenPullRequest({ author: anActor('ben') }), anOpenPullRequest({ author: null })],
    });
    expect(rows.map(({ login, riskScore }) => [login, riskScore])).toEqual([
      ['ben', 0],
      ['x', 0],
    ]);
    expect(rows[0]).toMatchObject({ totalCommits: 0, afterHoursPct: null, openPrCount: 1 });
  });
});

test('a profile reads hours in the zone of the team (25)', () => {
  const commits = [aCommit({ authoredAt: Date.parse('2026-03-06T02:00Z') }), aCommit({ authoredAt: now - 100 * day })];
  const { afterHoursPct, commitHourDistribution, totalCommits, weeklyCommits, activeDaysPerWeek } = commitActivity(
    commits,
    now,
    workday,
  );
  expect([afterHoursPct, commitHourDistribution[9], totalCommits]).toEqual([0, 1, 1]);
  expect(weeklyCommits).toHaveLength(12);
  expect(weeklyCommits.at(-1)).toEqual({ weekStart: '2026-03-02', count: 1, partial: true });
  expect(activeDaysPerWeek).toEqual([1, 0, 0, 0]);
});

test('of a week whose commits were not all read nobody knows on how many days there were some', () => {
  const commits = [aCommit({ authoredAt: now - day })];
  const active = (completeFrom: number | null) =>
    commitActivity(commits, now, { ...workday, completeFrom }).activeDaysPerWeek;
  expect(active(null)).toEqual([1, 0, 0, 0]);
  // Midnight in Saigon, with which the second of these weeks begins.
  const begin = Date.parse('2026-02-20T17:00Z');
  expect(active(begin)).toEqual([1, 0, null, null]);
  expect(active(begin + 1)).toEqual([1, null, null, null]);
  expect(active(now)).toEqual([null, null, null, null]);
});
