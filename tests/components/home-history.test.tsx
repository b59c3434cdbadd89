// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HistoryPanel } from '../../app/routes/home/overview.tsx';
import { drawInRoot } from './in-root.tsx';

const root = { now: Date.UTC(2026, 10, 24, 12), zone: 'UTC', base: '', pages: [] };

const result = (many: number) =>
  ({
    ok: true,
    data: {
      org: 'octo',
      repos_included: many,
      repos_visible: many,
      partial_reasons: [],
      repositories: Array.from({ length: many }, (_, index) => ({
        repo: `octo/r${index + 1}`,
        days: [{ passed: 1, failed: 0 }],
        failure_rate: 0,
        passed: 1,
        failed: 0,
        runs: 1,
      })),
    },
  }) as unknown as Parameters<typeof HistoryPanel>[0]['result'];

test('eight repositories are shown at once, twelve more on demand, and of the others it says that they exist', () => {
  drawInRoot(<HistoryPanel result={result(25)} />, root);
  const first = screen.getByRole('table', { name: 'CI by repository, 90 days' });
  expect(within(first).getAllByRole('rowheader')).toHaveLength(8);
  const more = screen.getByText('12 more').closest('details');
  expect(more?.querySelectorAll('tbody tr')).toHaveLength(12);
  expect(document.body.textContent).toContain('8 of 25 repositories');
});

test('up to eight repositories have no more', () => {
  drawInRoot(<HistoryPanel result={result(8)} />, root);
  const panel = screen.getByRole('region', { name: 'CI by repository, 90 days' });
  expect(panel.querySelector('details')).toBeNull();
});
