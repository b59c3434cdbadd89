// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { BranchFilter } from '../../app/routes/repo/workflow/branch.tsx';
import type { Run } from '../../app/routes/repo/workflow/operations.ts';
import { RunTable } from '../../app/routes/repo/workflow/run-table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const withoutPages = { ...page, pages: [] as string[] };

const run = (id: number, login: string | null) =>
  ({
    id,
    run_number: id,
    display_title: 'Build',
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    run_attempt: 1,
    actor: login === null ? null : { login, avatar_url: '' },
    created_at: '2026-11-16T09:00:00Z',
    html_url: '#',
    anomalies: [],
    pull_requests: [],
  }) as unknown as Run;

function drawRuns(pages: readonly string[]) {
  const runs = [run(3, 'ann'), run(2, 'dependabot[bot]'), run(1, null)];
  const pageContext = { ...page, pages };
  drawInRoot(<RunTable runs={runs} repository="octo/web" selected={null} search="" />, pageContext);
}

afterEach(cleanup);

test('who caused a run leads to their profile; bots and deleted accounts have none', () => {
  drawRuns(['contributor/:login']);
  expect(screen.getByRole('link', { name: 'ann' }).getAttribute('href')).toBe('/contributor/ann?owner=octo');
  expect(screen.queryByRole('link', { name: 'dependabot[bot]' })).toBeNull();
  expect(screen.getByText('dependabot[bot]')).toBeTruthy();
  expect(screen.getByText('deleted account')).toBeTruthy();
});

test('where profiles may not be opened a name is no link', () => {
  drawRuns(['reports']);
  expect(screen.getByText('ann').getAttribute('href')).toBeNull();
});

test.each([
  ['?branch=~DEFAULT_BRANCH', 'Default branch: no runs among the newest 100.'],
  ['?branch=topic', 'Branch topic: no runs.'],
  ['', 'No runs yet.'],
])('no runs of what the address asks for: %s', (search, text) => {
  drawInRoot(<RunTable runs={[]} repository="octo/web" selected={null} search={search} />, withoutPages);
  expect(document.body.textContent).toContain(text);
});

test('another branch is shown without the run that was chosen', () => {
  const search = '?tab=runs&branch=topic&run=5007&attempt=1&sort=age-desc';
  const props = { repository: 'octo/web', selected: '5007', search };
  const drawn = (
    <>
      <BranchFilter search={search} />
      <RunTable runs={[]} {...props} />
    </>
  );
  drawInRoot(drawn, withoutPages);
  const links = ['All', 'Default', 'Clear', 'All branches'].map((name) =>
    screen.getByRole('link', { name }).getAttribute('href'),
  );
  const all = '?tab=runs&sort=age-desc';
  expect(links).toEqual([all, '?tab=runs&branch=%7EDEFAULT_BRANCH&sort=age-desc', `${all}#runs`, all]);
  const form = document.querySelector('form') as HTMLFormElement;
  expect(Object.fromEntries(new FormData(form))).toEqual({ tab: 'runs', sort: 'age-desc', branch: 'topic' });
});
