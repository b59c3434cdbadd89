// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { Matrix, type MatrixProps } from '../../app/charts/matrix.tsx';
import { drawn } from './markup.ts';

const base: MatrixProps = {
  title: 'Who reviews whom',
  summary: 'Pull requests merged in 90 days.',
  rowLabel: 'Author',
  columnLabel: 'Reviewer',
  rows: ['ann', 'bo', '<b>'],
  columns: ['ann', 'bo'],
  selfReason: 'Own work is not counted',
  cells: [
    { row: 'ann', column: 'bo', count: 12 },
    { row: 'bo', column: 'ann', count: 3 },
    { row: '<b>', column: 'ann', count: 1 },
  ],
};
const cells = (chart: HTMLElement) =>
  [...chart.querySelectorAll('tr')].map((row) => [...row.children].map(({ textContent }) => textContent));

test('names, counts and totals; a pair that is excluded is a true zero, a name with itself has none', () => {
  expect(cells(drawn(<Matrix {...base} />))).toEqual([
    ['Author / Reviewer', 'ann', 'bo', 'Total'],
    ['ann', 'Own work is not counted', '12', '12'],
    ['bo', '3', 'Own work is not counted', '3'],
    ['<b>', '1', '0', '1'],
    ['Total', '4', '12', '16'],
  ]);
});

test('an unknown count is a dash, and so is every total it belongs to', () => {
  const chart = drawn(<Matrix {...base} cells={[...base.cells, { row: '<b>', column: 'bo', count: null }]} />);
  expect(cells(chart).slice(3)).toEqual([
    ['<b>', '1', '–', '–'],
    ['Total', '4', '–', '–'],
  ]);
});

test('the more, the darker; zero has no shade', () => {
  const getClass = (chart: HTMLElement, text: string) =>
    [...chart.querySelectorAll('td')].find(({ textContent }) => textContent === text)?.className;
  const chart = drawn(<Matrix {...base} />);
  expect(['0', '1', '3', '12'].map((text) => getClass(chart, text))).toEqual([
    'num muted',
    'num step-1',
    'num step-3',
    'num step-4',
  ]);
});

test('it is a table with heads for both ways, named, that scrolls in its own box and has no second table', () => {
  const chart = drawn(<Matrix {...base} sample="142 pull requests" getHref={(name) => `/people/${name.length}`} />);
  expect(chart.querySelectorAll('table')).toHaveLength(1);
  expect(chart.querySelector('caption')?.textContent).toBe('Who reviews whom. Pull requests merged in 90 days.');
  expect(chart.querySelectorAll('thead th[scope="col"]')).toHaveLength(4);
  expect(chart.querySelectorAll('th[scope="row"]')).toHaveLength(4);
  expect(chart.querySelector('section.scroll[tabindex="0"] > table')).toBeTruthy();
  expect(chart.querySelector('tbody th a')?.getAttribute('href')).toBe('/people/3');
  expect(chart.querySelector('.source')?.textContent).toBe('142 pull requests');
});

test('nobody at all is said in words', () => {
  const chart = drawn(<Matrix {...base} rows={[]} columns={[]} cells={[]} />);
  expect(chart.querySelector('table')).toBeNull();
  expect(chart.textContent).toContain('No data in this period');
});
