// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { StackedBars, type StackedRow } from '../../app/charts/stacked-bars.tsx';
import { drawing, drawn, marks, tableRows } from './markup.ts';

const base = { title: 'Cycle time by phase', summary: 'Most of it in review.', rowLabel: 'Week from' };
const parts = ['to open', 'to review', 'in review', 'to merge'];
const rows: StackedRow[] = [
  { name: '1 Jun 2026', note: '12 pull requests', values: [3, 8, 20, 4], href: '/w/1' },
  { name: '8 Jun <script>', values: [1, null, 2, 0.02] },
  { name: '15 Jun 2026', values: [null, null, null, null] },
  { name: '22 Jun 2026', values: [0, 0, 0, 0] },
];
const phases = <StackedBars {...base} unit="hours" parts={parts} rows={rows} />;

describe('the stored drawing', () => {
  test.each([
    ['phases', phases],
    [
      'sizes',
      <StackedBars key="" {...base} unit="count" parts={['S', 'M']} rows={[{ name: 'web', values: [3, 4] }]} />,
    ],
    ['one-part', <StackedBars key="" {...base} unit="count" parts={['all']} rows={[{ name: 'web', values: [7] }]} />],
    ['empty', <StackedBars key="" {...base} unit="count" parts={parts} rows={[]} />],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/stacked-bars-${name}.svg`);
  });
});

test('the table has the same numbers; what is not known is a dash', () => {
  expect(tableRows(drawn(phases))).toEqual([
    ['Week from', ...parts],
    ['1 Jun 2026 (12 pull requests)', '3\u00a0h', '8\u00a0h', '20\u00a0h', '4\u00a0h'],
    ['8 Jun <script>', '1\u00a0h', '–', '2\u00a0h', '1\u00a0min 12\u00a0s'],
    ['15 Jun 2026', '–', '–', '–', '–'],
    ['22 Jun 2026', '0\u00a0s', '0\u00a0s', '0\u00a0s', '0\u00a0s'],
  ]);
});

test('a part that is not known is reported as such and has no length; nothing is not reported as unknown', () => {
  expect(marks(drawn(phases)).slice(4)).toEqual([
    '8 Jun <script> – to open: 1\u00a0h',
    '8 Jun <script> – in review: 2\u00a0h',
    '8 Jun <script> – to merge: 1\u00a0min 12\u00a0s',
    '8 Jun <script> – unknown: to review',
    '15 Jun 2026 – unknown: to open, to review, in review, to merge',
  ]);
  expect(drawn(phases).querySelector('.legend')?.textContent).toContain('partial data');
});

test('parts follow each other without a gap, and the longest bar ends within the drawing', () => {
  const bars = [...drawn(phases).querySelectorAll('.plot rect.part')].slice(0, 4);
  let end = 0;
  for (const bar of bars) {
    const [x, width] = ['x', 'width'].map((name) => Number.parseFloat(bar.getAttribute(name) ?? 'NaN'));
    expect(x).toBeCloseTo(end, 1);
    end = (x ?? 0) + (width ?? 0);
  }
  expect(end).toBeLessThanOrEqual(94.01);
});

test('parts differ in strength from the first to the last', () => {
  const strengths = [...drawn(phases).querySelectorAll('.legend rect.part')].map((part) =>
    Number(part.getAttribute('fill-opacity')),
  );
  expect(strengths).toEqual([...new Set(strengths)].sort((one, other) => one - other));
  expect(strengths).toHaveLength(4);
});

test('shares of a whole that are rounded to 101 % are drawn on an axis that ends at 100 %', () => {
  const shares = <StackedBars {...base} unit="percent" parts={['A', 'B']} rows={[{ name: 'Jul', values: [7, 94] }]} />;
  const text = drawn(shares).querySelector('.plot')?.textContent;
  expect(text).toContain('100\u00a0%');
  expect(text).not.toContain('150');
});
