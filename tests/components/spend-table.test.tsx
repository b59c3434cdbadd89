// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { SpendTable } from '../../app/routes/cost/spend-table.tsx';
import type { Spend, SpendRow } from '../../app/routes/cost/views.ts';

const row = (name: string, cost: number | null) =>
  ({
    name,
    repo: 'octo/web',
    workflow_id: 1,
    cost,
    cost_per_month: cost,
    wasted: null,
    reason: 'no_job_data',
    unknown_jobs: 0,
  }) as SpendRow;

function draw(parts: Partial<Spend>, search = '') {
  const data = { by: 'workflow', range: '30', window: {}, timezone: 'UTC', ...parts } as Spend;
  const routes = [{ id: 'root', path: '/', loader: () => null, element: <SpendTable data={data} search={search} /> }];
  const hydrationData = { loaderData: { root: { base: '' } } };
  render(<RouterProvider router={createMemoryRouter(routes, { hydrationData })} />);
}

const getHref = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

/** The names of rows in their order, and what the table is called. */
function table(...rows: SpendRow[]) {
  draw({ rows });
  const shown = screen.getByRole('table');
  const names = screen.getAllByRole('rowheader').map((cell) => cell.querySelector('a')?.textContent);
  return { names, caption: shown.querySelector('caption')?.textContent };
}

test('what costs most comes first', () => {
  expect(table(row('Build', 1), row('Deploy', 2))).toEqual({
    names: ['Deploy', 'Build'],
    caption: 'Workflows, by cost/month',
  });
});

test('without a known cost, rows are in the order of their names', () => {
  const { names, caption } = table(row('Deploy', null), row('Build', null));
  expect(names).toEqual(['Build', 'Deploy']);
  expect(caption).toBe('Workflows, by workflow');
});

test('the amounts of a workflow and of a repository open what they are made of', () => {
  draw({ rows: [{ ...row('Build', 2), wasted_per_month: 1 }] });
  const ofWorkflow = 'owner=octo&repo=web&workflow_id=1&range=30';
  expect(getHref('$2.00')).toBe(`/explain?metric=monthly_cost&${ofWorkflow}`);
  expect(getHref('$1.00')).toBe(`/explain?metric=wasted_monthly_cost&${ofWorkflow}`);
  document.body.replaceChildren();
  draw({ by: 'repository', rows: [{ ...row('octo/web', 2), workflow_id: null }] });
  expect(getHref('$2.00')).toBe('/explain?metric=monthly_cost&owner=octo&repo=web&range=30');
});

test('a day opens the workflows of that day, a runner nothing', () => {
  const day = { ...row('2026-11-24', 2), repo: null, workflow_id: null, partial: false, completed_runs: 3 };
  draw({ by: 'day', rows: [day] }, '?org=octo&view=day&rows=cost-desc');
  expect(getHref('24 Nov 2026')).toBe('?org=octo&range=2026-11-24..2026-11-24');
  document.body.replaceChildren();
  draw({ by: 'runner', rows: [{ ...day, name: 'ubuntu-24.04' }] });
  expect(screen.queryByRole('link', { name: /ubuntu|\$/ })).toBeNull();
});

test('where a range is too short for a month, what it cost itself is shown', () => {
  draw({ rows: [{ ...row('Build', 2), cost_per_month: null }] });
  expect(screen.getByRole('columnheader', { name: 'Cost' })).toBeTruthy();
  expect(screen.getByText('$2.00').closest('a')).toBeNull();
});
