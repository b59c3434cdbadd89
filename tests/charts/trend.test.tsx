// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Trend, type TrendProps } from '../../app/charts/trend.tsx';
import { drawing, drawn, marks, tableRows } from './markup.ts';
import { daily, dayMs, fortnight, start, zone } from './samples.ts';

const base = { title: 'Median duration', summary: 'From 7 to 8 minutes.', unit: 'milliseconds', zone } as const;
const one = (points: TrendProps['series'][number]['points'], more: Partial<TrendProps> = {}) => (
  <Trend {...base} step={dayMs} series={[{ label: 'ci', points }]} {...more} />
);
const full = one(daily(fortnight, true), {
  sample: '142 runs',
  source: 'stored',
  annotations: [
    { at: start + 7.5 * dayMs, kind: 'deployment', label: '2 to <script>alert(1)</script>', href: '/deployments/1' },
    { at: start - dayMs, kind: 'change', label: 'Before the window' },
  ],
});
const labels = ['ci', 'release to production and to every customer', 'lint', 'e2e', 'nightly'];
const five = (
  <Trend
    {...base}
    step={dayMs}
    series={labels.map((label, index) => ({
      label,
      points: daily(fortnight.map((value) => value && value * (index + 1))),
    }))}
  />
);

describe('the stored drawing', () => {
  test.each([
    ['full', full],
    ['five-series-with-long-labels', five],
    ['empty', one([], { from: start, to: start + 7 * dayMs })],
    ['nothing-at-all', one([])],
    ['one-point', one(daily([12_000]), { from: start - dayMs, to: start + dayMs })],
    ['only-unknown', one(daily([null, null, null]))],
  ])('%s', async (name, chart) => {
    await expect(drawing(chart)).toMatchFileSnapshot(`./stored/trend-${name}.svg`);
  });
});

test('a threshold is a line with its name, and is on the axis where all values are below', () => {
  const container = drawn(one(daily([10_000, 20_000]), { limit: 60_000 }));
  expect(container.querySelector('.limit text')?.textContent?.replaceAll('\u00a0', ' ')).toBe('threshold 1 min');
  const place = Number(container.querySelector('.limit line')?.getAttribute('y1'));
  expect([place > 0, place < 100]).toEqual([true, true]);
});

test('a point with a mark is ringed where its value is, and the table says it', () => {
  const [quiet, loud] = daily([10_000, 20_000]);
  if (!quiet || !loud) throw new Error('There are two points.');
  const chart = drawn(one([quiet, { ...loud, mark: 'fires' }]));
  expect(chart.querySelectorAll('.marked')).toHaveLength(1);
  expect(tableRows(chart).at(-1)?.[1]?.replaceAll('\u00a0', ' ')).toBe('20 s (fires)');
});

test('the table has the same numbers as the marks', () => {
  const chart = drawn(full);
  const [, ...rows] = tableRows(chart);
  expect(rows).toHaveLength(fortnight.length);
  expect(marks(chart)).toEqual(rows.map(([when, value]) => `${when} – ${value}`));
  expect(rows[4]).toEqual(['8 May 2026', '–', '–']);
  expect(rows.at(-1)?.[1]).toBe('8\u00a0min (partial)');
});

test('every known value is drawn once, and no unknown one', () =>
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9_000_000 })), { maxLength: 60 }), (values) => {
      const chart = drawn(one(daily(values)));
      expect(chart.querySelectorAll('circle')).toHaveLength(values.filter((value) => value !== null).length);
      expect(tableRows(chart).slice(1)).toHaveLength(values.length);
    }),
    { numRuns: 40 },
  ));

test('an unknown value and a missing bucket both break the line', () => {
  const pieces = (chart: HTMLElement) => chart.querySelector('svg svg path')?.getAttribute('d')?.match(/M/g)?.length;
  expect(pieces(drawn(one(daily([1, 2, 3, 4]))))).toBe(1);
  expect(pieces(drawn(one(daily([1, 2, null, 3, 4]))))).toBe(2);
  const withHole = daily([1, 2, 9, 3, 4]).toSpliced(2, 1);
  expect(pieces(drawn(one(withHole)))).toBe(2);
  expect(pieces(drawn(one(withHole, { step: undefined })))).toBe(1);
});

test('time runs evenly, whatever the distance between points', () => {
  const chart = drawn(
    one(
      [0, 1, 10].map((day) => ({ at: start + day * dayMs, value: 5 })),
      { step: undefined },
    ),
  );
  expect([...chart.querySelectorAll('circle')].map((dot) => dot.getAttribute('cx'))).toEqual(['0%', '10%', '100%']);
});

test('a long series shows its lonely points still', () => {
  const values = Array.from({ length: 90 }, (_, index) => (index === 44 || index === 46 ? null : 5));
  expect(drawn(one(daily(values))).querySelectorAll('circle')).toHaveLength(1);
});

test('the bucket that still runs is dotted and hollow', () => {
  const chart = drawn(one(daily([1, 2, 3], true)));
  expect(chart.querySelectorAll('path.dotted')).toHaveLength(1);
  expect(chart.querySelectorAll('circle.hollow')).toHaveLength(1);
  expect(drawn(one(daily([1, 2, 3]))).querySelector('path.dotted')).toBeNull();
});

test('five series at most are drawn, each with its name; the table has all', () => {
  const six = [...labels, 'sixth'].map((label) => ({ label, points: daily([1, 2]) }));
  const chart = drawn(<Trend {...base} series={six} />);
  expect([...chart.querySelectorAll('.end-label')].map((label) => label.textContent).sort()).toEqual(
    [...labels].sort(),
  );
  expect(tableRows(chart)[0]).toEqual(['When', ...labels, 'sixth']);
});

test('names at the line ends keep apart and inside the drawing', () => {
  const same = labels.map((label) => ({ label, points: daily([100, 1]) }));
  const places = [...drawn(<Trend {...base} series={same} height={200} />).querySelectorAll('foreignObject')]
    .map((label) => Number(label.getAttribute('y')))
    .sort((low, high) => low - high);
  for (const [index, y] of places.slice(1).entries()) expect(y - (places[index] ?? 0)).toBeGreaterThanOrEqual(14.9);
  expect(places.at(-1)).toBeLessThanOrEqual(176);
});

test('only what happened inside the window is marked, with its words as text', () => {
  const chart = drawn(full);
  const listed = [...chart.querySelectorAll('.annotations li')].map((item) => item.textContent);
  expect(listed).toEqual(['2 to <script>alert(1)</script> deployed, 11 May 2026, 12:00']);
  expect(chart.querySelectorAll('.plot .annotation')).toHaveLength(1);
  expect(chart.querySelector('script')).toBeNull();
});

describe('what happened beside the values', () => {
  const at = (day: number) => start + day * dayMs;
  const marked = one(daily([1, 2, 3, 4]), {
    annotations: [
      { at: at(2.5), kind: 'alert', label: 'Failure rate 12 %, threshold 10 %', href: '/explain?metric=failure_rate' },
      { at: at(0.5), kind: 'change', label: 'abc1234 Cache modules' },
      { at: at(2.25), kind: 'deployment', label: '2 deployments to production' },
    ],
  });

  test('has a shape for each kind and a key to the shapes that are there', () => {
    const chart = drawn(marked);
    const shapes = [...chart.querySelectorAll('.plot .annotation path')].map((path) => path.getAttribute('d'));
    expect(new Set(shapes).size).toBe(3);
    const key = [...chart.querySelectorAll('.legend li')].map((entry) => entry.textContent?.trim());
    expect(key).toEqual(['workflow file changed', 'deployed', 'alert fired']);
    const inKey = [...chart.querySelectorAll('.legend path')].map((path) => path.getAttribute('d'));
    expect(new Set(inKey)).toEqual(new Set(shapes));
    expect(drawn(one(daily([1]))).querySelector('.legend')).toBeNull();
  });

  test('is told by time below the chart, and in the row of the day that it fell into', () => {
    const chart = drawn(marked);
    expect([...chart.querySelectorAll('.annotations li')].map(({ textContent }) => textContent)).toEqual([
      'abc1234 Cache modules workflow file changed, 4 May 2026, 12:00',
      '2 deployments to production deployed, 6 May 2026, 06:00',
      'Failure rate 12 %, threshold 10 % alert fired, 6 May 2026, 12:00',
    ]);
    const [head, ...rows] = tableRows(chart);
    expect(head).toEqual(['When', 'ci', 'Marked']);
    expect(rows.map((row) => row.at(-1))).toEqual([
      'workflow file changed: abc1234 Cache modules',
      '–',
      'deployed: 2 deployments to production; alert fired: Failure rate 12 %, threshold 10 %',
      '–',
    ]);
  });

  test('of many has no numbers that would cover each other, and each its words', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      at: at(index / 5),
      kind: 'deployment' as const,
      label: `${index} deployments`,
    }));
    const chart = drawn(one(daily([1, 2, 3, 4, 5]), { annotations: many }));
    expect(chart.querySelectorAll('.annotation text')).toHaveLength(0);
    expect(chart.querySelectorAll('.annotation title')).toHaveLength(20);
    expect(chart.querySelector('details.twin')?.hasAttribute('open')).toBe(false);
    expect(drawn(marked).querySelectorAll('.annotation text')).toHaveLength(3);
  });

  test('too close for a number each has one for all of them', () => {
    const alerts = [0.5, 2, 2.01, 2.02].map((day) => ({ at: at(day), kind: 'alert' as const, label: `after ${day}` }));
    const chart = drawn(one(daily([1, 2, 3, 4]), { annotations: alerts }));
    expect([...chart.querySelectorAll('.annotation text')].map(({ textContent }) => textContent)).toEqual(['1', '2–4']);
  });
});

test('sample, source and zone are printed', () => {
  expect(drawn(full).querySelector('.source')?.textContent).toBe('142 runs · stored · Asia/Saigon');
});

test('the drawing is named by its title and summary', () => {
  expect(drawn(full).querySelector('svg[role="img"] > title')?.textContent).toBe(
    'Median duration. From 7 to 8 minutes.',
  );
});

test('evidence is linked from the table', () => {
  const chart = drawn(one([{ at: start, value: 1, name: 'Run 812', href: '/runs/812' }]));
  expect(chart.querySelector('tbody a')?.outerHTML).toBe('<a href="/runs/812">Run 812</a>');
});

test('a line is dotted out of a day that is counted from an hour on, and into the running one', () => {
  const points = daily([5, 6, 7, 8, 9], true).map((point, index) =>
    index === 0 ? { ...point, begins: '14:00' } : point,
  );
  const chart = drawn(one(points));
  const parts = (name: string) => chart.querySelector(`path${name}`)?.getAttribute('d')?.match(/[ML]/g)?.join('');
  expect(parts('.dotted')).toBe('MLML');
  expect(parts(':not(.dotted)')).toBe('MLL');
  expect(tableRows(chart)[1]).toEqual(['4 May 2026', '5\u00a0ms (partial, from 14:00)']);
  expect(tableRows(chart)[5]?.[1]).toBe('9\u00a0ms (partial)');
});
