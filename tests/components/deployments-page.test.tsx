// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Answer } from '../../app/routes/deployments/answer.tsx';
import { OutcomeBars } from '../../app/routes/deployments/bars.tsx';
import { Cards } from '../../app/routes/deployments/cards.tsx';
import { DeploymentDays } from '../../app/routes/deployments/days.tsx';
import type { Deployments } from '../../app/routes/deployments/page.tsx';
import { RepositoryTable } from '../../app/routes/deployments/table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const figures = {
  deployments: 4,
  deploys_per_day: null,
  finished: null,
  failed: null,
  change_failure_rate_pct: null,
  time_to_restore_hours: null,
  restore_sample: 0,
};
const row = { ...figures, environment: 'production', failing_since: null, as_of: '2026-11-16T10:00:00Z' };
const toData = (totals: object, more: object = {}) =>
  ({
    org: null,
    totals: { ...figures, ...totals },
    totals_before: null,
    verdicts: {},
    failing: 0,
    days: [],
    timezone: 'UTC',
    repositories: [],
    repos_included: 2,
    covered: { coverage: { read: 2, expected: 2 } },
    partial: false,
    ...more,
  }) as unknown as Deployments;
const outcomes = ['Deployment frequency', 'Change failure rate', 'Median time to restore'];

test.each([
  [{}, 'Deployment statuses could not be loaded.'],
  [{ finished: 0, failed: 0 }, 'None succeeded or failed yet.'],
  [{ deployments: 0, finished: 0, failed: 0 }, 'Nothing was deployed.'],
])('figures without an outcome say why: %j', (totals, reason) => {
  drawInRoot(<Cards data={toData(totals)} />, page);
  for (const name of outcomes) expect(screen.getByRole('article', { name }).textContent).toContain(`–${reason}`);
});

test('so do those of the table', () => {
  const data = toData({}, { repositories: [{ ...row, repo: 'octo/web' }] });
  drawInRoot(<RepositoryTable data={data} search="" />, page);
  expect(screen.getByRole('table').textContent).toContain('Deployment statuses could not be loaded.');
});

test('nothing is called failing only where nothing is unknown', () => {
  const { container, unmount } = drawInRoot(<Answer data={toData({}, { partial: true })} />, page);
  expect(container.textContent).toBe('None is known to be failing. ');
  unmount();
  expect(drawInRoot(<Answer data={toData({})} />, page).container.textContent).toBe('Nothing is failing now. ');
});

test('bars count what could not be read', () => {
  const read = { ...row, finished: 3, failed: 1 };
  const repositories = [
    { ...read, repo: 'octo/web' },
    { ...row, repo: 'octo/api' },
    { ...read, repo: 'octo/quiet', deployments: 0, finished: 0, failed: 0 },
  ];
  drawInRoot(<OutcomeBars data={toData({}, { repositories })} />, page);
  expect(screen.getByText('1 of 2, 1 not fully read')).toBeTruthy();
});

test('days of which something is not known are no calm days', () => {
  const known = { deployments: 3, success: 1, failed: 1, partial: false };
  const days = [
    { ...known, date: '2026-11-13' },
    { ...known, date: '2026-11-14', success: null, failed: null },
    { ...known, date: '2026-11-15', deployments: null, success: null, failed: null },
    { ...known, date: '2026-11-16', partial: true },
  ];
  drawInRoot(<DeploymentDays data={toData({}, { days })} />, page);
  const rows = screen.getAllByRole('row').map((one) => [...one.children].map(({ textContent }) => textContent));
  const unknown = ['no data', 'no data', 'no data'];
  expect(rows).toEqual([
    ['Day', 'failed', 'succeeded', 'in progress'],
    ['13 Nov 2026', '1', '1', '1'],
    ['14 Nov 2026', ...unknown],
    ['15 Nov 2026', ...unknown],
    ['16 Nov 2026 (partial)', '1', '1', '1'],
  ]);
});

test('days have those of the 30 days before beside them, where any of them is known', () => {
  const known = { deployments: 3, success: 2, failed: 1, partial: false };
  const days = [
    { ...known, date: '2026-11-14' },
    { ...known, date: '2026-11-15' },
    { ...known, date: '2026-11-16' },
  ];
  const before = [
    { ...known, date: '2026-10-15', deployments: 5 },
    { ...known, date: '2026-10-16', deployments: null },
    { ...known, date: '2026-10-17', deployments: 0 },
  ];
  const { unmount } = drawInRoot(<DeploymentDays data={toData({}, { days, days_before: before })} />, page);
  const cells = screen.getAllByRole('row').map(({ lastChild }) => lastChild?.textContent);
  expect(cells).toEqual(['previous 30 days', '5', '–', '0']);
  unmount();
  const quiet = before.map((day) => ({ ...day, deployments: 0 }));
  drawInRoot(<DeploymentDays data={toData({}, { days, days_before: quiet })} />, page);
  expect(screen.queryByText('previous 30 days')).toBeNull();
});
