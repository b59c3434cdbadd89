import { describe, expect, test } from 'vitest';
import {
  addDays,
  createCalendar,
  getDayWeekday,
  getQuarter,
  getWeekStart,
  isTimeZone,
} from '../../../server/metrics/people/workday-hours.ts';
import { processorMs } from '../../support/processor-time.ts';
import { day, hour, minute, randomOf } from '../worlds.ts';

const at = (text: string) => Date.parse(text);

describe('an instant is placed in the zone of the team', () => {
  test.each([
    ['Asia/Saigon', '2026-03-06T01:00:00Z', '2026-03-06', 5, 8],
    ['Asia/Saigon', '2026-03-06T12:00:00Z', '2026-03-06', 5, 19],
    ['Asia/Saigon', '2026-03-06T18:00:00Z', '2026-03-07', 6, 1],
    ['Asia/Saigon', '2026-03-07T03:00:00Z', '2026-03-07', 6, 10],
    ['Asia/Saigon', '2026-03-06T16:59:59.999Z', '2026-03-06', 5, 23],
    ['Asia/Saigon', '2026-03-06T17:00:00Z', '2026-03-07', 6, 0],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29', 0, 1],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29', 0, 3],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25', 0, 2],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25', 0, 2],
    ['Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25', 0, 3],
    ['America/St_Johns', '2026-01-15T03:29:59Z', '2026-01-14', 3, 23],
    ['America/St_Johns', '2026-01-15T03:30:00Z', '2026-01-15', 4, 0],
    ['America/St_Johns', '2026-07-15T02:30:00Z', '2026-07-15', 3, 0],
    ['UTC', '1969-12-31T23:59:59.999Z', '1969-12-31', 3, 23],
  ])('%s %s', (timezone, instant, expectedDay, weekday, expectedHour) => {
    const calendar = createCalendar(timezone);
    expect(calendar.getDay(at(instant))).toBe(expectedDay);
    expect(calendar.getWeekday(at(instant))).toBe(weekday);
    expect(calendar.getHour(at(instant))).toBe(expectedHour);
  });

  test('the old and the new name of a zone mean the same, and each is printed as it was given', () => {
    const [saigon, hoChiMinh] = [createCalendar('Asia/Saigon'), createCalendar('Asia/Ho_Chi_Minh')];
    const random = randomOf(11);
    for (let count = 0; count < 500; count++) {
      const instant = at('2020-01-01T00:00:00Z') + Math.floor(random() * 10 * 365 * day);
      expect(saigon.getDay(instant)).toBe(hoChiMinh.getDay(instant));
      expect(saigon.getHour(instant)).toBe(hoChiMinh.getHour(instant));
    }
    expect([saigon.timezone, hoChiMinh.timezone]).toEqual(['Asia/Saigon', 'Asia/Ho_Chi_Minh']);
  });

  test.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    '%s agrees with the runtime hour by hour through a year',
    (timezone) => {
      const calendar = createCalendar(timezone);
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
      for (let instant = at('2025-12-30T00:07:00Z'); instant < at('2027-01-02T00:00:00Z'); instant += 30 * minute) {
        const [date, time] = format.format(instant).split(' ');
        expect(calendar.getDay(instant)).toBe(date);
        expect(calendar.getHour(instant)).toBe(Number(time?.slice(0, 2)));
      }
    },
  );

  test('a hundred thousand instants take less than a second', () => {
    const calendar = createCalendar('America/New_York');
    const random = randomOf(5);
    const instants = Array.from({ length: 100_000 }, () => at('2026-01-01T00:00:00Z') + random() * 365 * day);
    const took = processorMs(() => {
      for (const instant of instants) {
        calendar.getDay(instant);
        calendar.getWeekday(instant);
        calendar.getHour(instant);
      }
    });
    expect(took).toBeLessThan(1000);
  });
});

describe('a day', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-06-01', 24],
    ['America/St_Johns', '2026-03-08', 23],
    ['America/St_Johns', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Asia/Saigon', '2026-03-29', 24],
  ])('in %s on %s has %d hours', (timezone, date, hours) => {
    const calendar = createCalendar(timezone);
    expect((calendar.getStart(addDays(date, 1)) - calendar.getStart(date)) / hour).toBe(hours);
  });

  test.each([
    ['Asia/Saigon', '2026-03-07', '2026-03-06T17:00:00Z'],
    ['America/St_Johns', '2026-07-15', '2026-07-15T02:30:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    // Midnight does not exist: the clocks go from 24:00 to 01:00.
    ['America/Santiago', '2025-09-07', '2025-09-07T04:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    // Midnight comes twice: the clocks go from 01:00 back to 00:00.
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00Z'],
  ])('in %s starts on %s at %s', (timezone, date, start) => {
    expect(new Date(createCalendar(timezone).getStart(date)).toISOString()).toBe(new Date(start).toISOString());
  });

  test.each(['Asia/Saigon', 'Europe/Berlin', 'America/St_Johns', 'America/Santiago', 'Africa/Cairo'])(
    'in %s starts at its first instant, all year round',
    (timezone) => {
      const calendar = createCalendar(timezone);
      for (const date of calendar.daysBetween(at('2025-01-01T12:00:00Z'), at('2026-12-31T12:00:00Z'))) {
        const start = calendar.getStart(date);
        expect(calendar.getDay(start)).toBe(date);
        expect(calendar.getDay(start - 1)).toBe(addDays(date, -1));
      }
    },
  );

  test('lists of days hold every day once, also where the clocks change', () => {
    const calendar = createCalendar('Europe/Berlin');
    expect(calendar.daysBetween(at('2026-03-27T23:30:00Z'), at('2026-03-29T22:30:00Z'))).toEqual([
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
    ]);
    expect(calendar.daysBetween(at('2026-03-02T00:00:00Z'), at('2026-03-01T00:00:00Z'))).toEqual([]);
    expect(calendar.lastDays(3, at('2026-10-25T22:59:59Z'))).toEqual(['2026-10-23', '2026-10-24', '2026-10-25']);
    expect(calendar.lastDays(2, at('2026-10-25T23:00:00Z'))).toEqual(['2026-10-25', '2026-10-26']);
    expect(calendar.lastDays(30, at('2024-03-01T12:00:00Z'))[0]).toBe('2024-02-01');
  });
});

test('weeks start on Monday, also across a year', () => {
  expect(getWeekStart('2026-03-02')).toBe('2026-03-02');
  expect(getWeekStart('2026-03-08')).toBe('2026-03-02');
  expect(getWeekStart('2027-01-01')).toBe('2026-12-28');
  expect(getDayWeekday('2026-03-08')).toBe(0);
});

test('quarters start with January, April, July and October', () => {
  expect(getQuarter('2026-01-01')).toEqual({ year: 2026, quarter: 1, firstDay: '2026-01-01' });
  expect(getQuarter('2026-06-30')).toEqual({ year: 2026, quarter: 2, firstDay: '2026-04-01' });
  expect(getQuarter('2026-12-31')).toEqual({ year: 2026, quarter: 4, firstDay: '2026-10-01' });
});

test('zones are names of the time zone database, offsets are not', () => {
  for (const name of ['Asia/Saigon', 'Asia/Ho_Chi_Minh', 'Europe/Berlin', 'UTC']) expect(isTimeZone(name)).toBe(true);
  for (const name of ['', '+07:00', '-0330', 'Asia/Atlantis', 'Mars']) expect(isTimeZone(name)).toBe(false);
  expect(() => createCalendar('Asia/Atlantis')).toThrow(RangeError);
});
