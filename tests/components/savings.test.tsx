// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Savings } from '../../app/routes/org/savings.tsx';
import { drawInRoot } from './in-root.tsx';

type Data = Parameters<typeof Savings>[0]['data'];

const dataOf = (rows: Partial<Data['rows'][number]>[]): Data => ({
  scope: { org: 'octo', owner: null, repo: null },
  repositories: { seen: 1, judged: 1, without_history: 0, failed_calibration: 0 },
  total: null,
  rows: rows.map((row, index) => ({
    owner: 'octo',
    repo: 'web',
    id: String(index),
    workflow_path: '.github/workflows/ci.yml',
    anchor: 'jobs.test.needs.lint',
    kind: 'ADV-08',
    title: 'Start a job earlier',
    certainty: 'modelled',
    alone: null,
    shortens_runs: false,
    costs_less: false,
    marginal: null,
    state: 'open',
    href: `/repos/octo/web/advisor/${index}`,
    ...row,
  })),
  rows_total: rows.length,
  security_rows: 0,
  facets: { repository: [], kind: [], state: [] },
  skipped: [],
  as_of: null,
  cost_hidden: false,
  hidden_kinds: [],
  partial: false,
  generated_at: '2026-11-16T10:00:00.000Z',
  data_source: 'mixed',
});

test('runs are said to be shorter or to cost less only where that is predicted', async () => {
  const data = dataOf([{ shortens_runs: true }, { costs_less: true }, {}]);
  drawInRoot(<Savings data={data} csvHref="/csv" />, { now: 0, zone: 'UTC', base: '' });
  await screen.findByText('Shorter runs.');
  expect(
    screen.getAllByText(/^(Shorter runs|Costs less|Not predicted)\.$/).map(({ textContent }) => textContent),
  ).toEqual(['Shorter runs.', 'Costs less.', 'Not predicted.']);
});
