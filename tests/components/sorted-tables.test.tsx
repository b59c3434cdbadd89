// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { KindTable, ProductTable, RepositoryTable } from '../../app/routes/cost/tables.tsx';
import { OrganizationTable } from '../../app/routes/org/organization-table.tsx';
import type { Environment } from '../../app/routes/repo/deployments.tsx';
import { EnvironmentTable } from '../../app/routes/repo/deployments-tables.tsx';
import type { WorkflowOverview } from '../../app/routes/repo/panels.ts';
import { Knowledge } from '../../app/routes/repo/team/knowledge.tsx';
import { JobTable, StepTable } from '../../app/routes/repo/workflow/job-tables.tsx';
import { WorkflowTable } from '../../app/routes/repo/workflow-table.tsx';
import { Rules } from '../../app/routes/security/rules.tsx';
import { TeamRepositories } from '../../app/routes/team/repositories-table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };

const readNames = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent?.trim());
const captions = () => screen.getAllByRole('caption').map(({ textContent }) => textContent);
const findHead = (name: string) => screen.getByRole('columnheader', { name });
const getHref = (name: string) => within(findHead(name)).getByRole('link').getAttribute('href');

afterEach(cleanup);

describe('jobs and steps', () => {
  const times = { queue_p50_ms: null, sample: 30, runs: 30 };
  const jobs = [
    { name: 'build', p50_ms: 9_000, p90_ms: 10_000, failure: 0, ...times },
    { name: 'test', p50_ms: 8_000, p90_ms: 30_000, failure: 4, ...times },
    { name: 'lint', p50_ms: null, p90_ms: null, failure: 1, ...times },
  ];
  const steps = Array.from({ length: 12 }, (_, index) => ({
    job: 'build',
    step: `step ${index}`,
    number: index,
    p50_ms: 12_000 - index,
    p90_ms: 20_000,
    failure: index,
    ...times,
  }));
  const data = { jobs, steps } as never;

  test('of a workflow are as they were answered until somebody sorts', () => {
    drawInRoot(<JobTable data={data} search="?tab=performance" csvHref="/csv" />, page);
    expect(readNames()).toEqual(['build', 'test', 'lint']);
    expect(getHref('Failed')).toBe('?tab=performance&job-times=failed-desc#job-times');
  });

  test.each([
    ['failed-desc', ['test', 'lint', 'build']],
    ['p90-desc', ['test', 'build', 'lint']],
    ['p90-asc', ['build', 'test', 'lint']],
    ['job-asc', ['build', 'lint', 'test']],
  ])('jobs by %s', (order, expected) => {
    drawInRoot(<JobTable data={data} search={`?job-times=${order}`} csvHref="/csv" />, page);
    expect(readNames()).toEqual(expected);
  });

  test('the steps that are shown are the first of all in the order that is asked for', () => {
    drawInRoot(<StepTable data={data} search="?step-times=failed-desc" csvHref="/csv" />, page);
    expect(readNames()).toHaveLength(10);
    expect(readNames()[0]).toContain('step 11');
    expect(screen.getByRole('table', { name: 'Steps by failures' })).toBeTruthy();
    expect(findHead('Failed').getAttribute('aria-sort')).toBe('descending');
  });

  test('without an order the ten slowest are named so', () => {
    drawInRoot(<StepTable data={data} search="?job-times=failed-desc" csvHref="/csv" />, page);
    expect(screen.getByRole('table', { name: 'The ten slowest steps' })).toBeTruthy();
    expect(readNames()[0]).toContain('step 0');
  });
});

test('environments are sorted, and the row of all others stays the last', () => {
  const row = (environment: string, success: number, failed: number, is_rest = false) =>
    ({ environment, is_rest, success, failed, failure_rate_pct: failed, total: success + failed }) as Environment;
  const by_environment = [row('production', 9, 1), row('staging', 1, 9), row('qa', 5, 5), row('others', 0, 90, true)];
  drawInRoot(<EnvironmentTable data={{ by_environment } as never} search="?environments=rate-desc" />, page);
  expect(readNames()).toEqual(['staging', 'qa', 'production', 'others']);
  expect(captions()).toEqual(['Environments by failure rate']);
  cleanup();
  drawInRoot(<EnvironmentTable data={{ by_environment } as never} search="" />, page);
  expect(captions()).toEqual(['Environments, production first, then the busiest']);
});

test.each([
  ['', 3, 'Repositories, latest activity first'],
  ['?repositories=runs-desc', 2, 'Repositories by runs'],
  ['?repositories=runs-desc', 3, 'Repositories by runs, of those with the latest activity'],
])('repositories are read out in the order that they have: %s of %i', (search, total_repos, expected) => {
  const row = (id: number, runs_30d: number) => ({
    repo: { id, name: `repo-${id}`, full_name: `octo/repo-${id}` },
    runs_30d,
    workflow_count: 1,
  });
  const data = { org: 'octo', limit: 2, total_repos, repos: [row(1, 4), row(2, 9)] };
  const repos_failed = ['octo/repo-1', 'octo/repo-2'];
  drawInRoot(<OrganizationTable data={{ ...data, repos_failed } as never} base="" search={search} />, page);
  expect(captions()).toEqual([expected]);
});

test('workflows are sorted, the ones that run longest first', () => {
  const flaky = { rate_pct: null, flaky_commits: 0, reruns_fixed: 0, sample: 0 };
  const row = (id: number, name: string, duration_ms: number | null) => ({
    id,
    name,
    path: `${name}.yml`,
    state: 'active',
    partial: true,
    flaky,
    dur_points: duration_ms === null ? [] : [{ duration_ms }],
    summary: { latest_run_at: null },
  });
  const rows = [row(1, 'a', 1_000), row(2, 'b', null), row(3, 'c', 9_000)] as unknown as WorkflowOverview[];
  drawInRoot(<WorkflowTable figures={[]} rows={rows} here="/repos/octo/web" search="?workflows=duration-desc" />, page);
  expect(readNames().map((name) => name?.[0])).toEqual(['c', 'a', 'b']);
});

describe('the bill', () => {
  const amounts = (net: number) => ({ gross_amount: 2 * net, discount_amount: net, net_amount: net });
  const skus = ['a', 'b'].map((sku, index) => ({
    ...amounts(2 - index),
    sku,
    label: `SKU ${sku}`,
    product: 'actions',
    minutes: index === 0 ? null : 5,
    quantity: 1,
    unit_type: 'Minutes',
    price_per_unit: 0.1,
  }));
  const data = {
    by_repository: ['web', 'api'].map((repo, index) => ({ repo, minutes: index, ...amounts(2 - index) })),
    products: ['packages', 'actions'].map((product, index) => ({ product, ...amounts(2 - index) })),
  };
  const tables = {
    skus: [<KindTable key="skus" rows={skus as never} csvHref="/csv" />, 'net-asc', ['SKU b', 'SKU a'], 'SKUs'],
    repositories: [
      <RepositoryTable key="repositories" data={data as never} csvHref="/csv" />,
      'minutes-desc',
      ['api', 'web'],
      'Repositories',
    ],
    products: [
      <ProductTable key="products" data={data as never} csvHref="/csv" />,
      'product-asc',
      ['actions', 'packages'],
      'Products',
    ],
  } as const;

  test.each(Object.keys(tables) as (keyof typeof tables)[])('is sorted by link: %s', (section) => {
    const [table, order, expected, title] = tables[section];
    drawInRoot(table, page);
    expect(readNames()).toEqual([...expected].reverse());
    expect(captions()).toEqual([`${title}, most expensive first`]);
    cleanup();
    drawInRoot(table, page, `/?month=2026-10&${section}=${order}`);
    expect(readNames()).toEqual(expected);
    expect(getHref('Net')).toContain(`?month=2026-10&${section}=net-`);
  });
});

test('modules are sorted, and those that are shown are the first of all', () => {
  const modules = Array.from({ length: 12 }, (_, index) => ({
    module: `m${index}`,
    bus_factor: 1,
    unique_contributors: 2,
    risk: 'critical',
    contributors: [],
    total_commits: index,
  }));
  const data = {
    modules,
    modules_total: 12,
    total_commits: 9,
    excluded: { bots: 0, merges: 0 },
    outside_commits: [],
    coverage: { reasons: [] },
  };
  const table = <Knowledge result={{ ok: true, data } as never} base="" repository="octo/web" />;
  drawInRoot(table, page, '/?knowledge=commits-desc');
  expect(readNames()).toEqual(Array.from({ length: 10 }, (_, index) => `m${11 - index}`));
  expect(captions()).toEqual(['Modules by commits']);
  expect(screen.getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe(
    '?knowledge=commits-desc&modules=all#knowledge',
  );
});

test('rules are sorted, and stay open then', () => {
  const severities = ['critical', 'high', 'high', 'medium', 'low', 'info', 'low'];
  const rules = severities.map((severity, index) => ({
    value: `rule-${index}`,
    title: `Rule ${index}`,
    severity,
    source: 'workflow_files',
    subject: null,
    repos: index,
    oldest_open_days: null,
  }));
  const draw = (search: string) => drawInRoot(<Rules rules={rules as never} search={search} csvHref="/csv" />, page);
  draw('');
  expect(document.querySelector('details')?.open).toBe(false);
  cleanup();
  draw('?rules=severity-desc');
  expect(readNames().map((name) => name?.slice(0, 6))).toEqual([5, 4, 6, 3, 1, 2, 0].map((index) => `Rule ${index}`));
  expect(document.querySelector('details')?.open).toBe(true);
});

test('repositories of a team are sorted by what was merged', () => {
  const repositories = [1, 5, null].map((prs_merged, index) => ({
    repo: `repo-${index}`,
    reason: null,
    included: true,
    as_of: null,
    prs_merged,
  }));
  const table = <TeamRepositories data={{ window_days: 30, repositories } as never} org="octo" base="/demo" />;
  drawInRoot(table, page, '/?repositories=merged-desc');
  expect(readNames()).toEqual(['repo-1', 'repo-0', 'repo-2']);
  expect(captions()).toEqual(['Synced repositories, by merged pull requests']);
});
