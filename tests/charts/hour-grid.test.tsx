// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { HourGrid } from '../../app/charts/hour-grid.tsx';
import { drawing, drawn, marks, tableRows } from './markup.ts';
import { zone } from './samples.ts';

const base = { title: 'Commits by hour', summary: 'Most on Tuesday.', one: 'commit', zone };
const counts = Array.from({ length: 7 }, (_, day) =>
  Array.from({ length: 24 }, (_, hour) => (day === 6 ? null : day < 5 && hour > 7 && hour < 19 ? day + hour : 0)),
);
const grid = <HourGrid {...base} workday={{ start: 8, end: 19 }} counts={counts} />;
const allDay = <HourGrid {...base} workday={{ start: 0, end: 24 }} counts={counts.slice(0, 2)} />;

test.each([
  ['full', grid],
  ['two-days-known', allDay],
])('the stored drawing, %s', async (name, chart) => {
  // One line a cell: there are many.
  const short = drawing(chart)
    .replaceAll(/\n(<title>|<\/rect>)/g, '$1')
    .replaceAll('>\n</', '></');
  await expect(short).toMatchFileSnapshot(`./stored/hour-grid-${name}.svg`);
});

test('the table has the same counts; what is not known is a dash', () => {
  const rows = tableRows(drawn(grid));
  expect(rows).toHaveLength(8);
  expect(rows[0]?.slice(0, 3)).toEqual(['Weekday', '00:00', '01:00']);
  expect(rows[2]?.slice(0, 11)).toEqual(['Tue', ...Array(8).fill('0'), '9', '10']);
  expect(rows[7]).toEqual(['Sun', ...Array(24).fill('–')]);
  expect(tableRows(drawn(allDay))[3]).toEqual(['Wed', ...Array(24).fill('–')]);
});

test('each hour is reported with its end, and an unknown one as such', () => {
  const reported = marks(drawn(grid));
  expect(reported).toHaveLength(7 * 24);
  expect(reported[8]).toBe('Mon 08:00 to 09:00 – 8\u00a0commits');
  expect(reported.at(-1)).toBe('Sun 23:00 to 24:00 – no data');
});

test('the workday is outlined from its first hour to its last on Monday to Friday', () => {
  const outline = drawn(grid).querySelector('rect.workday');
  expect(outline?.getAttribute('x')).toBe('33.33%');
  expect(outline?.getAttribute('width')).toBe('45.83%');
  expect(outline?.getAttribute('height')).toBe('100');
  expect(drawn(grid).textContent).toContain('Outlined: workday, Monday to Friday, 08:00 to 19:00.');
  expect(drawn(grid).textContent).toContain(zone);
});
