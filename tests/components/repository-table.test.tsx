// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { RepositoryTable } from '../../app/routes/tables/repository-table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const summary = {
  open_prs: 3,
  head_status: null,
  latest_run_at: null,
  health: { label: 'unknown', score: null, sample: 0 },
  success_rate: null,
  success_rate_sample: 0,
  recent_runs: [],
  trend_30d: [],
};
const row = {
  repository: { id: 1, full_name: 'octo/web', private: false, fork: false, language: null, description: null },
  attention: { level: 'active', reason: 'Last push within a day.' },
  summary,
  head_read: true,
  problem: null,
};
const lost = (error: string) => ({ code: 'upstream_unavailable', error });

function show(own: object, headsRead: number, others: object[] = []): string {
  const items = [{ ...row, ...own }, ...others];
  const data = { items, total: items.length, heads_read: headsRead, durations_known: 0 };
  drawInRoot(<RepositoryTable data={data as never} base="" csvHref="/csv" filtered={false} />, page);
  return document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';
}

test.each([
  [{ problem: lost('GitHub did not return status and counts of this repository.') }, 'did not return status'],
  [{}, 'Not loaded.'],
  [{ summary: null, problem: lost('The token is denied.') }, 'The token is denied.'],
])('a repository whose checks were not read is not called active: %j', (own, reason) => {
  const text = show({ ...own, head_read: false }, 0);
  expect(text).toContain('not read');
  expect(text).not.toContain('active');
  expect(text).toContain(reason);
  expect(text).toContain('Checks of the default branch known for 0 of 1 repository.');
});

test('one whose checks were read is, and says what else is missing', () => {
  const text = show({ problem: lost('GitHub did not return issues of this repository.') }, 1);
  expect(text).toContain('active');
  expect(text).toContain('did not return issues');
  expect(text).not.toMatch(/not read|Checks of the default branch known/);
});

test('a reason that every row has is left to the note above', () => {
  const own = { head_read: false, problem: lost('GitHub did not return status and counts of this repository.') };
  const other = { ...row, ...own, repository: { ...row.repository, id: 2, full_name: 'octo/api' } };
  expect(show(own, 0, [other])).not.toContain('did not return');
  expect(show(own, 0, [{ ...other, problem: null, head_read: true }])).toContain('did not return');
});
