// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { DailyTrends } from '../../app/routes/reports/trend-charts.tsx';

const minute = 60_000;
const now = Date.parse('2026-11-16T10:00:00Z');
const dates = Array.from({ length: 12 }, (_, index) => `2026-11-${String(index + 5).padStart(2, '0')}`);

const toDay = (date: string, median: number | null) => ({
  date,
  total: 1,
  success: 1,
  failure: 0,
  cancelled: 0,
  other: 0,
  success_rate: 100,
  avg_duration_ms: 1,
  median_duration_ms: median,
  p90_duration_ms: median,
  avg_queue_ms: null,
  p95_duration_ms: 1,
});

function draw(medians: (number | null)[], before: (number | null)[], compare = 'previous') {
  const answer = {
    type: 'daily' as const,
    data: dates.map((date, index) => toDay(date, medians[index] ?? null)),
    compared: dates.map((date, index) => toDay(date.replace('-11-', '-10-'), before[index] ?? null)),
    coverage: {
      from: dates[0] ?? '',
      to: dates.at(-1) ?? '',
      synced_through: '2026-11-16T09:59:00Z',
      first_run_at: '2026-10-01T00:00:00Z',
      partial: false,
      repos_included: 1,
      timezone: 'UTC',
    },
  };
  const known = { now, zone: 'UTC', base: '', features: [] };
  const part = <DailyTrends answer={answer} compare={compare} annotations={[]} csvHref="/csv" />;
  const Root = createRoutesStub([{ id: 'root', path: '*', Component: () => part, loader: () => known }]);
  // As the server sends it, with the script beside the drawing.
  const container = document.createElement('div');
  container.innerHTML = renderToString(<Root hydrationData={{ loaderData: { root: known } }} />);
  return container;
}

const steady = dates.map(() => 4 * minute);

test('a day far above the others does not press them to the ground', () => {
  const { textContent } = draw([...steady.slice(0, 5), 600 * minute, ...steady.slice(6)], []);
  expect(textContent?.replaceAll('\u00a0', ' ')).toContain('above axis: 2 values, up to 10 h');
});

const isDashedIn = (container: HTMLElement) =>
  [...container.querySelectorAll('figure')].map((chart) => chart.querySelector('path.dashed') !== null);

test('a previous period with a single day is no line, and is said instead', () => {
  const container = draw(steady, [null, 2 * minute]);
  expect(container.textContent?.replaceAll('\u00a0', ' ')).toContain(
    'Previous period: one day with data, median ≈ 2 min.',
  );
  expect(isDashedIn(container)).toEqual([true, false]);
  expect(container.textContent).not.toContain('median, previous period');
});

test('one with more days is a dashed line', () => {
  const container = draw(steady, [null, 2 * minute, 3 * minute]);
  expect(container.textContent).toContain('Dashed: median of the previous period.');
  expect(container.textContent).toContain('Previous period: 12 runs, 0 failed.'.replace('12 runs', '12\u00a0runs'));
  expect(draw(steady, [2 * minute, 3 * minute], 'year').textContent).toContain(
    'Dashed: median of the same period last year.',
  );
  expect(isDashedIn(container)).toEqual([true, true]);
});

test('runs of each day stand beside those of the period before', () => {
  const [runs] = draw(steady, steady).querySelectorAll('table');
  const cells = [...(runs?.querySelectorAll('tr') ?? [])].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(cells[0]).toEqual(['Day', 'failed', 'passed', 'cancelled and other', 'previous period']);
  expect(cells[1]?.slice(1)).toEqual(['0', '1', '0', '1']);
});

test('only the day that has not ended is partial', () => {
  const [, durations] = draw(steady, []).querySelectorAll('table');
  const rows = [...(durations?.querySelectorAll('tbody tr') ?? [])];
  expect(rows.map(({ textContent }) => textContent?.includes('(partial)'))).toEqual([
    ...Array<boolean>(dates.length - 1).fill(false),
    true,
  ]);
});

test('lines are the median and p90 that other pages show, each value as an estimate', () => {
  const [, durations] = draw(steady, [2 * minute, 3 * minute]).querySelectorAll('table');
  const cells = [...(durations?.querySelectorAll('tr') ?? [])].map((row) =>
    [...row.children].map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ')),
  );
  expect(cells[0]).toEqual(['When', 'median', 'p90', 'median, previous period']);
  expect(cells[1]?.slice(1)).toEqual(['≈ 4 min', '≈ 4 min', '≈ 2 min']);
  expect(cells[3]?.slice(1)).toEqual(['≈ 4 min', '≈ 4 min', '–']);
});
