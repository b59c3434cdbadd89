// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { Calendar } from '../../app/charts/calendar.tsx';
import { dayNumber, dayOfNumber } from '../../app/charts/zone-time.ts';
import { drawing, drawn, marks, tableRows } from './markup.ts';
import { zone } from './samples.ts';

const base = { title: 'Activity', summary: '17 commits.', one: 'commit', zone };
const first = dayNumber('2025-12-24');
const days = [3, 0, 1, null, 2, 8, 0, 1, 1, 1].map((count, index) => ({ date: dayOfNumber(first + index), count }));
const few = <Calendar {...base} days={[...days, { date: '2026-01-04', count: 5 }]} />;
const year = (date: string) =>
  Array.from({ length: 365 }, (_, index) => ({ date: dayOfNumber(dayNumber(date) - index), count: index % 5 }));

describe('the stored drawing', () => {
  test.each([
    ['two-weeks', few],
    ['empty', <Calendar key="" {...base} days={[]} />],
    ['only-zero', <Calendar key="" {...base} days={days.map(({ date }) => ({ date, count: 0 }))} />],
    ['only-unknown', <Calendar key="" {...base} days={days.map(({ date }) => ({ date, count: null }))} />],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/calendar-${name}.svg`);
  });
});

test('the table has a row for each week from Monday; an unknown day is a dash, a day outside is empty', () => {
  expect(tableRows(drawn(few))).toEqual([
    ['Week from', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    ['22 Dec 2025', '', '', '3', '0', '1', '–', '2'],
    ['29 Dec 2025', '8', '0', '1', '1', '1', '–', '5'],
  ]);
});

test('a day without data is distinguished from a day with nothing', () => {
  expect(marks(drawn(few)).slice(0, 4)).toEqual([
    'Wed 24 Dec 2025 – 3\u00a0commits',
    'Thu 25 Dec 2025 – 0\u00a0commits',
    'Fri 26 Dec 2025 – 1\u00a0commit',
    'Sat 27 Dec 2025 – no data',
  ]);
  const [, zero, , unknown] = drawn(few).querySelectorAll('.cell:has(title)');
  expect(zero?.getAttribute('class')).toBe('cell zero');
  expect(unknown?.getAttribute('fill')).toMatch(/-unread\)$/);
});

test('a year has 53 columns and a cell for each of its days, whatever weekday it ends on', () => {
  for (const end of ['2026-11-16', '2026-11-19', '2026-11-22']) {
    const chart = drawn(<Calendar {...base} days={year(end)} />);
    expect(marks(chart), end).toHaveLength(365);
    expect(marks(chart).at(-1), end).toContain(` ${Number(end.slice(-2))} Nov 2026`);
    expect(tableRows(chart), end).toHaveLength(1 + 53);
  }
});

test('months stand above the week that has their first day, once each', () => {
  const svg = drawn(<Calendar {...base} days={year('2026-11-22')} />).querySelector('svg[role="img"]');
  const names = [...(svg?.querySelectorAll('text[y="11"]') ?? [])];
  expect(names.map(({ textContent }) => textContent)).toEqual([
    'Dec',
    'Jan 2026',
    'Feb',
    'Mar',
    'Apr',
    'May',
    'Jun',
    'Jul',
    'Aug',
    'Sep',
    'Oct',
    'Nov',
  ]);
});

test('the drawing is wider than a phone and can be reached by keyboard to be scrolled', () => {
  const box = drawn(few).querySelector('section.scroll');
  expect(box?.getAttribute('tabindex')).toBe('0');
  expect(box?.getAttribute('aria-label')).toBe('Activity');
});
