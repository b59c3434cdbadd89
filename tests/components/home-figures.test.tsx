// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FiguresPanel } from '../../app/routes/home/figures.tsx';
import type { Overview } from '../../app/routes/home/overview.tsx';
import { drawInRoot } from './in-root.tsx';

const root = { now: Date.UTC(2026, 10, 24, 12), zone: 'UTC', base: '', pages: [] };
const whole = { coverage: { complete: true, expected: 2, read: 2, cap: null, reasons: [] }, repositories: [] };
const part = { coverage: { complete: false, expected: 9, read: 2, cap: null, reasons: [] }, repositories: [] };
const none = { coverage: { complete: false, expected: 9, read: 0, cap: null, reasons: [] }, repositories: [] };

const dates = Array.from({ length: 90 }, (_, index) =>
  new Date(Date.UTC(2026, 7, 27 + index)).toISOString().slice(0, 10),
);
const unmerged = { prs_merged: null, median_hours_to_merge: null };

/** The text of a card of an organization that is stored since 3 October and was synchronized an hour ago. */
function readCard(name: string, { figures, ...parts }: Partial<Omit<Overview, 'figures'>> & { figures?: object } = {}) {
  document.body.replaceChildren();
  const data = {
    org: 'octo',
    range: '30',
    compare: 'previous',
    window: { from: '2026-10-25T12:00:00Z', to: '2026-11-24T12:00:00Z' },
    comparison: null,
    figures: {
      failure_rate: 25,
      failed_runs: 3,
      failure_rate_sample: 12,
      failure_rate_change: null,
      median_ms: 60_000,
      duration_sample: 12,
      change_pct: null,
      prs_merged: 4,
      prs_merged_before: null,
      median_hours_to_merge: 5,
      median_hours_to_merge_before: null,
      merge_sample: 4,
      merge_sample_before: null,
      repos_with_pull_requests: 2,
      ...figures,
    },
    dates,
    failure_rates: dates.map((_, index) => index),
    duration_days: [],
    merge_days: [],
    timezone: 'UTC',
    comparable: true,
    repos_included: 2,
    repos_visible: 9,
    synced_from: '2026-10-03T05:00:00Z',
    synced_through: '2026-11-24T11:00:00Z',
    runs: part,
    pull_requests: part,
    pull_requests_from: '2026-10-03T05:00:00Z',
    pull_requests_through: '2026-11-24T11:00:00Z',
    partial_reasons: [],
    ...parts,
  };
  drawInRoot(<FiguresPanel result={{ ok: true, data } as never} />, root);
  return screen.getByRole('article', { name }).textContent?.replaceAll('\u00a0', ' ') ?? '';
}

test('figures of runs say of how many repositories they are, as those of pull requests do', () => {
  for (const name of ['Failure rate', 'Median run duration', 'Merged pull requests', 'Median time to merge'])
    expect(readCard(name)).toContain('Covers 2 of 9 repositories');
  expect(readCard('Failure rate', { runs: whole as never })).not.toContain('Covers');
  expect(readCard('Failure rate', { partial_reasons: ['runs_begin_missing'] })).toContain(
    'Not every run of this range is stored yet.',
  );
});

test('why there are no merged pull requests is said as it is', () => {
  const why = (parts: object) =>
    readCard('Merged pull requests', { pull_requests: none as never, figures: unmerged, ...parts });
  const window = { from: '2026-08-26T12:00:00Z', to: '2026-11-24T12:00:00Z' };
  expect(why({ window })).toContain('Stored since 3 Oct 2026.');
  expect(why({ window: { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' } })).toContain('Stored since 3 Oct');
  expect(why({ pull_requests_from: null, pull_requests_through: null })).toContain(
    'Not read yet: the nightly job or the page Team reads them.',
  );
  expect(why({ pull_requests_from: null })).toContain('Too many pull requests to read.');
  expect(why({ pull_requests_through: '2026-10-20T11:00:00Z' })).toContain('Not read since 20 Oct 2026, 11:00.');
});

test('of a range before all stored runs it is said since when they are stored, and nothing of coverage', () => {
  const window = { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' };
  const figures = { failed_runs: null, failure_rate: null, failure_rate_sample: 0 };
  const card = readCard('Failure rate', { window, figures, partial_reasons: ['runs_begin_missing'] });
  expect(card).toContain('Stored since 3 Oct 2026.');
  expect(card).not.toContain('Covers');
});

test('the spark line is of the days of the range, and of no others', () => {
  const to = '2026-11-24T12:00:00Z';
  const draw = (from: string, end = to) => {
    readCard('Failure rate', { window: { from, to: end } });
    return screen.queryByRole('img')?.textContent?.replaceAll('\u00a0', ' ') ?? null;
  };
  expect(draw('2026-11-17T12:00:00Z')).toMatch(/^Failure rate per day, 17 Nov 2026 to 24 Nov 2026: lowest 82 %/);
  expect(draw('2026-10-25T12:00:00Z')).toMatch(/^Failure rate per day, 25 Oct 2026 to 24 Nov 2026: lowest 59 %/);
  // Ninety times 24 hours begin within the day before the first of ninety.
  expect(draw('2026-08-26T12:00:00Z')).toMatch(/^Failure rate per day, 27 Aug 2026 to 24 Nov 2026: lowest 0 %/);
  expect(draw('2026-11-02T00:00:00Z', '2026-11-04T23:59:59.999Z')).toMatch(/2 Nov 2026 to 4 Nov 2026: lowest 67 %/);
  expect(draw('2026-08-01T00:00:00Z')).toBeNull();
  expect(draw('2025-08-01T00:00:00Z', '2025-09-01T00:00:00Z')).toBeNull();
});

test('merges and their time have a spark line of the whole days that were read, gaps left open', () => {
  const days = [
    [9, 3, true],
    [2, 6, false],
    [0, null, false],
    [4, 12, false],
    [1, 8, false],
    [null, null, false],
    [1, 1, true],
  ] as const;
  const merge_days = days.map(([merged, hours, partial], index) => ({
    date: `2026-11-${18 + index}`,
    merged,
    median_hours_to_merge: hours,
    partial,
  }));
  const draw = (name: string, shown = merge_days) => {
    readCard(name, { merge_days: shown });
    return within(screen.getByRole('article', { name })).queryByRole('img');
  };
  const text = (one: Element | null) => one?.textContent?.replaceAll('\u00a0', ' ') ?? null;
  expect(text(draw('Merged pull requests'))).toBe(
    'Merges per day, 19 Nov 2026 to 23 Nov 2026: lowest 0, highest 4, last 1',
  );
  const hours = draw('Median time to merge');
  expect(text(hours)).toBe(
    'Median time to merge per day, 19 Nov 2026 to 23 Nov 2026: lowest 6 h, highest 12 h, last 8 h',
  );
  // The day without a merge ends the line: nothing is drawn down to zero.
  expect(hours?.querySelector('path')?.getAttribute('d')?.match(/M/g)).toHaveLength(2);
  expect(draw('Median time to merge', merge_days.slice(0, 4))).toBeNull();
});

test('why there is no comparison is said', () => {
  const runs = (parts: object) => readCard('Failure rate', parts);
  expect(runs({})).toContain('No comparison: fewer than 10 runs');
  expect(runs({ comparable: false })).toContain('No comparison: not all data of both periods is stored');
  expect(runs({ compare: 'off' })).not.toContain('No comparison');
  const merges = (figures: object) => readCard('Median time to merge', { figures });
  expect(merges({})).toContain('No comparison: not all data of both periods is stored');
  const before = { prs_merged_before: 6, median_hours_to_merge_before: 10, merge_sample_before: 6 };
  expect(merges(before)).toContain('No comparison: fewer than 5 merges');
  expect(merges({ ...before, merge_sample: 5 })).toContain('−50 % against the previous period');
  expect(readCard('Merged pull requests', { figures: { prs_merged_before: 0 } })).toContain(
    'No comparison: fewer than 5 merges',
  );
  const lastYear = (figures: object) => readCard('Merged pull requests', { compare: 'year', figures });
  expect(lastYear({ prs_merged: 4, prs_merged_before: 5 })).toContain('fewer than 5 merges');
  expect(lastYear({ prs_merged: 10, prs_merged_before: 5 })).toContain('+100 % against the same period last year');
});
