// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hasEnough } from '../../app/routes/repo/delivery-cards.tsx';
import type { Deployments, Environment } from '../../app/routes/repo/deployments.tsx';
import { DeploymentFigures } from '../../app/routes/repo/deployments-figures.tsx';
import { EnvironmentTable } from '../../app/routes/repo/deployments-tables.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const unknown: Environment = {
  environment: 'production',
  is_production: true,
  is_rest: false,
  total: 7,
  success: null,
  failed: null,
  inconclusive: null,
  deploys_per_day: null,
  failure_rate_pct: null,
  failure_rate_interval: null,
  mttr_hours: null,
  mttr_median_hours: null,
  mttr_samples: 0,
  open_failure_since: null,
};
const data = {
  source: 'deployments',
  successful: null,
  failed: null,
  by_environment: [unknown],
  by_day: [{ date: '2026-11-15', environment: 'production', success: 2, failed: 0, inconclusive: 1, unread: 4 }],
  days: ['2026-11-15', '2026-11-16'],
  period_days: 30,
  covers_from: '2026-11-15T10:00:00Z',
  generated_at: '2026-11-16T10:00:00Z',
  period_before: null,
  by_day_before: null,
  timezone: 'UTC',
  tiers: { deployment_frequency: null, change_failure_rate: null, mttr: null },
} as unknown as Deployments;
const reason = 'Deployment statuses could not be loaded.';

test('figures of outcomes that are not known are dashes with the reason', () => {
  drawInRoot(<DeploymentFigures data={data} search="" repository={{ owner: 'octo', repo: 'web' }} />, page);
  for (const name of ['Deployment frequency', 'Change failure rate', 'Time to restore'])
    expect(screen.getByRole('article', { name }).textContent).toContain(`–${reason}`);
  const total = screen.getByRole('article', { name: 'Deployments' }).textContent;
  expect(total).toContain(reason);
  expect(total).not.toContain('0 succeeded');
  const days = within(screen.getByRole('table', { name: /Deployments to production/ })).getAllByRole('row');
  // The window begins within its first day and ends within today.
  expect(days.slice(-2).map((day) => within(day).getByRole('rowheader').textContent)).toEqual([
    '15 Nov 2026 (partial, from 10:00)',
    '16 Nov 2026 (partial)',
  ]);
  expect(
    days.slice(-2).map((day) =>
      within(day)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['no data', 'no data', 'no data'],
    ['0', '0', '0'],
  ]);
});

test('a change is coloured by what is better', () => {
  const measured = {
    ...unknown,
    total: 40,
    success: 30,
    failed: 10,
    inconclusive: 0,
    deploys_per_day: 1,
    failure_rate_pct: 25,
    mttr_hours: 1,
    mttr_samples: 10,
  };
  const before = {
    finished: 40,
    failed: 20,
    deploys_per_day: 2,
    change_failure_rate_pct: 50,
    mttr_hours: 2,
    mttr_samples: 20,
    deploys_per_day_verdict: 'lower',
    change_failure_rate_verdict: 'lower',
    time_to_restore_verdict: 'lower',
  } as const;
  drawInRoot(
    <DeploymentFigures
      data={{ ...data, successful: 30, failed: 10, by_environment: [measured], period_before: before }}
      search=""
      repository={{ owner: 'octo', repo: 'web' }}
    />,
    page,
  );
  const colours = ['Deployment frequency', 'Change failure rate', 'Time to restore'].map((name) =>
    ['red', 'emerald', 'void'].find((colour) =>
      screen.getByRole('article', { name }).querySelector(`.change .text-${colour}-600, .change .text-${colour}-500`),
    ),
  );
  expect(colours).toEqual(['red', 'emerald', 'emerald']);
});

test('so are those of the table, and they do not suffice to measure by', () => {
  drawInRoot(<EnvironmentTable data={data} search="" {...page} />, page);
  const [, row] = screen.getAllByRole('row');
  const cells = within(row as HTMLElement).getAllByRole('cell');
  expect(cells.slice(1, 6).map(({ textContent }) => textContent)).toEqual(Array(5).fill(`– ${reason}`));
  expect(hasEnough(data)).toBe(false);
});
