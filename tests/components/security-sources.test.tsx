// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SecurityAlerts } from '../../app/routes/repo/security-alerts.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const source = {
  status: 'ok',
  message: null,
  open_count: 0,
  fixed_last_90d: 1000,
  dismissed_last_90d: 4,
  mttr_days: 12,
  truncated: false,
  ended_truncated: false,
};

function show(own: object) {
  const dependabot = { ...source, ...own };
  const data = {
    sources: { dependabot, code_scanning: source, secret_scanning: source },
    total_open: dependabot.open_count,
    counts: null,
    oldest_open_days: null,
    needs_scope: false,
    partial: true,
  };
  drawInRoot(<SecurityAlerts data={data as never} evidence={(metric) => `/explain?metric=${metric}`} />, page);
  const row = screen.getAllByRole('row')[1] as HTMLElement;
  const cells = within(row).getAllByRole('cell');
  return {
    text: document.body.textContent?.replaceAll('\u00a0', ' ') ?? '',
    cells: cells.map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ')),
  };
}

test('ended alerts that were not all read make their own numbers partial, and no others', () => {
  const { text, cells } = show({ ended_truncated: true });
  expect(text).toMatch(/^\W*No open alertsBy source/);
  expect(cells).toEqual([
    'none openMore were fixed or dismissed.',
    '0',
    'at least 1,000',
    expect.stringContaining('≈ 12 d'),
    'at least 4',
  ]);
});

test('open alerts that were not all read make the open ones so', () => {
  const { text, cells } = show({ truncated: true, open_count: 0 });
  expect(text).toMatch(/^\W*No open alerts in the sources loaded/);
  expect(cells.map((cell) => cell?.includes('at least'))).toEqual([false, true, false, false, false]);
});
