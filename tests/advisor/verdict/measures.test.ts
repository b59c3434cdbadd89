import { expect, test } from 'vitest';
import { dayOf } from '../../../server/advisor/replay/days.ts';
import { measureDays } from '../../../server/advisor/verdict/measured-days.ts';
import { type Measure, unitsOf } from '../../../server/advisor/verdict/measures.ts';
import { baselineOf, type ProposedChange } from '../../../server/advisor/verdict/proposed.ts';
import { advance, beginVerdict } from '../../../server/advisor/verdict/verdict.ts';
import { aJob, anAttempt, day, hour, now } from '../histories.ts';

const at = Math.floor(now / day) * day - 3 * day + 9 * hour;
const measure = (per: Measure['per'], parts: Partial<Measure> = {}): Measure => ({
  per,
  workflowId: 7001,
  without: null,
  ...parts,
});

/** An attempt with one job of so many minutes. */
const ran = (minutes: number, parts: Parameters<typeof anAttempt>[0] = {}) =>
  anAttempt({ arrivedAt: at, jobs: [aJob('test', parts.arrivedAt ?? at, minutes)], ...parts });

const count = (what: Measure, attempts: ReturnType<typeof ran>[]) =>
  unitsOf(what, { attempts, days: [at - (at % day)], defaultBranch: 'main' }).map(({ event, branch, value }) => [
    event,
    branch,
    value,
  ]);

test('an update of a pull request is one unit, with all of its attempts, also where another workflow ran alone', () => {
  const change = { headBranch: 'change', headSha: 'a' };
  const attempts = [
    ran(10, change),
    ran(3, { ...change, attempt: 2 }),
    ran(50, { ...change, workflowId: 7002 }),
    ran(7, { headBranch: 'other', headSha: 'b', workflowId: 7002 }),
    ran(4, { event: 'push', headBranch: 'main', headSha: 'c' }),
    ran(5, { event: 'schedule', headBranch: 'main', headSha: 'c' }),
    ran(6, { event: 'schedule', headBranch: 'main', headSha: 'c', workflowId: 7002 }),
  ];
  expect(count(measure('update'), attempts)).toEqual([
    ['pull_request', 'other', 13],
    ['pull_request', 'other', 0],
    ['push', 'default', 4],
    ['schedule', 'default', 5],
  ]);
});

test('a pull request from a branch of the name of the default one is not of the default branch', () => {
  const attempts = ['pull_request', 'pull_request_target', 'push'].map((event, index) =>
    ran(10, { event, headBranch: 'main', headSha: String(index) }),
  );
  expect(count(measure('run'), attempts)).toEqual([
    ['pull_request', 'other', 10],
    ['pull_request_target', 'other', 10],
    ['push', 'default', 10],
  ]);
});

test('a commit is one unit whatever ran for it; one that only a push to a branch ran for does not count', () => {
  const attempts = [
    ran(10, { event: 'push', headBranch: 'change', headSha: 'a' }),
    ran(10, { event: 'pull_request', headBranch: 'change', headSha: 'a' }),
    ran(8, { event: 'push', headBranch: 'alone', headSha: 'b' }),
    ran(6, { event: 'push', headBranch: 'main', headSha: 'c' }),
  ];
  expect(count(measure('commit'), attempts)).toEqual([
    // The patch leaves its run of the push out, which came first, and keeps that of the pull request.
    ['pull_request', 'other', 20],
    ['push', 'default', 6],
  ]);
});

test('runs that a commit has twice no longer are a promise that was kept (ADV-02)', () => {
  const midnight = Math.floor(now / day) * day;
  const change: ProposedChange = {
    id: '0123456789abcdef',
    kind: 'ADV-02',
    title: 'Run once',
    path: '.github/workflows/ci.yml',
    workflowId: 7001,
    promised: { low: 35, mid: 41, high: 47 },
  };
  /** Eight commits of pull requests a day, and two pushes to the default branch. */
  const runsOf = (from: number, days: number, events: readonly string[]) =>
    Array.from({ length: 10 * days }, (_unused, index) => {
      const arrivedAt = from + Math.floor(index / 10) * day + 9 * hour;
      const parts = { arrivedAt, headSha: `${from}-${index}`, endedAt: arrivedAt + hour };
      // Of the commits of a day: 77 of pull requests, 23 of the default branch.
      const minutes = 8 + (index % 5);
      if (index % 10 > 7) return [ran(minutes, { ...parts, event: 'push', headBranch: 'main' })];
      return events.map((event, place) =>
        ran(minutes, { ...parts, event, headBranch: 'change', arrivedAt: arrivedAt + place * 1000 }),
      );
    }).flat();
  const before = runsOf(midnight - 70 * day, 70, ['push', 'pull_request']);
  const baseline = baselineOf(change, { attempts: before, defaultBranch: 'main', startAt: midnight + hour });
  if (!baseline) throw new Error('Too little is stored before the change.');
  const days = Array.from({ length: 28 }, (_unused, index) => midnight + (index + 1) * day);
  const after = { attempts: runsOf(midnight + day, 28, ['pull_request']), days, defaultBranch: 'main' };
  const own = measureDays(unitsOf(baseline.measure, after), days);
  const control = baseline.control && measureDays(unitsOf(baseline.control.measure, after), days);
  const begun = beginVerdict(midnight + hour, change.promised, baseline);
  const verdict = advance(begun, { own, control }, midnight + 29 * day, [change.id]);
  expect(verdict).toMatchObject({ state: 'kept', reason: null });
  expect(verdict.looks.at(-1)?.measured?.deltaPct).toBeCloseTo((100 * 77) / (2 * 77 + 23), 9);
});

test('what is promised of the newest days is measured against these, and against 90 at most', () => {
  const midnight = Math.floor(now / day) * day;
  const attempts = Array.from({ length: 100 }, (_unused, index) =>
    ran(10, {
      arrivedAt: midnight - (100 - index) * day + 9 * hour,
      endedAt: midnight - (100 - index) * day + 10 * hour,
    }),
  );
  const change: ProposedChange = {
    id: '0123456789abcdef',
    kind: 'ADV-05',
    title: 'Time limits for jobs',
    path: '.github/workflows/ci.yml',
    workflowId: 7001,
    promised: { low: 35, mid: 41, high: 47 },
  };
  const daysOf = (promisedFrom?: number) =>
    baselineOf({ ...change, promisedFrom }, { attempts, defaultBranch: 'main', startAt: midnight + hour })?.before.days;
  const newest = daysOf(midnight - 30 * day);
  expect([newest?.[0], newest?.length]).toEqual([midnight - 30 * day, 30]);
  expect(daysOf(midnight - 99 * day)).toHaveLength(90);
  expect(daysOf()).toHaveLength(90);
});

test('days count also where nothing ran', () => {
  expect(count(measure('day'), [])).toEqual([['day', 'default', 0]]);
  expect(count(measure('day'), [ran(3), ran(4), ran(5, { workflowId: 7002 })])).toEqual([['day', 'default', 7]]);
});

test('runs count with a started job alone, and without those of an event', () => {
  const queued = { ...aJob('test', at, 5), isTaken: false };
  const attempts = [ran(3), ran(4, { event: 'schedule' }), anAttempt({ arrivedAt: at, jobs: [queued] })];
  expect(count(measure('run'), attempts).map(([, , value]) => value)).toEqual([3, 4]);
  expect(count(measure('run', { without: 'schedule' }), attempts).map(([, , value]) => value)).toEqual([3]);
});

test('passing jobs of runs that no newer one replaced count their seconds', () => {
  const both = [aJob('test', at, 5), aJob('lint', at, 2, 'failure')];
  const replaced = ran(9, { headBranch: 'change', endedAt: at + 9 * 60_000 });
  const newer = ran(8, { headBranch: 'change', arrivedAt: at + 60_000 });
  const attempts = [anAttempt({ arrivedAt: at, jobs: both }), replaced, newer];
  expect(count(measure('passing job'), attempts)).toEqual([
    ['test', 'other', 300],
    ['test', 'other', 480],
  ]);
  expect(dayOf(replaced)).toBe(at - (at % day));
});
