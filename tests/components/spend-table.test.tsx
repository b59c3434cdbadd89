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

/** The names of rows in their order, and what the table is called. */
function table(...rows: SpendRow[]) {
  const data = { by: 'workflow', rows, window: {}, timezone: 'UTC' } as Spend;
  const routes = [{ id: 'root', path: '/', loader: () => null, element: <SpendTable data={data} search="" /> }];
  const hydrationData = { loaderData: { root: { base: '' } } };
  render(<RouterProvider router={createMemoryRouter(routes, { hydrationData })} />);
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
