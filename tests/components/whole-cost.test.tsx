// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Cards } from '../../app/routes/ci/cards.tsx';
import type { Ci } from '../../app/routes/ci/views.ts';
import { SpendCards } from '../../app/routes/cost/spend-cards.tsx';
import { SpendDays } from '../../app/routes/cost/spend-days.tsx';
import type { Spend } from '../../app/routes/cost/views.ts';
import { drawInRoot } from './in-root.tsx';

type Day = Spend['days'][number];

const root = { now: Date.UTC(2026, 10, 10), zone: 'UTC', base: '' };
const window = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-05T23:59:59.999Z' };

const day = (date: number, cost: number, parts: Partial<Day> = {}): Day => ({
  date: `2026-11-0${date}`,
  cost,
  wasted: cost / 10,
  cost_sample: 50,
  completed_runs: 50,
  unknown_jobs: 0,
  partial: false,
  ...parts,
});
const whole = [day(1, 60), day(2, 70), day(3, 80)];
/** A job of a known price beside one without, and a day of which 2 of 50 runs have job data. */
const inPart = [day(4, 5, { unknown_jobs: 1 }), day(5, 2, { cost_sample: 2 })];

const totals = { cost_sample: 202, completed_runs: 250, unknown_jobs: 1, cost_per_month: 9, wasted_per_month: 1 };
const about = { org: 'octo', repo: null, range: '30', compare: 'previous', comparable: true, window, timezone: 'UTC' };
const forecast = { month: '2026-11', missing: 'x', spent: null, expected: null, low: null, high: null };
const cost = (days: Day[], before: Day[] = days) =>
  ({ ...about, totals, forecast, days, days_before: before }) as unknown as Spend;

const trendOf = (card: string) =>
  screen.getByRole('article', { name: card }).querySelector('.spark title')?.textContent?.replaceAll('\u00a0', ' ');

test.each([
  ['a day of which all is known', whole, '$60.00, highest $80.00, last $80.00'],
  ['a job without a known price, 2 of 50 runs', [...whole, ...inPart], '$60.00, highest $80.00, last $80.00'],
])('the spark of a cost has days of which all is known: %s', (_, days, ends) => {
  drawInRoot(<SpendCards data={cost(days)} />, root);
  expect(trendOf('Cost per month')).toContain(`lowest ${ends}`);
  expect(trendOf('Wasted per month')).toContain('lowest $6.00');
  cleanup();
  drawInRoot(<Cards data={cost(days) as unknown as Ci} view="waste" showsCost />, root);
  expect(trendOf('Cost/month')).toContain(`lowest ${ends}`);
  expect(trendOf('Wasted/month')).toContain('lowest $6.00');
});

test('fewer than three such days have no spark', () => {
  const days = [...whole.slice(1), ...inPart];
  drawInRoot(<SpendCards data={cost(days)} />, root);
  drawInRoot(<Cards data={cost(days) as unknown as Ci} view="waste" showsCost />, root);
  const cards = ['Cost per month', 'Wasted per month', 'Cost/month', 'Wasted/month'];
  expect(cards.map(trendOf)).toEqual(cards.map(() => undefined));
});

test('the line of the period before has no other days', () => {
  const days = [...whole, ...inPart];
  drawInRoot(<SpendDays data={cost(days)} marks={null} />, root);
  const rows = screen.getAllByRole('row', { hidden: true }).map((row) => row.lastElementChild?.textContent);
  expect(rows).toEqual(['previous period', '$60.00', '$70.00', '$80.00', '–', '–']);
});
