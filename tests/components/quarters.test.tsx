// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { QuarterlyTrends } from '../../app/routes/reports/trend-charts.tsx';
import { drawInRoot } from './in-root.tsx';

const quarter = (name: string, total: number | null) => ({
  quarter: name,
  total,
  failure: total && 1,
  success_rate: total && 90,
  avg_duration_ms: total && 1,
  median_duration_ms: total && 60_000,
  p90_duration_ms: total && 120_000,
  partial: false,
});

type Answer = Parameters<typeof QuarterlyTrends>[0]['answer'];

const show = (...data: ReturnType<typeof quarter>[]) => {
  const answer = { type: 'quarterly', data } as unknown as Answer;
  drawInRoot(<QuarterlyTrends answer={answer} csvHref="/csv" />, { now: 0, zone: 'UTC', base: '' });
  return document.body.textContent ?? '';
};

test('quarters before the first stored run are left out and named', () => {
  const text = show(
    quarter('Q1 2026', null),
    quarter('Q2 2026', null),
    quarter('Q3 2026', 12),
    quarter('Q4 2026', null),
  );
  expect(text).not.toMatch(/Q1 2026|Q2 2026/);
  expect(text).toContain('No runs stored from before Q3 2026.');
  expect(text).toContain('Q4 2026');
});

test('with all quarters nothing is said of those before', () => {
  expect(show(quarter('Q3 2026', 12))).not.toContain('No runs stored');
});

test('durations are the median and p90, as estimates', () => {
  const text = show(quarter('Q3 2026', 12)).replaceAll('\u00a0', ' ');
  expect(text).toContain('Median duration');
  expect(text).toContain('≈ 1 min');
  expect(text).toContain('≈ 2 min');
  expect(text).not.toMatch(/average/i);
});
