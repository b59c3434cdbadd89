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
  expect(document.body.textContent).toMatch(/25 of 25\srepositories synced\./);
});

test('names go without their owner where all have the same one', () => {
  const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  const both = result(2);
  drawInRoot(<HistoryPanel result={both} />, root);
  expect(names()).toEqual(['r1', 'r2']);
  expect(screen.getByRole('link', { name: 'r1' }).getAttribute('href')).toBe('/repos/octo/r1');
  document.body.replaceChildren();
  if (both.ok && both.data.repositories[1]) both.data.repositories[1].repo = 'many/r2';
  drawInRoot(<HistoryPanel result={both} />, root);
  expect(names()).toEqual(['octo/r1', 'many/r2']);
});

test('up to eight repositories have no more', () => {
  drawInRoot(<HistoryPanel result={result(8)} />, root);
  const panel = screen.getByRole('region', { name: 'CI by repository, 90 days' });
  expect(panel.querySelector('details')).toBeNull();
});
