// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { describe, expect, test } from 'vitest';
import { Cards } from '../../app/routes/ci/cards.tsx';
import { listColumns } from '../../app/routes/ci/columns.tsx';
import type { Ci, CiWorkflow } from '../../app/routes/ci/views.ts';
import ExplainPage from '../../app/routes/explain.tsx';
import { FiguresPanel } from '../../app/routes/home/figures.tsx';
import OrganizationPage from '../../app/routes/org/overview.tsx';
import type { Habits } from '../../app/routes/people/habits.tsx';
import { HabitsTable } from '../../app/routes/people/habits-table.tsx';
import { Headlines } from '../../app/routes/people/headlines.tsx';
import type { Profile } from '../../app/routes/people/profile.ts';
import type { Environment } from '../../app/routes/repo/deployments.tsx';
import { earlierDeployments } from '../../app/routes/repo/deployments-before.ts';
import { EnvironmentTable } from '../../app/routes/repo/deployments-tables.tsx';
import type { Deployments, OpenPullRequests, WorkflowOverview } from '../../app/routes/repo/panels.ts';
import { ReviewCards } from '../../app/routes/repo/reviews.tsx';
import { PeopleTables } from '../../app/routes/repo/team/people-table.tsx';
import { Summary } from '../../app/routes/repo/team/summary.tsx';
import { Workload, type Workload as WorkloadData } from '../../app/routes/repo/team/workload.tsx';
import { WorkflowTable } from '../../app/routes/repo/workflow-table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const scope = { owner: 'octo', repo: 'web' } as never;
const getProfileHref = (login: string) => `/contributor/${login}`;
const notes = {
  partial: false,
  partialReason: null,
  stale: false,
  asOf: null,
  source: 'live',
  canonicalRepo: null,
  mayLackOrganizations: false,
};

const getText = (element: HTMLElement) => element.textContent?.replaceAll('\u00a0', ' ') ?? '';
const getCard = (name: string) => getText(screen.getByRole('article', { name }));
const getRow = (name: RegExp) => getText(screen.getByRole('row', { name }));

/** As many as a rate is made of, and whether the page has a decimal: 33 % is what the answer holds. */
const samples: [number, number, string][] = [
  [67, 200, '33.5 %'],
  [66, 199, '33 %'],
];

describe('rates that are answered whole', () => {
  test('of 200 deployments or more have a decimal on the page', () => {
    const row = (environment: string, success: number, failed: number) =>
      ({ environment, success, failed, failure_rate_pct: 33, total: success + failed }) as Environment;
    const rows = { by_environment: [row('production', 133, 67), row('staging', 132, 67)] };
    drawInRoot(<EnvironmentTable data={rows as never} search="" />, page);
    const [, production, staging] = screen.getAllByRole('row');
    expect(getText(production as HTMLElement)).toContain('33.5 %');
    expect(getText(staging as HTMLElement)).toContain('33 %');
  });

  test.each(samples)('of deployments in the period before: %s of %s are %s', (failed, finished, expected) => {
    const period_before = { finished, failed, change_failure_rate_pct: 33, mttr_samples: 0 };
    const earlier = earlierDeployments({ period_before } as Deployments);
    expect(earlier?.failure.value.value).toBe(Number.parseFloat(expected));
  });

  test('of 200 pull requests or more have one too', () => {
    const data = {
      prs_merged_total: 1000,
      prs_human_reviewed: 437,
      reviewed_before_merge_pct: 44,
      prs_no_human_review: 563,
      prs_merged_by_people: 150,
      prs_self_merged: 50,
      self_merged_pct: 33,
      first_pass_approval_rate: 57,
      prs_first_pass_approved: 250,
      window_days: 90,
      contributors: [],
      bot_prs: { merged: 850, no_human_review: 1 },
      merge_days: [],
      coverage: { read: 1000, expected: 1000 },
    };
    render(<Summary data={data as never} base="" scope={scope} />);
    expect(getCard('Reviewed before merge')).toContain('43.7 %');
    expect(getCard('Approved at first review')).toContain('57.2 %');
    expect(getCard('Merged by the author')).toContain('33 %');
  });

  test.each(samples)('of pull requests of a person that were reviewed: %s of %s are %s', (approved, all, expected) => {
    const person = { login: 'ana', is_bot: false, prs_merged: all, prs_opened: all, linked_logins: [] };
    const reviewed = { reviewed_prs: all, first_pass_approved_prs: approved, first_pass_approval_rate: 33 };
    const data = { contributors: [{ ...person, ...reviewed }], prs_merged_total: all, window_days: 90 };
    drawInRoot(<PeopleTables data={data as never} base="" scope={scope} getProfileHref={getProfileHref} />, page);
    expect(getRow(/^ana/)).toContain(`${expected} (${all})`);
  });

  test.each(samples)('of pull requests that ended: %s of %s are %s', (abandoned_prs, abandon_rate_sample, expected) => {
    const none = { open_prs: [], total_open: 0, fetched_prs: 0, review_round_distribution: [] };
    const data = {
      ...none,
      benchmark_window_days: 90,
      abandon_rate: 33,
      abandoned_prs,
      abandon_rate_sample,
      review_weeks: [],
      first_review_change: null,
      approval_to_merge_change: null,
      abandon_rate_change: null,
    } as unknown;
    drawInRoot(<ReviewCards data={data as OpenPullRequests} repository={{ owner: 'octo', repo: 'web' }} />, page);
    expect(getCard('Closed without merging')).toContain(expected);
  });

  test.each(samples)('of commits, in the workload: %s of %s are %s', (part, total_commits, expected) => {
    const shares = { after_hours_pct: 33, after_hours_commits: part, weekend_pct: 33, weekend_commits: part };
    const person = { login: 'ana', linked_logins: [], is_bot: false, sample_ok: true, flags: {}, open_pr_count: 0 };
    const data = {
      people: [{ ...person, ...shares, total_commits, recent_period_commits: 1 }],
      team: {
        commits: total_commits,
        contributors: 1,
        outside_workday_pct: 33,
        outside_workday_commits: part,
        period_before: null,
        weeks: [],
        hours: null,
        merge_moment_pct: 33,
        merge_moment_commits: part,
        merge_moment_sample: total_commits,
      },
      thresholds: {},
      workday: { start: 8, end: 19, timezone: 'UTC' },
      window_days: 42,
      coverage: { reasons: [] },
      missing: { commits: [], open_pull_requests: [] },
      generated_at: '2026-11-16T10:00:00.000Z',
    };
    const result = { ok: true as const, data: data as unknown as WorkloadData, notes };
    drawInRoot(<Workload {...page} repository="octo/web" getProfileHref={getProfileHref} result={result} />, page);
    expect(getRow(/^ana/).split(expected)).toHaveLength(3);
    expect(getCard('Team commits outside the workday')).toContain(expected);
    expect(getText(screen.getByRole('region', { name: 'Workload' }))).toContain(`${expected} of commits carry`);
  });

  test.each(samples)('of commits of a person: %s of %s are %s', (part, hours_sample, expected) => {
    const shares = { after_hours_pct: 33, after_hours_commits: part, weekend_pct: 33, weekend_commits: part };
    const workday = { start: 8, end: 19 };
    const data = {
      login: 'ana',
      is_bot: false,
      period_comparison: {},
      workday,
      timezone: 'UTC',
      hours_sample,
      ...shares,
    };
    render(<Headlines data={data as unknown as Profile} owner="octo" base="" />);
    expect(getCard('After-hours commits')).toContain(`${expected}n = ${hours_sample}`);
    expect(getCard('After-hours commits')).toContain(`${expected} on weekends`);
  });

  test.each(samples)('of an organization’s runs: %s of %s are %s', (passed, sample, expected) => {
    const rate = { pooled_success_rate: 33, pooled_passed_runs: passed, pooled_success_rate_sample: sample };
    const aggregate = { ...rate, uncounted_repos: 0, avg_success_rate: null };
    const compared = { before: null, verdicts: {} };
    const data = {
      org: 'octo',
      repos: [],
      repos_failed: [],
      repos_attempted: 0,
      aggregate,
      ...compared,
      generated_at: '',
    };
    const props = { loaderData: { panels: { overview: { ok: true, data, notes } } }, params: { org: 'octo' } };
    drawInRoot(<OrganizationPage {...(props as unknown as ComponentProps<typeof OrganizationPage>)} />, page);
    expect(getCard('Success rate, all branches')).toContain(expected);
  });

  test('an organization whose repositories were not all known before has no comparison of active ones', () => {
    const runs = { pooled_success_rate: 33, pooled_passed_runs: 66, pooled_success_rate_sample: 199 };
    const aggregate = { ...runs, total_runs: 240, uncounted_repos: 0, avg_success_rate: null };
    const before = { ...runs, active_repos: null, total_runs: 200 };
    const data = {
      org: 'octo',
      repos: [],
      repos_failed: [],
      repos_attempted: 0,
      active_repos: 18,
      aggregate,
      before,
      verdicts: { pooled_success_rate: null },
      generated_at: '',
    };
    const props = { loaderData: { panels: { overview: { ok: true, data, notes } } }, params: { org: 'octo' } };
    drawInRoot(<OrganizationPage {...(props as unknown as ComponentProps<typeof OrganizationPage>)} />, page);
    expect(getCard('Active repositories')).toContain('not all data of both periods is stored');
    expect(getCard('Runs in 30 days')).toContain('+20 %');
  });

  test.each(samples)('of a number that is opened: %s of %s are %s', (part, sample, expected) => {
    const number = { label: 'Success rate', definition: 'Runs that passed.', value: 33, unit: 'percent', sample, part };
    const data = {
      ...number,
      source: 'runs',
      interval: null,
      window: null,
      partial: false,
      coverage: null,
      counted: [],
      left_out: [],
      repositories: [],
    };
    const explained = { ok: true, data: { ...data, generated_at: '2026-11-16T10:00:00.000Z' }, notes };
    const props = { loaderData: { panels: { explained } } } as unknown as ComponentProps<typeof ExplainPage>;
    drawInRoot(<ExplainPage {...props} />, page);
    expect(getText(screen.getByRole('region', { name: 'Metric' }))).toContain(`Value${expected}`);
  });

  test.each(samples)('of a workflow’s commits: %s of %s are %s', (flaky_commits, sample, expected) => {
    const flaky = { rate_pct: 33, flaky_commits, reruns_fixed: 0, sample };
    const row = { id: 1, name: 'CI', path: 'ci.yml', state: 'active', partial: true, flaky, dur_points: [] };
    const rows = [{ ...row, summary: { latest_run_at: null } } as unknown as WorkflowOverview];
    render(<WorkflowTable figures={[]} rows={rows} here="/repos/octo/web" search="" />);
    expect(getRow(/^CI/)).toContain(expected);
  });

  test.each(samples)('of oversized commits and pull requests: %s of %s are %s', (part, all, expected) => {
    const sizes = { prsMerged: all, commits: all, commitsMeasured: all, prsMeasured: all };
    const shares = { oversizedCommits: part, oversizedCommitPct: 33, oversizedPrs: part, oversizedPrPct: 33 };
    const person = (login: string) => ({ login, linkedLogins: [], unlinkedName: false, ...sizes, ...shares });
    const people = [person('ana'), person('bob')];
    const data = { owner: 'octo', people, coverage: {}, totals: { ...sizes, ...shares } } as unknown as Habits;
    drawInRoot(<HabitsTable data={data} isOwnView={false} login={null} />, page);
    expect(getRow(/^ana/).split(`${expected} (${all})`)).toHaveLength(3);
    expect(
      getText(within(screen.getByRole('table')).getByRole('row', { name: /^Together/ })).split(expected),
    ).toHaveLength(3);
  });

  test.each(samples)(
    'of the runs of a scope, on the pages CI and Home: %s of %s are %s',
    (failed_runs, all, expected) => {
      const runs = { failure_rate: 33, failed_runs, failure_rate_sample: all };
      const unpriced = {
        cost_per_month: null,
        wasted_per_month: null,
        wasted_share: null,
        cost_sample: 0,
        run_time_ms: 1,
        run_time_sample: 1,
      };
      const totals = { ...runs, ...unpriced, runs: all, completed_runs: all } as Ci['totals'];
      const ci = { org: 'octo', repo: null, range: '30', compare: 'off', totals, days: [] as Ci['days'] } as Ci;
      drawInRoot(<Cards data={ci} view="waste" showsCost />, page);
      expect(getCard('Failure rate')).toContain(expected);
      expect(getCard('Total run time')).toContain(`1 of ${all} completed runs, the rest of unknown duration`);
      cleanup();
      const figures = { ...runs, prs_merged: 1, repos_with_pull_requests: 1 };
      const covered = { coverage: { read: 1, expected: 1 } };
      const pulls = { runs: covered, pull_requests: covered, dates: [], window: { from: '', to: '' } };
      const home = {
        ...ci,
        ...pulls,
        figures,
        failure_rates: [],
        duration_days: [],
        merge_days: [],
        repos_included: 1,
        partial_reasons: [],
      };
      drawInRoot(<FiguresPanel result={{ ok: true, data: home, notes } as never} />, page);
      expect(getCard('Failure rate')).toContain(expected);
    },
  );

  test.each(samples)(
    'of the runs and commits of a workflow, with their sample: %s of %s are %s',
    (part, all, expected) => {
      const row = {
        repo: 'octo/web',
        failure_rate: 33,
        failed_runs: part,
        failure_rate_sample: all,
        cancelled_share: 33,
        cancelled_runs: part,
        cancelled_share_sample: all,
        flaky_rate: 33,
        flaky_commits: part,
        flaky_sample: all,
      } as CiWorkflow;
      const cells = new Map(
        listColumns([row], { base: '', view: 'waste', range: '30', showsCost: false }).map((one) => [
          one.key,
          one.cell,
        ]),
      );
      // Where both have the same sample, it is said once.
      const others = { ...row, failure_rate_sample: all + 1 };
      for (const [key, shown] of [
        ['failure_rate', row],
        ['cancelled', row],
        ['flaky_rate', others],
      ] as const) {
        const { container, unmount } = render(<p>{cells.get(key)?.(shown)}</p>);
        expect([key, getText(container)]).toEqual([key, `${expected}of ${all}`]);
        unmount();
      }
    },
  );
});
