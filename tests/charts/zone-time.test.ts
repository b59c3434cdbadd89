import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dateTimeText,
  dayNumber,
  dayOfNumber,
  isRunningDay,
  startOfDay,
  timeText,
  timeTicks,
} from '../../app/charts/zone-time.ts';

const at = (text: string) => Date.parse(text);

test('the same instant is another day in another zone', () => {
  expect(dateTimeText('2026-05-03T18:30:00Z', 'UTC')).toBe('3 May 2026, 18:30');
  expect(dateTimeText('2026-05-03T18:30:00Z', 'Asia/Saigon')).toBe('4 May 2026, 01:30');
});

test('midnight is written as zero hours', () => expect(timeText('2026-05-03T17:00:00Z', 'Asia/Saigon')).toBe('00:00'));

test('days survive the way to numbers and back', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), (number) => {
      expect(dayNumber(dayOfNumber(number))).toBe(number);
    }),
  ));

test('a day runs until it ends in its zone, and one of the past does not', () => {
  const isRunning = (now: string) => isRunningDay('2026-05-03', now, 'Asia/Saigon');
  expect(isRunning('2026-05-03T16:59:59Z')).toBe(true);
  expect(isRunning('2026-05-03T17:00:00Z')).toBe(false);
});

describe('the start of a day', () => {
  test.each([
    ['2026-05-04', 'Asia/Saigon', '2026-05-03T17:00:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  ])('%s in %s', (day, zone, instant) => expect(startOfDay(day, zone)).toBe(at(instant)));
});

describe('ticks', () => {
  test('of a month fall on Mondays at local midnight', () => {
    const ticks = timeTicks(at('2026-04-20T17:00:00Z'), at('2026-05-20T17:00:00Z'), 'Asia/Saigon');
    expect(ticks.map(({ label }) => label)).toEqual(['27 Apr', '4 May', '11 May', '18 May']);
    expect(ticks[0]?.at).toBe(at('2026-04-26T17:00:00Z'));
  });
  test('of half a year fall on first days of months', () =>
    expect(timeTicks(at('2026-01-15T00:00:00Z'), at('2026-06-15T00:00:00Z'), 'UTC').map(({ label }) => label)).toEqual([
      'Feb 2026',
      'Mar 2026',
      'Apr 2026',
      'May 2026',
      'Jun 2026',
    ]));
  test('of some hours are clock times', () =>
    expect(timeTicks(at('2026-05-04T07:00:00Z'), at('2026-05-04T19:00:00Z'), 'UTC').map(({ label }) => label)).toEqual([
      '09:00',
      '12:00',
      '15:00',
      '18:00',
    ]));
  test('name each day once, also one that has no midnight', () => {
    const ticks = timeTicks(at('2026-09-04T12:00:00Z'), at('2026-09-08T12:00:00Z'), 'America/Santiago');
    expect(ticks.map(({ label }) => label)).toEqual(['5 Sep', '6 Sep', '7 Sep', '8 Sep']);
  });
  test('never crowd and never leave the window', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        fc.integer({ min: 0, max: 1500 * 86_400_000 }),
        fc.constantFrom('UTC', 'Asia/Saigon', 'America/New_York'),
        (from, span, zone) => {
          const ticks = timeTicks(from, from + span, zone);
          expect(ticks.length).toBeLessThanOrEqual(6);
          for (const tick of ticks) expect(tick.at >= from && tick.at <= from + span).toBe(true);
        },
      ),
      { numRuns: 60 },
    ));
});
