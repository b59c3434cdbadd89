// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Scatter, type ScatterPoint } from '../../app/charts/scatter.tsx';
import { drawing, drawn, marks, tableRows } from './markup.ts';
import { dayMs, start, zone } from './samples.ts';

const hours = { label: 'Time to merge', unit: 'hours' } as const;
const lines = { label: 'Lines changed', unit: 'count', log: true } as const;
const merged = { label: 'Merged', zone };
const base = { title: 'Size and time', summary: 'Larger changes take longer.' };
const people: ScatterPoint[] = [
  { name: '#1 <script>', x: 12, y: 3.5, href: '/pulls/1' },
  { name: '#2 none', x: 0, y: 0 },
  { name: '#3 unknown size', x: null, y: 5 },
  { name: '#4 open', x: 900, y: null },
  { name: '#5 large', x: 4000, y: 70 },
];
const bots: ScatterPoint[] = [{ name: '#6 raise a version', x: 2, y: 0.4 }];
const sizes = (
  <Scatter
    {...base}
    x={lines}
    y={{ ...hours, log: true }}
    median={3.5}
    series={[
      { label: 'people', points: people },
      { label: 'bots', points: bots },
    ]}
  />
);
const byDate = (y: readonly (number | null)[]) => (
  <Scatter
    {...base}
    x={merged}
    y={hours}
    series={[{ label: 'people', points: y.map((y, index) => ({ name: `#${index}`, x: start + index * dayMs, y })) }]}
  />
);
const at = (mark: Element, name: string) => Number.parseFloat(mark.getAttribute(name) ?? 'NaN');

describe('the stored drawing', () => {
  test.each([
    ['sizes-of-two-kinds', sizes],
    ['by-date', byDate([3, null, 12, 40, 8])],
    ['one-point', byDate([3])],
    ['empty', byDate([])],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/scatter-${name}.svg`);
  });
});

test('the table has every point, drawn or not, with its evidence', () => {
  const chart = drawn(sizes);
  expect(tableRows(chart)).toEqual([
    ['Point', 'Lines changed', 'Time to merge', 'Type'],
    ['#1 <script>', '12', '3\u00a0h 30\u00a0min', 'people'],
    ['#2 none', '0', '0\u00a0s', 'people'],
    ['#3 unknown size', '–', '5\u00a0h', 'people'],
    ['#4 open', '900', '–', 'people'],
    ['#5 large', '4,000', '2\u00a0d 22\u00a0h', 'people'],
    ['#6 raise a version', '2', '24\u00a0min', 'bots'],
  ]);
  expect(chart.querySelector('tbody a')?.getAttribute('href')).toBe('/pulls/1');
});

test('a point that lacks a value is not drawn, and how many lack one is said', () => {
  const chart = drawn(sizes);
  expect(marks(chart)).toEqual([
    '#1 <script> – 12, 3\u00a0h 30\u00a0min, people',
    '#2 none – 0, 0\u00a0s, people',
    '#5 large – 4,000, 2\u00a0d 22\u00a0h, people',
    '#6 raise a version – 2, 24\u00a0min, bots',
  ]);
  expect(chart.textContent).toContain('Not shown, value unknown: 2 of 6.');
  expect(drawn(byDate([1, 2])).textContent).not.toContain('Not shown');
});

test('two kinds differ in shape, and one kind needs no legend', () => {
  expect(drawn(sizes).querySelectorAll('.plot circle.dot')).toHaveLength(3);
  expect(drawn(sizes).querySelectorAll('.plot rect.dot.square')).toHaveLength(1);
  expect(drawn(sizes).querySelectorAll('.legend li')).toHaveLength(3);
  expect(drawn(byDate([1])).querySelectorAll('.legend li')).toHaveLength(1);
});

test('the median is drawn at its value and named', () => {
  const line = drawn(sizes).querySelector('.median line');
  const dot = drawn(sizes).querySelector('.plot circle.dot');
  expect(at(line as Element, 'y1')).toBe(at(dot as Element, 'cy'));
  expect(drawn(sizes).querySelector('.median text')?.textContent).toBe('median 3\u00a0h 30\u00a0min');
  expect(drawn(byDate([1])).querySelector('.median')).toBeNull();
});

test('on an axis of factors zero stands below everything and has a mark of its own', () => {
  const [, zero, ...others] = [...drawn(sizes).querySelectorAll('.plot circle.dot')];
  expect(at(zero as Element, 'cy')).toBe(218);
  for (const other of others) expect(at(other, 'cy')).toBeLessThan(210);
});

test.each([true, false])('marks stay inside the drawing and keep their order, factors: %s', (log) =>
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 12 }), (values) => {
      const points = values.map((value) => ({ name: 'p', x: value, y: value }));
      const axis = { label: 'a', unit: 'hours', log } as const;
      const dots = [
        ...drawn(<Scatter {...base} x={axis} y={axis} series={[{ label: 's', points }]} />).querySelectorAll(
          '.plot circle.dot',
        ),
      ].map((dot, index) => ({ value: values[index] ?? 0, x: at(dot, 'cx'), y: at(dot, 'cy') }));
      for (const { x, y } of dots) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(100);
        expect(y).toBeGreaterThanOrEqual(11.9);
        expect(y).toBeLessThanOrEqual(218.1);
      }
      const ordered = dots.toSorted((one, other) => one.value - other.value);
      for (const [index, dot] of ordered.entries()) {
        expect(dot.x).toBeGreaterThanOrEqual((ordered[index - 1]?.x ?? 0) - 0.011);
        expect(dot.y).toBeLessThanOrEqual((ordered[index - 1]?.y ?? 218) + 0.11);
      }
    }),
    { numRuns: 60 },
  ),
);
