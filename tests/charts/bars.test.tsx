// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BarRow, Bars } from '../../app/charts/bars.tsx';
import { dayOfNumber } from '../../app/charts/zone-time.ts';
import { drawing, drawn, marks, tableRows } from './markup.ts';
import { barRows, zone } from './samples.ts';

const base = { title: 'Runs per day', summary: '54 runs, 10 failed.', zone };
const full = <Bars {...base} rows={barRows} sample="54 runs" />;
const bar = '.bar rect:not(.hover)';

describe('the stored drawing', () => {
  test.each([
    ['full-with-gaps', full],
    ['empty', <Bars key="" {...base} rows={[]} from="2026-05-04" to="2026-05-10" />],
    ['nothing-at-all', <Bars key="" {...base} rows={[]} />],
    ['one-day', <Bars key="" {...base} rows={barRows.slice(1, 2)} />],
    [
      'weeks-of-one-part',
      <Bars
        key=""
        {...base}
        bucket={7}
        parts={[{ label: 'merged <script>', tone: 'one' }]}
        rows={[3, 0, 5].map((value, index) => ({ day: dayOfNumber(20_577 + index * 7), values: [value] }))}
      />,
    ],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/bars-${name}.svg`);
  });
});

test('the table has the same numbers, and says which days were not read', () => {
  expect(tableRows(drawn(full))).toEqual([
    ['Day', 'failed', 'passed', 'other'],
    ['4 May 2026', 'no data', 'no data', 'no data'],
    ['5 May 2026', '1', '12', '2'],
    ['6 May 2026', '0', '20', '0'],
    ['7 May 2026', '0', '0', '0'],
    ['8 May 2026', 'no data', 'no data', 'no data'],
    ['9 May 2026', '7', '3', '1'],
    ['10 May 2026 (partial)', '2', '6', '0'],
  ]);
});

test('a day of which only a part is counted says from when on', () => {
  const rows = barRows.map((row, index) => (index === 1 ? { ...row, begins: '14:00' } : row)).slice(1);
  const chart = drawn(<Bars {...base} rows={rows} />);
  expect(tableRows(chart)[1]?.[0]).toBe('5 May 2026 (partial, from 14:00)');
  expect(marks(chart)).toContain('5 May 2026, partial, from 14:00 – 1 failed, 12 passed, 2 other');
  expect(chart.querySelectorAll('.bar.partial')).toHaveLength(2);
});

test('a day that was not read is hatched; a day without runs is not', () => {
  const chart = drawn(full);
  expect(chart.querySelectorAll('svg[role="img"] > rect[fill*="unread"]')).toHaveLength(2);
  expect(marks(chart).filter((mark) => mark.endsWith('no data'))).toEqual([
    '4 May 2026 – no data',
    '8 May 2026 – no data',
  ]);
  expect(marks(chart)).toContain('7 May 2026 – 0 failed, 0 passed, 0 other');
});

test('days in a row that were not read are one field', () => {
  const chart = drawn(<Bars {...base} rows={barRows.slice(4)} from="2026-05-01" />);
  expect(marks(chart)[0]).toBe('1 May 2026 to 8 May 2026 – no data');
});

test('bars stand on zero, on each other, and never above the scale', () => {
  const rows = fc.array(fc.option(fc.array(fc.nat(500), { minLength: 3, maxLength: 3 })), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, (values) => {
      const given: BarRow[] = values.map((row, index) => ({ day: dayOfNumber(20_577 + index), values: row }));
      const chart = drawn(<Bars {...base} rows={given} height={180} />);
      for (const stack of chart.querySelectorAll('.bar')) {
        let floor = 156;
        for (const part of stack.querySelectorAll('rect:not(.hover)')) {
          const [y, height] = ['y', 'height'].map((name) => Number(part.getAttribute(name)));
          expect((y ?? 0) + (height ?? 0)).toBeCloseTo(floor, 0);
          floor = y ?? 0;
        }
        expect(floor).toBeGreaterThanOrEqual(9.9);
      }
      const positive = values.flatMap((row) => row ?? []).filter((value) => value > 0).length;
      expect(chart.querySelectorAll(bar)).toHaveLength(positive);
    }),
    { numRuns: 40 },
  );
});

test.each([1, 2, 3, 4, 6, 7, 11, 13])('a bar of %i stays within the scale, whose marks are whole', (highest) => {
  const chart = drawn(<Bars {...base} rows={[{ day: '2026-05-04', values: [highest, 0, 0] }]} />);
  expect(Number(chart.querySelector(bar)?.getAttribute('y'))).toBeGreaterThanOrEqual(10);
  const labels = [...chart.querySelectorAll('.axis text[text-anchor="end"]')].map((label) => label.textContent);
  expect(labels.filter((label) => !/^\d+$/.test(label ?? ''))).toEqual([]);
});

test('an unknown part of a known day is a dash, not a bar', () => {
  const chart = drawn(<Bars {...base} rows={[{ day: '2026-05-04', values: [null, 3, 1] }]} />);
  expect(tableRows(chart)[1]).toEqual(['4 May 2026', '–', '3', '1']);
  expect(chart.querySelectorAll(bar)).toHaveLength(2);
});

test('failures are striped, so that they differ without colour', () => {
  const [failed, passed] = drawn(full).querySelectorAll(bar);
  expect(failed?.getAttribute('fill')).toMatch(/^url\(#.+-fail\)$/);
  expect(passed?.getAttribute('class')).toBe('fill-pass');
});

test('weeks are named as weeks', () => {
  const chart = drawn(<Bars {...base} bucket={7} rows={[{ day: '2026-05-04', values: [1, 1, 1] }]} />);
  expect(tableRows(chart)[0]?.[0]).toBe('Week from');
});

test('what happened on its days has its shape in the key, and its words in the row of its day in the zone', () => {
  const annotations = [
    // Still 5 May in UTC.
    { at: '2026-05-05T18:00:00Z', kind: 'alert' as const, label: 'Failure rate 12 %, threshold 10 %' },
    { at: '2026-05-05T06:00:00Z', kind: 'deployment' as const, label: '2 deployments to production' },
    { at: '2026-05-11T06:00:00Z', kind: 'alert' as const, label: 'after the last day' },
  ];
  const chart = drawn(<Bars {...base} rows={barRows} annotations={annotations} />);
  const [head, ...rows] = tableRows(chart);
  expect(head?.at(-1)).toBe('Marked');
  expect(rows.map((row) => row.at(-1)).filter((cell) => cell !== '–')).toEqual([
    'deployed: 2 deployments to production',
    'alert fired: Failure rate 12 %, threshold 10 %',
  ]);
  expect(rows.findIndex((row) => row.at(-1)?.startsWith('alert'))).toBe(2);
  const key = [...chart.querySelectorAll('.legend li')].map(({ textContent }) => textContent?.trim());
  expect(key).toEqual(['failed', 'passed', 'other', 'no data', 'deployed', 'alert fired']);
  expect(chart.querySelectorAll('.plot .annotation')).toHaveLength(2);
});

test('what bars are compared with is a dashed line, and stands in the table', () => {
  const rows = barRows.slice(1, 4).map((row, index) => ({ ...row, before: [3, null, 5][index] ?? null }));
  const chart = drawn(<Bars {...base} rows={rows} beforeLabel="previous period" />);
  expect(tableRows(chart).map((cells) => cells.at(-1))).toEqual(['previous period', '3', '–', '5']);
  expect(marks(chart)).toContain('5 May 2026 – 1 failed, 12 passed, 2 other, 3 previous period');
  expect(chart.querySelectorAll('.line-three')).not.toHaveLength(0);
  expect(drawn(<Bars {...base} rows={rows} />).querySelectorAll('.line-three')).toHaveLength(0);
});
