// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Result, SyncOutcome } from '../../app/routes/reports/sync-outcome.tsx';
import { SyncRunning } from '../../app/routes/reports/sync-running.tsx';

const one = (more: Partial<Result['results'][number]> = {}): Result['results'][number] => ({
  repo: 'octo/web',
  status: 'partial',
  synced: 0,
  unread_runs: 0,
  total_in_db: 200,
  latest_run_id: 1,
  alerts_fired: 0,
  synced_through: null,
  ...more,
});

const answer = (partial: boolean, result = one()): Result => ({
  ok: true,
  partial,
  repos_total: 1,
  repos_synced: 1,
  repos_failed: 0,
  repos_skipped: 0,
  repos_remaining: 0,
  repos_left_out: 0,
  runs_upserted: result.synced,
  alerts_fired: 0,
  duration_ms: 1500,
  results: [result],
});

const outcome = (result: Result, background: 'none' | 'going' = 'none') => (
  <SyncOutcome
    result={result}
    background={background}
    csrf="c"
    hidden={{ owner: 'octo', repo: 'web' }}
    now={0}
    zone="UTC"
  />
);

test('there is a button while anything is left, and none after', () => {
  const { rerender } = render(outcome(answer(true)));
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
  rerender(outcome(answer(false, one({ status: 'ok' }))));
  expect(screen.queryByRole('button')).toBeNull();
});

test('what is read in the background is left to the service', () => {
  render(outcome(answer(true), 'going'));
  expect(screen.getByRole('status').textContent).toContain('It continues in the background');
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  ['locked', 'Already running: 1 repository.'],
  ['error', 'Failed: 1 repository.'],
] as const)('is not done while a row is %s', (status, text) => {
  const { container } = render(outcome(answer(false, one({ status }))));
  expect(container.textContent).not.toContain('Done.');
  expect(container.textContent).toContain(text);
});

test('while it runs the page says how many are done, which are read and which is next', () => {
  const steps = { total: 12, done: 3, current: ['octo/web', 'octo/api'], next: 'octo/tide' };
  render(<SyncRunning steps={steps} here="/reports" />);
  expect(screen.getByRole('note').textContent).toMatch(
    /^Syncing\. 3 of 12 repositories done\. Now: octo\/web, octo\/api; next: octo\/tide\./,
  );
  expect(screen.getByRole('link', { name: 'Refresh' }).getAttribute('href')).toBe('/reports');
});

test('says how many repositories no further press would read', () => {
  const done = answer(false, one({ status: 'ok' }));
  const { container, rerender } = render(outcome({ ...done, repos_left_out: 150 }));
  expect(container.textContent).toMatch(/150.more repositories not synced: choose an organization or a repository\./);
  rerender(outcome(done));
  expect(container.textContent).not.toContain('more repositor');
});

test('is no success where not all repositories could be listed', () => {
  const done = answer(false, one({ status: 'ok' }));
  const { container, rerender } = render(outcome(done));
  expect(container.querySelector('.notice.done')).not.toBeNull();
  rerender(outcome({ ...done, repos_left_out: null }));
  expect(container.textContent).toContain('Not all repositories could be listed.');
  expect(container.querySelector('.notice.done')).toBeNull();
  expect(container.textContent).not.toContain('Sync is incomplete.');
});
