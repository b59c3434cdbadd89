import { describe, expect, test } from 'vitest';
import { getOutcome } from '../../../server/metrics/kernel/outcome.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { computeRunHealth, recentSuccessRate, runHealth } from '../../../server/metrics/runs/health.ts';
import { runTrend } from '../../../server/metrics/runs/trend.ts';
import {
  durationPoints,
  failureStreak,
  getDuration,
  isDefaultBranchRun,
  recentRuns,
  successRate,
  totalRunTime,
} from '../../../server/metrics/runs/workflow-runs.ts';
import { aJob, aRun, day, hour, minute, runsEnding, second } from '../worlds.ts';

test('a completed run of unknown duration is no part of the total run time, and is said to be none', () => {
  const ending = (id: number, parts: object) => aRun({ id, status: 'completed', conclusion: 'success', ...parts });
  const at = Date.UTC(2026, 10, 16);
  const runs = [
    ending(1, { createdAt: at, startedAt: at, updatedAt: at + 3 * minute }),
    ending(2, { createdAt: at, startedAt: null, updatedAt: at + 3 * minute }),
  ];
  const { counted, excluded } = totalRunTime.evidence(runs);
  expect([totalRunTime(runs), counted.map(({ id }) => id)]).toMatchObject([{ value: 3 * minute, sample: 1 }, [1]]);
  expect(excluded).toMatchObject([{ reason: 'unknown duration' }]);
});

describe('outcome', () => {
  test.each([
    ['completed', 'success', 'pass'],
    ['completed', 'failure', 'fail'],
    ['completed', 'timed_out', 'fail'],
    ['completed', 'startup_failure', 'fail'],
    ['completed', 'cancelled', 'void'],
    ['completed', 'skipped', 'void'],
    ['completed', 'neutral', 'void'],
    ['completed', 'stale', 'void'],
    ['completed', 'action_required', 'void'],
    ['completed', null, 'void'],
    ['in_progress', null, 'running'],
    ['queued', null, 'running'],
    ['waiting', null, 'running'],
  ] as const)('%s with %s is %s', (status, conclusion, outcome) => {
    expect(getOutcome({ status, conclusion })).toBe(outcome);
  });
});

describe('success rate', () => {
  test('leaves cancelled and skipped runs out and counts timeouts as failures', () => {
    const runs = runsEnding('success', 'failure', 'cancelled', 'skipped', 'timed_out');
    expect(successRate(runs)).toMatchObject({ value: 33, sample: 3, unit: 'percent' });
  });

  test('is unknown when nothing passed or failed', () => {
    const runs = runsEnding('cancelled', 'skipped');
    expect(successRate(runs)).toMatchObject({ value: null, sample: 0 });
    expect(computeRunHealth(runs, 'main')).toEqual({ label: 'unknown', score: null, sample: 0 });
  });

  test('reads a run by its latest attempt, and a re-run in progress as running', () => {
    const failed = aRun({ id: 1, attempt: 1, conclusion: 'failure' });
    const again = aRun({ id: 1, attempt: 2, conclusion: 'success' });
    expect(successRate([again, failed])).toMatchObject({ value: 100, sample: 1 });
    const running = aRun({ id: 1, attempt: 2, status: 'in_progress', conclusion: null });
    expect(successRate([running, failed])).toMatchObject({ value: null, sample: 0 });
  });

  test('prefers the newest state of an attempt when news arrives out of order', () => {
    const running = aRun({ status: 'in_progress', conclusion: null, updatedAt: Date.UTC(2026, 2, 6, 10, 1) });
    const done = aRun({ updatedAt: Date.UTC(2026, 2, 6, 10, 2) });
    expect(successRate([done, running])).toMatchObject({ value: 100, sample: 1 });
    expect(successRate([running, done])).toMatchObject({ value: 100, sample: 1 });
    const corrected = aRun({ conclusion: 'failure', updatedAt: Date.UTC(2026, 2, 6, 10, 3) });
    expect(successRate([done, corrected])).toMatchObject({ value: 0, sample: 1 });
    expect(successRate([corrected, done])).toMatchObject({ value: 0, sample: 1 });
  });

  test('of the newest ten ignores what is older and says so', () => {
    const runs = runsEnding('failure', ...Array(9).fill('success'), 'failure', 'cancelled');
    expect(recentSuccessRate('main')(runs)).toMatchObject({ value: 90, sample: 10 });
    expect(
      recentSuccessRate('main')
        .evidence(runs)
        .excluded.map(({ fact, reason }) => [fact.id, reason]),
    ).toEqual([
      [1, 'older than the newest 10'],
      [12, 'ended as cancelled: neither passed nor failed'],
    ]);
  });
});

describe('run health', () => {
  test('of nine passes and one failure among the newest three is 81, good', () => {
    const runs = runsEnding(...Array(7).fill('success'), 'success', 'failure', 'success');
    expect(computeRunHealth(runs, 'main')).toEqual({ label: 'good', score: 81, sample: 10 });
  });

  test('of two conclusive runs is unknown', () => {
    expect(computeRunHealth(runsEnding('success', 'success', 'cancelled'), 'main')).toEqual({
      label: 'unknown',
      score: null,
      sample: 2,
    });
  });

  test.each([
    [['success', 'success', 'success', 'failure', 'success'], 75, 'fair'],
    [['failure', 'success', 'success', 'success', 'success'], 88, 'good'],
    [['success', 'success', 'success', 'failure', 'failure'], 49, 'poor'],
    [['failure', 'failure', 'failure'], 0, 'poor'],
    [['success', 'success', 'success'], 100, 'good'],
  ] as const)('of %j is %d, %s', (endings, score, label) => {
    expect(computeRunHealth(runsEnding(...endings), 'main')).toMatchObject({ score, label });
  });

  test('listens to the default branch alone once that has three conclusive runs', () => {
    const onMain = runsEnding('success', 'success', 'success');
    const onTopic = [4, 5, 6].map((id) =>
      aRun({ id, conclusion: 'failure', headBranch: 'topic', createdAt: Date.UTC(2026, 2, 7) }),
    );
    expect(computeRunHealth([...onTopic, ...onMain], 'main')).toMatchObject({ score: 100, sample: 3 });
    expect(computeRunHealth([...onTopic, ...onMain.slice(1)], 'main')).toMatchObject({ score: 24, sample: 5 });
    expect(runHealth('main').evidence([...onTopic, ...onMain]).excluded[0]?.reason).toBe(
      'not a run of the default branch',
    );
  });

  test('does not take the pull request of a fork for the default branch', () => {
    expect(isDefaultBranchRun(aRun({ headBranch: 'main', event: 'push' }), 'main')).toBe(true);
    expect(isDefaultBranchRun(aRun({ headBranch: 'main', event: 'pull_request' }), 'main')).toBe(false);
    expect(isDefaultBranchRun(aRun({ headBranch: 'main', event: 'pull_request_target' }), 'main')).toBe(false);
    expect(isDefaultBranchRun(aRun({ headBranch: 'topic' }), 'main')).toBe(false);
    expect(isDefaultBranchRun(aRun({ headBranch: null }), null)).toBe(false);
  });
});

describe('duration', () => {
  const startedAt = Date.UTC(2026, 2, 6, 10);

  test('is unknown while the run is open', () => {
    const run = aRun({ status: 'in_progress', conclusion: null });
    expect(getDuration(run)).toBeNull();
    expect(getOutcome(run)).toBe('running');
  });

  test('ends with the last job, else with the stored completion, else with the last update', () => {
    const run = aRun({ startedAt, updatedAt: startedAt + hour });
    const jobs = [
      aJob({ id: 1, completedAt: startedAt + 10 * minute }),
      aJob({ id: 2, completedAt: startedAt + 12 * minute }),
      aJob({ id: 3, attempt: 2, completedAt: startedAt + 50 * minute }),
      aJob({ id: 4, runId: 2, completedAt: startedAt + 50 * minute }),
    ];
    expect(getDuration(run)).toBe(hour);
    expect(getDuration({ ...run, completedAt: null })).toBe(hour);
    expect(getDuration({ ...run, completedAt: startedAt + 15 * minute })).toBe(15 * minute);
    expect(getDuration({ ...run, completedAt: startedAt + 15 * minute }, jobs)).toBe(12 * minute);
  });

  test('does not trust jobs while one of them is open', () => {
    const run = aRun({ startedAt, updatedAt: startedAt + hour });
    const jobs = [aJob({ id: 1, completedAt: startedAt + minute }), aJob({ id: 2, completedAt: null })];
    expect(getDuration(run, jobs)).toBe(hour);
  });

  test.each([
    ['a re-run is measured from its own start', { attempt: 2, createdAt: startedAt - 2 * day }, minute],
    ['no start', { startedAt: null }, null],
    ['an end before the start', { updatedAt: startedAt - 1 }, null],
    ['exactly 35 days', { updatedAt: startedAt + 35 * day }, 35 * day],
    ['more than 35 days', { updatedAt: startedAt + 35 * day + 1 }, null],
    ['no time at all', { updatedAt: startedAt }, 0],
  ])('%s', (_, differences, expected) => {
    expect(getDuration(aRun({ startedAt, updatedAt: startedAt + minute, ...differences }))).toBe(expected);
  });

  test('points are the last twenty conclusive runs that took time, oldest first', () => {
    const runs = runsEnding(...Array(25).fill('success'), 'cancelled', 'failure');
    const instantly = aRun({ id: 90, createdAt: Date.UTC(2026, 2, 8), updatedAt: Date.UTC(2026, 2, 8) });
    const points = durationPoints([...runs, instantly].reverse());
    expect(points.map(({ id }) => id)).toEqual([...Array.from({ length: 19 }, (_, index) => index + 7), 27]);
    expect(points.at(-1)).toMatchObject({ conclusion: 'failure', durationMs: minute, runNumber: 27 });
  });
});

test('recent runs are the newest ten in any state, one per run', () => {
  const runs = runsEnding(...Array(10).fill('success'), 'cancelled');
  const waiting = aRun({ id: 50, createdAt: Date.UTC(2026, 2, 7), status: 'queued', conclusion: null });
  const rerun = aRun({ id: 11, attempt: 2, createdAt: runs[10]?.createdAt ?? 0 });
  expect(recentRuns([...runs, waiting, rerun]).map(({ id, attempt }) => [id, attempt])).toEqual([
    [50, 1],
    [11, 2],
    ...[10, 9, 8, 7, 6, 5, 4, 3].map((id) => [id, 1]),
  ]);
});

describe('failure streak', () => {
  test.each([
    [['success', 'failure', 'cancelled', 'timed_out', 'skipped'], 2],
    [['failure', 'success'], 0],
    [['failure', 'failure', 'startup_failure'], 3],
    [['cancelled'], null],
  ] as const)('of %j is %s', (endings, expected) => {
    expect(failureStreak(runsEnding(...endings)).value).toBe(expected);
  });
});

describe('the trend of 30 days', () => {
  const calendar = createCalendar('Asia/Saigon');
  const now = Date.UTC(2026, 2, 31, 5);
  const daysAgo = (days: number, id: number) => aRun({ id, createdAt: now - days * day });

  test('is filled with zeros and marks what was not read', () => {
    const runs = [daysAgo(0, 1), daysAgo(4, 2), daysAgo(10, 3)];
    const trend = runTrend(runs, { now, calendar, complete: false });
    expect(trend).toHaveLength(30);
    expect(trend[0]?.date).toBe('2026-03-02');
    expect(trend.at(-1)).toEqual({ date: '2026-03-31', success: 1, total: 1, covered: true });
    expect(trend.map(({ covered }) => covered)).toEqual([...Array(20).fill(false), ...Array(10).fill(true)]);
    expect(trend.filter(({ total }) => total > 0)).toHaveLength(3);
    expect(runTrend(runs, { now, calendar, complete: true }).every(({ covered }) => covered)).toBe(true);
  });

  test('of nothing is unread, or known to be quiet when the list ended', () => {
    expect(runTrend([], { now, calendar, complete: false }).some(({ covered }) => covered)).toBe(false);
    expect(runTrend([], { now, calendar, complete: true }).every(({ covered, total }) => covered && total === 0)).toBe(
      true,
    );
  });

  test('cuts days in the zone of the team', () => {
    const beforeMidnight = aRun({ id: 1, createdAt: Date.UTC(2026, 2, 30, 16, 59, 59) });
    const afterMidnight = aRun({ id: 2, createdAt: Date.UTC(2026, 2, 30, 17), conclusion: 'failure' });
    const trend = runTrend([beforeMidnight, afterMidnight], { now, calendar, complete: true });
    expect(trend.slice(-2)).toEqual([
      { date: '2026-03-30', success: 1, total: 1, covered: true },
      { date: '2026-03-31', success: 0, total: 1, covered: true },
    ]);
  });

  test('has 30 different days also in the month the clocks change', () => {
    const berlin = createCalendar('Europe/Berlin');
    for (const instant of [Date.UTC(2026, 3, 2, 22, 30), Date.UTC(2026, 9, 26, 23, 30), now + 30 * second]) {
      const trend = runTrend([], { now: instant, calendar: berlin, complete: true });
      expect(new Set(trend.map(({ date }) => date)).size).toBe(30);
    }
  });

  test('counts conclusive runs only', () => {
    const cancelled = aRun({ id: 1, createdAt: now, conclusion: 'cancelled' });
    const running = aRun({ id: 2, createdAt: now, status: 'in_progress', conclusion: null });
    expect(runTrend([cancelled, running], { now, calendar, complete: true }).at(-1)?.total).toBe(0);
  });
});
