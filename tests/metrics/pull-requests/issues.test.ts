import { expect, test } from 'vitest';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import {
  assigneeLoad,
  issueAges,
  issueFigures,
  neglectedIssues,
} from '../../../server/metrics/pull-requests/issue-triage.ts';
import { orgRuns } from '../../../server/metrics/runs/org-summary.ts';
import { teamRuns } from '../../../server/metrics/runs/team-runs.ts';
import { anActor, anIssue } from '../delivery-builders.ts';
import { aRun, day, hour, runsEnding } from '../worlds.ts';

const now = Date.UTC(2026, 2, 31, 10);
const window = lastDaysWindow(30, now);
const people = createPeople([{ alias: 'ana-old', primary: 'ana' }]);
const aged = (days: number, differences = {}) => anIssue({ createdAt: now - days * day, ...differences });

test('open issues fall into their ages at the bounds', () => {
  const issues = [0, 6.99, 7, 29.99, 30, 89.99, 90, 900].map((days) => aged(days));
  expect(issueAges([...issues, aged(1, { closedAt: now })], now).map(({ count }) => count)).toEqual([2, 2, 2, 2]);
});

test('stale, unanswered and unlabelled issues begin at their bounds', () => {
  const figures = (...issues: ReturnType<typeof anIssue>[]) => issueFigures(issues, window);
  expect(figures(aged(30), aged(40, { updatedAt: now - 30 * day + 1 }))).toMatchObject({ staleCount: 1 });
  expect(figures(aged(14), aged(13.9), aged(20, { comments: 1 }))).toMatchObject({ unansweredCount: 1 });
  // Whether somebody answered is unknown of an old issue alone: a young one is not waiting yet.
  expect(figures(aged(14), aged(13.9, { comments: null }))).toMatchObject({ unansweredCount: 1 });
  expect(figures(aged(14), aged(15, { comments: null }))).toMatchObject({ unansweredCount: null });
  expect(figures(aged(1), aged(1, { labels: [{ name: 'bug', color: 'f00' }] }))).toMatchObject({ unlabelledCount: 1 });
  expect(figures()).toMatchObject({ openCount: 0, staleCount: 0, medianDaysToClose: null, backlogDelta: 0 });
});

test('closing is counted in the window, by reason and by who did it', () => {
  const issues = [
    aged(3, { closedAt: now - day, closeReason: 'not_planned' }),
    aged(60, { closedAt: now - 50 * day }),
    aged(50, { closedAt: now - 40 * day + 12 * day, closedByBot: true }),
    aged(2),
  ];
  expect(issueFigures(issues, window)).toMatchObject({
    openedInPeriod: 2,
    closedInPeriod: 2,
    backlogDelta: 0,
    closedNotPlanned: 1,
    closedByBot: 1,
    medianDaysToClose: 12,
    p90DaysToClose: 20,
  });
});

test('the neglected are the oldest, however long nobody touched them (34)', () => {
  const issues = Array.from({ length: 12 }, (_, n) => aged(20 + n, { number: n }));
  expect(neglectedIssues(issues, now).map(({ number }) => number)).toEqual([11, 10, 9, 8, 7, 6, 5, 4]);
  expect(neglectedIssues(issues, now)[0]?.ageDays).toBe(31);
});

test('an issue held by two accounts of one person is theirs once, by two people both’s', () => {
  const issues = [aged(1, { assignees: ['ana', 'ana-old', 'ben'] }), aged(1, { assignees: ['ben'] })];
  expect(assigneeLoad(issues, people)).toEqual([
    { login: 'ben', open: 2 },
    { login: 'ana', open: 1 },
  ]);
});

test('scheduled runs are nobody’s, bots win nothing, and cancelled runs are in both totals (49)', () => {
  const scope = { now, calendar: createCalendar('Asia/Saigon'), people };
  const by = (login: string, first: number, endings: Parameters<typeof runsEnding>) =>
    runsEnding(...endings).map((run) => ({ ...run, id: run.id + first, actor: anActor(login) }));
  const runs = [
    ...by('ana', 0, ['success', 'success', 'success', 'success', 'failure', 'cancelled']),
    ...by('ana-old', 10, ['cancelled']),
    ...by('ben', 20, ['success', 'success', 'success', 'success']),
    ...by('x[bot]', 30, Array(9).fill('success')),
    aRun({ id: 50, event: 'schedule', actor: anActor('ben') }),
    aRun({ id: 51, actor: anActor('ben'), status: 'in_progress', conclusion: null }),
  ];
  const { contributors, ...rest } = teamRuns(runs, scope);
  expect(contributors.map(({ login, totalRuns, successRate }) => [login, totalRuns, successRate])).toEqual([
    ['x', 9, 100],
    ['ana', 7, 80],
    ['ben', 4, 100],
  ]);
  expect(rest).toEqual({
    topContributor: 'ana',
    mostReliable: 'ana',
    totalRuns: 21,
    unattributedRuns: 1,
    periodDays: 25,
  });
});

test('a person’s waits leave re-runs without job data out', () => {
  const createdAt = now - 2 * day;
  const rerun = aRun({
    id: 1,
    attempt: 2,
    createdAt,
    startedAt: now - hour,
    actor: anActor('ana'),
    triggeringActor: anActor('ben'),
  });
  const { contributors } = teamRuns([rerun], { now, calendar: createCalendar('UTC'), people });
  expect(contributors).toMatchObject([{ login: 'ana', avgQueueWaitMs: null, rerunsTriggered: 0 }]);
});

test('an organization’s rates leave unknown ones out and weigh runs and repositories apart (52)', () => {
  const repositories = [
    { successRate: 100, passed: 1, failed: 0, totalRuns: 900 },
    { successRate: 50, passed: 50, failed: 50, totalRuns: 100 },
    { successRate: null, passed: 0, failed: 0, totalRuns: 0 },
    { successRate: null, passed: 0, failed: 0, totalRuns: null },
  ];
  expect(orgRuns(repositories)).toEqual({
    activeRepositories: 2,
    totalRuns: 1000,
    uncountedRepos: 1,
    avgSuccessRate: 75,
    pooledSuccessRate: 50,
    pooledPassedRuns: 51,
  });
  expect(orgRuns([])).toMatchObject({ avgSuccessRate: null, pooledSuccessRate: null, totalRuns: 0, uncountedRepos: 0 });
});

test('an organization of which no repository could be counted has no known number of runs, which is not zero', () => {
  const unread = { successRate: null, passed: 0, failed: 0, totalRuns: null };
  expect(orgRuns([unread, unread])).toMatchObject({ totalRuns: null, activeRepositories: null, uncountedRepos: 2 });
  expect(orgRuns([unread, { ...unread, totalRuns: 0 }])).toMatchObject({
    totalRuns: 0,
    activeRepositories: 0,
    uncountedRepos: 1,
  });
});
