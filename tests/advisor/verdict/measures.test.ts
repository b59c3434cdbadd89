import { expect, test } from 'vitest';
import { dayOf } from '../../../server/advisor/replay/days.ts';
import { type Measure, unitsOf } from '../../../server/advisor/verdict/measures.ts';
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

test('a commit is one unit whatever ran for it; one that only a push to a branch ran for does not count', () => {
  const attempts = [
    ran(10, { event: 'push', headBranch: 'change', headSha: 'a' }),
    ran(10, { event: 'pull_request', headBranch: 'change', headSha: 'a' }),
    ran(8, { event: 'push', headBranch: 'alone', headSha: 'b' }),
    ran(6, { event: 'push', headBranch: 'main', headSha: 'c' }),
  ];
  expect(count(measure('commit'), attempts)).toEqual([
    ['push', 'other', 20],
    ['push', 'default', 6],
  ]);
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
