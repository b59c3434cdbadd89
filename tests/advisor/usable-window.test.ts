import { describe, expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { attemptsWithin, daysWithin, findUsableWindow } from '../../server/advisor/usable-window.ts';
import { aJob, anAttempt, day, now } from './histories.ts';

const midnight = Math.floor(now / day) * day;
/** Noon so many days before today; 1 is yesterday. */
const noon = (ago: number) => midnight - ago * day + day / 2;

/** An attempt at each noon of the last so many days; of these days without its jobs. */
const daily = (days: number, unknown: readonly number[] = []): RecordedAttempt[] =>
  Array.from({ length: days }, (_, index) => {
    const ago = days - index;
    return anAttempt({ arrivedAt: noon(ago), jobs: unknown.includes(ago) ? null : [] });
  });

test('days of more than 100,000 jobs are not looked at', () => {
  const job = aJob('test', noon(1), 1);
  const busy = (perDay: number) => daily(40).map((one) => ({ ...one, jobs: Array(perDay).fill(job) }));
  expect(daysWithin(busy(2500), 90, now)).toBe(90);
  expect(daysWithin(busy(2501), 90, now)).toBe(39);
  expect(daysWithin(busy(2501), 28, now)).toBe(28);
  expect(daysWithin(busy(100_001), 90, now)).toBe(0);
  expect(findUsableWindow(busy(2501), 39, now).usable?.coveredDays).toBe(39);
  expect(daysWithin([], 90, now)).toBe(90);
});

describe('the usable window', () => {
  test('ends yesterday and begins with the first attempt, or as many days before as requested', () => {
    expect(findUsableWindow(daily(40), 90, now).usable).toEqual({
      from: midnight - 40 * day,
      to: midnight,
      coveredDays: 40,
      leftOut: [],
    });
    expect(findUsableWindow(daily(100), 90, now).usable?.from).toBe(midnight - 90 * day);
  });

  test('leaves out two uncovered days and ends at the third', () => {
    const reading = findUsableWindow(daily(60, [3, 10, 50]), 90, now);
    expect(reading.usable).toEqual({
      from: midnight - 49 * day,
      to: midnight,
      coveredDays: 47,
      leftOut: [midnight - 10 * day, midnight - 3 * day],
    });
  });

  test('does not begin with an uncovered day', () => {
    expect(findUsableWindow(daily(40, [39, 40]), 90, now).usable).toMatchObject({ coveredDays: 38, leftOut: [] });
  });

  test('days without an attempt are covered, before the first one they lie outside', () => {
    const [first] = daily(35);
    expect(findUsableWindow(first ? [first] : [], 90, now).usable?.coveredDays).toBe(35);
    expect(findUsableWindow([], 90, now)).toMatchObject({ usable: null, coveredDays: 0 });
  });

  test('needs 28 covered days', () => {
    expect(findUsableWindow(daily(28), 90, now).usable?.coveredDays).toBe(28);
    expect(findUsableWindow(daily(28, [5]), 90, now)).toMatchObject({
      usable: null,
      coveredDays: 27,
      attemptsExpected: 28,
      attemptsKnown: 27,
    });
  });

  test.each([
    [1, 49, false],
    [1, 50, true],
  ])('%i of %i attempts unknown is covered: %s', (unknown, all, isCovered) => {
    const busy = Array.from({ length: all }, (_, index) =>
      anAttempt({ arrivedAt: noon(1), jobs: index < unknown ? null : [] }),
    );
    expect(findUsableWindow([...daily(40).slice(0, -1), ...busy], 90, now).coveredDays).toBe(isCovered ? 40 : 39);
  });

  test('today and what is under way do not count', () => {
    const underWay = anAttempt({ arrivedAt: noon(1), endedAt: null, jobs: null });
    const today = anAttempt({ arrivedAt: midnight + 1, jobs: null });
    expect(findUsableWindow([...daily(30), underWay, today], 90, now)).toMatchObject({
      coveredDays: 30,
      attemptsExpected: 30,
    });
  });

  test('attempts of left out days and of before are left out', () => {
    const attempts = daily(60, [10]);
    const { usable } = findUsableWindow(attempts, 30, now);
    if (!usable) throw new Error('no window');
    const within = attemptsWithin(attempts, usable);
    expect(within.length).toBe(29);
    expect(within.some(({ arrivedAt }) => arrivedAt === noon(10))).toBe(false);
  });
});
