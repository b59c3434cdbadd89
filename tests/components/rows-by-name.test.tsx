// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { pageRows } from '../../app/components/row-pages.ts';
import { WorkflowTable } from '../../app/routes/ci/table.tsx';
import type { Ci, CiWorkflow } from '../../app/routes/ci/views.ts';
import { RepositoryTable as DeploymentTable } from '../../app/routes/deployments/table.tsx';
import { OrganizationTable } from '../../app/routes/org/organization-table.tsx';
import { RepositoryTable as PullRequestTable } from '../../app/routes/pull-requests/table.tsx';
import { TeamRepositories } from '../../app/routes/team/repositories-table.tsx';
import { drawInRoot } from './in-root.tsx';

afterEach(cleanup);

const root = { now: Date.UTC(2026, 10, 24, 12), zone: 'UTC', base: '' };
const place = { search: '?org=octo', section: 'rows' };
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('fifty rows are a page, and an address beyond the last shows the last', () => {
  expect(pageRows(numbers(1, 50), place)).toEqual({ rows: numbers(1, 50), pages: null });
  expect(pageRows([], place)).toEqual({ rows: [], pages: null });
  const all = numbers(1, 101);
  const at = (page: string) => pageRows(all, { ...place, search: `?org=octo&page=${encodeURIComponent(page)}` });
  const first = {
    rows: numbers(1, 50),
    pages: { from: 1, to: 50, total: 101, previousHref: null, nextHref: '?org=octo&page=2#rows' },
  };
  for (const page of ['', '1', '0', '-1', 'x', '1e2', '2.5', "'", '9'.repeat(30)])
    expect(at(page), page).toEqual(first);
  expect(at('2')).toEqual({
    rows: numbers(51, 100),
    pages: { from: 51, to: 100, total: 101, previousHref: '?org=octo#rows', nextHref: '?org=octo&page=3#rows' },
  });
  const last = {
    rows: [101],
    pages: { from: 101, to: 101, total: 101, previousHref: '?org=octo&page=2#rows', nextHref: null },
  };
  expect(at('3')).toEqual(last);
  expect(at('999999')).toEqual(last);
});

const workflows = numbers(1, 120).map(
  (id) =>
    ({
      repo: `octo/${id > 100 ? 'api' : 'web'}`,
      workflow_id: id,
      workflow: id > 1 ? `W${id}` : null,
      runs: 20,
    }) as CiWorkflow,
);
const draw = (search: string) =>
  drawInRoot(
    <WorkflowTable
      data={{ org: 'octo', repo: null, range: '30', compare: 'off', sort: 'runs', direction: 'desc', workflows } as Ci}
      view="all"
      showsCost={false}
      search={search}
    />,
    root,
  );
const getNames = () => screen.queryAllByRole('rowheader').map(({ textContent }) => textContent);
const getFile = () => screen.getByRole('link', { name: 'CSV' }).getAttribute('href');

test('two hundred workflows are turned over, and their file has all of them', () => {
  draw('?page=3');
  expect(getNames()).toHaveLength(20);
  expect(screen.getByRole('navigation', { name: 'Pages of workflows' }).textContent).toBe(
    '101–120 of 120 workflowsPrevious',
  );
  expect(getFile()).toBe('/api/db/workflows?range=30&compare=off&sort=runs&direction=desc&format=csv&org=octo');
});

test('a name finds workflows and repositories, and says what it is not applied to', () => {
  draw('?q=+API+&page=9');
  expect(getNames()).toHaveLength(20);
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toContain(
    '20 of 120 workflows. Figures above are of all.',
  );
  expect(screen.getByRole('searchbox', { name: 'Name' })).toHaveProperty('value', 'API');
  expect(document.querySelector('form')?.getAttribute('action')).toBe('#rows');
  expect(getFile()).toContain('&q=API&');
  cleanup();
  draw('?q=workflow+1');
  expect(getNames()).toEqual(['Workflow 1octo/web']);
});

test('what nothing is called is said, as text, with the way back', () => {
  draw(`?${new URLSearchParams({ q: '<img src=x onerror=alert(1)>', sort: 'p90' })}`);
  expect(getNames()).toEqual([]);
  expect(document.querySelector('img')).toBeNull();
  expect(document.body.textContent).toContain('No workflows match “<img src=x onerror=alert(1)>”.');
  expect(screen.getByRole('link', { name: 'Clear filter' }).getAttribute('href')).toBe('?sort=p90#rows');
});

describe('repositories are found by name, and keep their order', () => {
  const names = ['octo/web', 'octo/api', 'octo/web-app'];
  const named = names.map((repo) => ({ repo, reason: null, included: true, as_of: null, prs_merged: 1 }));
  const summary = { health: {}, recent: [], trend_30d: [] };
  const tables: Record<string, (search: string) => ReactNode> = {
    'pull requests': (search) => (
      <PullRequestTable data={{ org: 'octo', repositories: named } as never} search={search} />
    ),
    deployments: (search) => <DeploymentTable data={{ org: 'octo', repositories: named } as never} search={search} />,
    organization: (search) => {
      const repos = names.map((name, id) => ({ repo: { id, name, full_name: name }, summary }));
      return <OrganizationTable data={{ org: 'octo', repos, repos_failed: names } as never} base="" search={search} />;
    },
    team: () => <TeamRepositories data={{ window_days: 30, repositories: named } as never} org="octo" base="/demo" />,
  };

  test.each(Object.keys(tables))('of %s', (table) => {
    drawInRoot(tables[table]?.('?q=+WEB+'), root, '/?q=+WEB+');
    expect(getNames().map((name) => name?.match(/^octo\/web(-app)?/)?.[0])).toEqual(['octo/web', 'octo/web-app']);
    expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toContain('2 of 3 repositories.');
    expect(document.querySelector('form')?.getAttribute('action')).toBe('#repositories');
    cleanup();
    drawInRoot(tables[table]?.('?q=none'), root, '/?q=none');
    expect(screen.getByRole('link', { name: 'Clear filter' }).getAttribute('href')).toContain('#repositories');
  });
});
