// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Result } from '../../app/routes/repo/advisor/result.tsx';
import { drawInRoot } from './in-root.tsx';

type Data = Parameters<typeof Result>[0]['data'];

const measuredAs = (low: number, mid: number, high: number): Data => ({
  verdict: {
    owner: 'octo',
    repo: 'web',
    id: 'a',
    kind: 'ADV-01',
    title: 'Cancel superseded runs',
    workflow_path: '.github/workflows/ci.yml',
    applied_by: 'pull_request',
    pull_request: { number: 7, html_url: '#' },
    commit: null,
    together_with: [],
    merged_at: '2026-10-16T10:00:00.000Z',
    promise: null,
    measured: { low, mid, high, level: 98 },
    state: 'measured',
    next_look: null,
    reason: null,
    sentence: 'Measured.',
    href: '/repos/octo/web/advisor/a',
    merge_commit: null,
    unit_label: 'runs',
    before: null,
    after: null,
    strata: [],
    looks: [],
    weeks: [],
    drift: null,
    lost_since: null,
  },
  runs: [],
  truncated: false,
  generated_at: '2026-11-16T10:00:00.000Z',
  data_source: 'database',
});

test.each([
  ['a gain', measuredAs(1, 5, 9), '5 % fewer'],
  ['a loss', measuredAs(-9, -5.2, -1), '5.2 % more'],
])('%s is said in words, without a sign', async (_what, data, text) => {
  drawInRoot(<Result data={data} />, { now: 0, zone: 'UTC', base: '' });
  expect((await screen.findByRole('link', { name: /%/ })).textContent).toBe(text);
});

test('what is left of a gain stands there week by week, the newest first', async () => {
  const { verdict, ...rest } = measuredAs(1, 5, 9);
  const weeks = [
    { at: '2026-11-02T00:00:00.000Z', units: 61, delta_pct: 17.4, low: 12, high: 21 },
    { at: '2026-11-09T00:00:00.000Z', units: 58, delta_pct: 2.1, low: -3, high: 6.5 },
    { at: '2026-11-16T00:00:00.000Z', units: null, delta_pct: null, low: null, high: null },
  ];
  drawInRoot(<Result data={{ verdict: { ...verdict, weeks }, ...rest }} />, { now: 0, zone: 'UTC', base: '' });
  const table = await screen.findByRole('table', { name: 'Newest weeks of the gain, two weeks each' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/16 Nov.*Not measured/),
    expect.stringMatching(/9 Nov.*58.*2\.1 %.*3 to 6\.5 % \(98 %\)/),
    expect.stringMatching(/2 Nov.*61.*17\.4 %/),
  ]);
});
