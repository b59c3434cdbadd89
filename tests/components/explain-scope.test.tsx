// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { describe, expect, test } from 'vitest';
import ExplainPage from '../../app/routes/explain.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const notes = {
  partial: false,
  partialReason: null,
  stale: false,
  asOf: null,
  source: 'live',
  canonicalRepo: null,
  mayLackOrganizations: false,
};

const whole = { repo: 'octo/web', included: true, reason: null };
const cut = { repo: 'octo/api', included: true, reason: 'begin_missing' };
const absent = { repo: 'octo/old', included: false, reason: 'not_synced' };
const off = { repo: 'octo/new', included: false, reason: 'none_listed' };

interface Scoped {
  unit?: string;
  partial?: boolean;
  left_out?: { reason: string; count: number; items: [] }[];
}

function draw(repositories: (typeof whole | typeof cut)[], other: Scoped = {}) {
  const reasons = repositories.flatMap(({ reason }) => reason ?? []);
  const read = repositories.filter(({ included }) => included).length;
  const data = {
    label: 'Merged pull requests',
    definition: 'Pull requests merged.',
    value: 10,
    unit: 'count',
    sample: 10,
    part: null,
    source: 'merged pull requests',
    interval: null,
    window: null,
    partial: false,
    coverage: { complete: reasons.length === 0, expected: repositories.length, read, cap: null, reasons },
    counted: [],
    left_out: [],
    repositories,
    generated_at: '2026-11-16T10:00:00.000Z',
    ...other,
  };
  const props = { loaderData: { panels: { explained: { ok: true, data, notes } } } };
  drawInRoot(<ExplainPage {...(props as unknown as ComponentProps<typeof ExplainPage>)} />, page);
  return screen.getByRole('region', { name: 'Metric' }).textContent?.replaceAll('\u00a0', ' ') ?? '';
}

const listed = (name: string) =>
  within(screen.getByRole('region', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

describe('a number of a scope that is opened', () => {
  test('is as sure as its repositories are complete', () => {
    expect(draw([whole])).toContain('Value10Definition');
  });

  test.each([
    ['one is missing', [whole, absent], {}],
    ['one is incomplete', [whole, cut], {}],
    ['items are missing', [whole], { partial: true }],
  ])('is at least what is known where %s', (_, repositories, other) => {
    expect(draw(repositories, other)).toContain('Valueat least 10Definition');
  });

  test('is no floor where it is no count', () => {
    expect(draw([whole, absent], { unit: 'hours' })).not.toContain('at least');
  });

  test('is no floor where sources are off', () => {
    expect(draw([whole, off])).toContain('Value10Definition');
  });

  test('names incomplete repositories with the reason, beside those that are excluded', () => {
    const left_out = [{ reason: 'merged by a bot', count: 3, items: [] as [] }];
    expect(draw([whole, cut, absent], { left_out })).toContain('Excluded3, and 1 repository, and part of 1 repository');
    expect(listed('Incomplete repositories')).toEqual(['octo/apirange not fully synced']);
    expect(listed('Excluded repositories')).toEqual(['octo/oldnot synced']);
  });

  test('excludes nothing only where no repository is incomplete', () => {
    expect(draw([whole])).toContain('Excludednone');
    expect(screen.queryByRole('region', { name: 'Incomplete repositories' })).toBeNull();
  });

  test('excludes a part where repositories are incomplete and none is missing', () => {
    expect(draw([whole, cut])).toContain('Excludedpart of 1 repository');
  });
});
