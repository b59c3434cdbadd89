// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Answer } from '../../app/routes/ci/answer.tsx';
import { WorkflowBars } from '../../app/routes/ci/bars.tsx';
import { listColumns } from '../../app/routes/ci/columns.tsx';
import { Coverage } from '../../app/routes/ci/coverage.tsx';
import type { Ci, CiWorkflow } from '../../app/routes/ci/views.ts';
import { drawInRoot } from './in-root.tsx';

const minute = 60_000;
const root = { now: Date.UTC(2026, 10, 24, 12), zone: 'UTC', base: '' };

const workflow = (id: number, parts: Partial<CiWorkflow>): CiWorkflow =>
  ({
    repo: 'octo/web',
    workflow_id: id,
    workflow: `W${id}`,
    runs: 20,
    duration_sample: 20,
    median_ms: 5 * minute,
    p90_ms: 9 * minute,
    run_time_ms: 100 * minute,
    failure_rate: 10,
    failure_rate_sample: 20,
    change_pct: null,
    flaky_rate: null,
    queue_wait_ms: null,
    cost_per_month: null,
    wasted_per_month: null,
    partial: false,
    ...parts,
  }) as CiWorkflow;

const scope = (workflows: CiWorkflow[], parts: Partial<Ci> = {}): Ci =>
  ({
    org: 'octo',
    repo: null,
    totals: {
      run_time_ms: 100 * minute * workflows.length,
      run_time_sample: 40,
      cost_per_month: null,
      cost_sample: 0,
      completed_runs: 40,
    },
    workflows,
    repos_included: 2,
    repos_visible: 3,
    synced_through: '2026-11-24T11:00:00.000Z',
    partial: false,
    ...parts,
  }) as Ci;

const getText = () => document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';

test('the slowest workflow has twenty runs or more, and an increase is one of ten percent or more that is shown', () => {
  const noisy = [
    workflow(1, { p90_ms: 60 * minute, duration_sample: 19 }),
    workflow(2, { p90_ms: 20 * minute, change_pct: 9.9, median_verdict: 'higher' }),
    workflow(5, { change_pct: 80, median_verdict: 'no_difference_shown' }),
  ];
  drawInRoot(<Answer data={scope(noisy)} view="slow" showsCost />, root);
  expect(getText()).toContain('Slowest (20+ runs): W2 (octo/web), p90 20 min.');
  expect(getText()).not.toContain('Largest increase');
  const slower = scope([
    workflow(3, { change_pct: 10, median_verdict: 'higher' }),
    workflow(4, { change_pct: 34.4, median_verdict: 'higher' }),
  ]);
  drawInRoot(<Answer data={slower} view="slow" showsCost />, root);
  expect(getText()).toContain('Largest increase: W4 (octo/web), median +34 %.');
});

test('a flaky rate has its sample where that is another one than of the failure rate beside it', () => {
  const flaky = (sample: number) => workflow(1, { flaky_rate: 5, flaky_commits: 1, flaky_sample: sample });
  const column = listColumns([flaky(19)], { base: '', view: 'all', range: '30', showsCost: true }).find(
    ({ key }) => key === 'flaky_rate',
  );
  drawInRoot(column?.cell?.(flaky(19)), root);
  expect(getText()).toMatch(/^5.* %of 19$/);
  document.body.replaceChildren();
  drawInRoot(column?.cell?.(flaky(20)), root);
  expect(getText()).not.toContain('of');
});

test('waste is said of the runs that have job data alone', () => {
  const costed = scope([workflow(1, { cost_per_month: 3, wasted_per_month: 0 })]);
  const totals = { ...costed.totals, cost_per_month: 3, cost_sample: 12 };
  drawInRoot(<Answer data={{ ...costed, totals }} view="waste" showsCost />, root);
  expect(getText()).toContain('No wasted spend found in 12 of 40 completed runs.');
});

test('partial data is said in words, and a table without it says nothing', () => {
  drawInRoot(<Coverage data={scope([], { partial: true })} showsCost />, root);
  expect(getText()).toMatch(
    /Partial data: 2 of 3 repositories synced.*Last synced 1 hour ago.*counts are lower bounds/,
  );
  document.body.replaceChildren();
  drawInRoot(<Coverage data={scope([], { repos_visible: null })} showsCost={false} />, root);
  expect(getText()).toContain('2 repositories synced');
  expect(getText()).not.toMatch(/Partial|Cost/);
});

test('columns of the question come first, and those without a value are left out', () => {
  const rows = [workflow(1, { flaky_rate: 0 }), workflow(2, { cost_per_month: 0 })];
  const keys = (view: 'all' | 'slow', showsCost: boolean) =>
    listColumns(rows, { base: '', view, range: '30', showsCost }).map(({ key }) => key);
  expect(keys('all', true)).toEqual(['name', 'cost', 'runs', 'median', 'p90', 'failure_rate', 'flaky_rate']);
  expect(keys('slow', false)).toEqual(['name', 'p90', 'median', 'run_time', 'runs', 'failure_rate', 'flaky_rate']);
});

test('every number of a workflow opens its evidence, or the part of its page that explains it', () => {
  const timed = { queue_wait_ms: 4000, change_pct: 12 };
  const row = workflow(1, { cost_per_month: 3, wasted_per_month: 1, flaky_rate: 5, flaky_sample: 20, ...timed });
  const opened = ['all', 'slow', 'waste'].flatMap((view) =>
    listColumns([row], { base: '', view: view as 'all', range: '90', showsCost: true }).map(({ key, cell }) => {
      document.body.replaceChildren();
      drawInRoot(cell?.(row), root);
      return [key, document.querySelector('a')?.getAttribute('href')] as const;
    }),
  );
  const ofWorkflow = 'owner=octo&repo=web&workflow_id=1&range=90';
  expect(Object.fromEntries(opened)).toMatchObject({
    cost: `/explain?metric=monthly_cost&${ofWorkflow}`,
    wasted: `/explain?metric=wasted_monthly_cost&${ofWorkflow}`,
    median: `/explain?metric=median_duration&${ofWorkflow}`,
    p90: `/explain?metric=p90_duration&${ofWorkflow}`,
    failure_rate: `/explain?metric=failure_rate&${ofWorkflow}`,
    change: '/repos/octo/web/workflows/1?tab=performance',
    flaky_rate: '/repos/octo/web/workflows/1?tab=reliability',
    queue_wait: `/explain?metric=scope_queue_wait&${ofWorkflow}`,
    run_time: `/explain?metric=total_run_time&${ofWorkflow}`,
    runs: `/explain?metric=scope_runs&${ofWorkflow}`,
  });
  expect(opened.filter(([, href]) => !href)).toEqual([]);
});

test.each([
  [true, 'Fewer than ten runs in one of the periods.'],
  [false, 'Not all runs of both periods are stored.'],
])('why a workflow has no change, comparable: %s', (comparable, expected) => {
  const row = workflow(1, { comparable });
  const columns = listColumns([workflow(2, { change_pct: 3 })], {
    base: '',
    view: 'all',
    range: '30',
    showsCost: true,
  });
  drawInRoot(columns.find(({ key }) => key === 'change')?.cell?.(row), root);
  expect(getText()).toBe(`– ${expected}`);
});

test('bars are drawn of what costs most where nothing is wasted, and of run time where cost is not shown', () => {
  const costly = scope([1, 2, 3, 4, 5, 6, 7].map((id) => workflow(id, { cost_per_month: id, wasted_per_month: 0 })));
  const totals = { ...costly.totals, cost_per_month: 28, wasted_per_month: 0 };
  drawInRoot(<WorkflowBars data={{ ...costly, totals }} view="waste" showsCost />, root);
  const bars = screen.getByRole('figure', { name: 'Estimated cost per month' });
  const names = [...bars.querySelectorAll('a')].map((link) => link.textContent);
  expect(names).toEqual(['W7', 'W6', 'W5', 'W4', 'W3', 'W2']);
  expect(bars.textContent).toContain('$7.00');
  expect(getText()).toContain('Top 6 of 7');
  drawInRoot(<WorkflowBars data={{ ...costly, totals }} view="waste" showsCost={false} />, root);
  expect(screen.getByRole('figure', { name: 'Total run time' }).textContent).not.toContain('$');
});
