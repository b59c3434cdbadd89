import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import type { PullRequestParts } from '../../codehost-double/delivery-builders.ts';
import { anActor } from '../../codehost-double/delivery-builders.ts';

const visit = freshService();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ask = (repo: string, as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/repo-dora?owner=octo&repo=${repo}`, { as });
const now = () => visit.service.clock.now();

/** Merged into main so many days ago, open for so many hours. */
function merged(number: number, daysAgo: number, hours = 5, parts: Partial<PullRequestParts> = {}) {
  const mergedAt = now() - daysAgo * day;
  visit.service.double.putPullRequest('octo/secret', {
    number,
    createdAt: mergedAt - hours * hour,
    mergedAt,
    ...parts,
  });
}

describe('the four keys', () => {
  test('count people’s pull requests merged into the default branch, and say on what basis', async () => {
    const { body } = await ask('api');
    expect(body).toMatchObject({
      change_failure_rate: { failures: 3, total: 5, rate: 60, label: '60 %', level: null },
      deployment_frequency: { total: 5, per_day: 0.06, period_days: 90, label: '5 in 90 days', level: 'medium' },
      lead_time: { median_ms: 25 * hour, sample_size: 5, low_sample: true, label: '25 h', level: 'high' },
      mttr: { recoveries: 3, median_ms: day, mean_ms: day, label: '24 h', level: 'medium' },
      overall_level: 'medium',
      fetched_prs: 8,
      total_prs_attempted: 6,
      prs_analysed: 5,
      releases_analysed: 0,
      basis: {
        change_failure_rate: 'revert_or_hotfix_prs',
        deployment_frequency: 'merged_prs',
        lead_time: 'first_commit_to_merge',
        mttr: 'fix_pr_cycle',
        corroborated_failures: [],
      },
      window_days: 90,
      timezone: 'Asia/Saigon',
      partial: false,
      data_source: 'live',
      coverage: { complete: true, expected: 8, read: 8, cap: null, reasons: [] },
    });
  });

  test('releases come before merges, drafts and pre-releases excluded', async () => {
    const { body } = await ask('web');
    expect(body).toMatchObject({
      deployment_frequency: { total: 2, label: '2 in 90 days' },
      basis: { deployment_frequency: 'releases' },
      releases_analysed: 2,
    });
  });

  test('an old pull request that somebody labels today is not in the window', async () => {
    merged(1, 120, 5, { updatedAt: now() });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ prs_analysed: 0, lead_time: { median_ms: null, sample_size: 0, level: null } });
  });

  test('a repository that fell silent deploys rarely; it does not keep its old pace', async () => {
    for (let number = 1; number <= 20; number++) merged(number, 80 + number / 10);
    const { body } = await ask('secret');
    expect(body.deployment_frequency).toMatchObject({ total: 20, per_day: 0.22, period_days: 90 });
    expect(body.last_7_days).toEqual({ merged: 0, merged_before: 0 });
  });

  test('who never names a revert or hotfix has a rate of 0 but no tier', async () => {
    for (let number = 1; number <= 12; number++) merged(number, number);
    const { body } = await ask('secret');
    expect(body.change_failure_rate).toMatchObject({ failures: 0, total: 12, rate: 0, level: null });
    expect(body.mttr).toMatchObject({ label: 'not known', median_ms: null, mean_ms: null, recoveries: 0, level: null });
  });

  test('an imported pull request, merged before it was created, is excluded', async () => {
    merged(1, 3, -2);
    merged(2, 3);
    expect((await ask('secret')).body).toMatchObject({ prs_analysed: 1, lead_time: { sample_size: 1 } });
  });

  test('intervals are reported where the sample allows one', async () => {
    for (let number = 1; number <= 12; number++)
      merged(number, number, number, { labels: number < 3 ? ['hotfix'] : [] });
    const { change_failure_rate: failure, lead_time: lead } = (await ask('secret')).body;
    expect(failure).toMatchObject({ rate: 16.7, level: 'low', rate_interval: { low: 4.7, high: 44.8 } });
    expect(lead.median_interval_ms.low).toBeLessThan(lead.median_ms);
    expect(lead.median_interval_ms.high).toBeGreaterThan(lead.median_ms);
  });
});

describe('changes of a month', () => {
  test('are of merges and of reverts, each with its verdict', async () => {
    const fix = { labels: ['hotfix'] };
    for (let number = 1; number <= 40; number++) merged(number, number / 2, 5, number % 2 ? fix : {});
    for (let number = 41; number <= 50; number++) merged(number, number - 5);
    const { merge_change, change_failure_rate_change } = (await ask('secret')).body;
    expect(merge_change).toEqual({ merged: 40, merged_before: 10, verdict: 'higher' });
    expect(change_failure_rate_change).toEqual({
      rate: 50,
      total: 40,
      rate_before: 0,
      total_before: 10,
      verdict: 'higher',
    });
  });

  test('are of the time to merge a fix, and of releases', async () => {
    const { double } = visit.service;
    for (let number = 1; number <= 12; number++) {
      const isRecent = number <= 6;
      merged(number, isRecent ? number : 30 + number, isRecent ? 20 : 4, { labels: ['hotfix'] });
      const publishedAt = now() - (isRecent ? number : 30 + number) * day;
      double.putRelease('octo/secret', { id: number, createdAt: publishedAt, publishedAt });
    }
    const { body } = await ask('secret');
    expect(body.mttr_change).toEqual({
      median_ms: 20 * hour,
      recoveries: 6,
      median_ms_before: 4 * hour,
      recoveries_before: 6,
      verdict: 'higher',
    });
    expect(body.release_change).toEqual({ released: 6, released_before: 6, verdict: 'no_difference_shown' });
    const sum = (weeks: { count: number }[]) => weeks.reduce((total, { count }) => total + count, 0);
    for (const weeks of [body.fixes_by_week, body.releases_by_week]) {
      expect(weeks.map(({ week_start }: { week_start: string }) => week_start)).toEqual(
        body.throughput_by_week.map(({ week_start }: { week_start: string }) => week_start),
      );
      expect([weeks.length, sum(weeks), weeks.at(-1).partial]).toEqual([13, 12, true]);
    }
  });

  test('are none with fewer than five merges in either', async () => {
    for (let number = 1; number <= 10; number++) merged(number, number);
    for (let number = 11; number <= 14; number++) merged(number, 30 + number);
    const { body } = await ask('secret');
    expect(body).toMatchObject({ merge_change: null, change_failure_rate_change: null });
    expect(body).toMatchObject({ mttr_change: null, release_change: null });
  });
});

describe('the phases', () => {
  test('an unreviewed pull request has no pickup and no review, not zero', async () => {
    const { cycle_breakdown: cycle } = (await ask('web')).body;
    expect(cycle).toEqual({
      avg_time_to_open_ms: 6_000_000,
      avg_pickup_ms: 4_200_000,
      avg_review_ms: 1_800_000,
      avg_merge_ms: 13_800_000,
      median_time_to_open_ms: hour,
      median_pickup_ms: hour,
      median_review_ms: 30 * minute,
      median_merge_ms: 3 * hour,
      sample_size: 3,
      samples: { time_to_open: 3, pickup: 3, review: 2, merge: 3 },
    });
    merged(1, 2);
    expect((await ask('secret')).body.cycle_breakdown).toMatchObject({
      avg_pickup_ms: null,
      median_pickup_ms: null,
      avg_review_ms: null,
      sample_size: 1,
      samples: { time_to_open: 1, pickup: 0, review: 0, merge: 0 },
    });
  });
});

describe('scatter and weeks', () => {
  test('bots are marked, deleted accounts are ghosts, the newest come first', async () => {
    const { pr_scatter: points } = (await ask('web')).body;
    expect(
      points.map((one: Record<string, unknown>) => [one.number, one.author, one.is_bot, one.hours_to_merge]),
    ).toEqual([
      [4, 'ghost', false, 10],
      [3, expect.stringMatching(/^dependabot/), true, 1],
      [2, 'ana', false, 4],
      [1, 'ana', false, 2],
    ]);
    expect(points[3]).toMatchObject({ title: 'Count the lamps', loc: 82, merged_at: '2026-11-11T12:00:00.000Z' });
  });

  test('13 weeks from Monday in the team zone, bots included, the running one marked', async () => {
    // 17:30 UTC on a Sunday is Monday in Saigon.
    visit.service.double.putPullRequest('octo/web', {
      number: 90,
      author: anActor('dependabot[bot]'),
      createdAt: Date.parse('2026-11-15T16:00:00Z'),
      mergedAt: Date.parse('2026-11-15T17:30:00Z'),
    });
    const { throughput_by_week: weeks } = (await ask('web')).body;
    expect(weeks).toHaveLength(13);
    expect(weeks.slice(-2)).toEqual([
      { week_start: '2026-11-09', count: 4, partial: false },
      { week_start: '2026-11-16', count: 1, partial: true },
    ]);
    expect(weeks[0]).toEqual({ week_start: '2026-08-24', count: 0, partial: false });
  });

  test('the last seven days stand beside the seven before', async () => {
    for (const [index, daysAgo] of [1, 6.9, 7.1, 13, 20].entries()) merged(index + 1, daysAgo);
    expect((await ask('secret')).body.last_7_days).toEqual({ merged: 2, merged_before: 2 });
  });

  test('a reading with a gap is partial, and its weeks are the platform’s own counts', async () => {
    const { double } = visit.service;
    double.addPullRequests('octo/secret', 2300, { from: now() - 80 * day, to: now() - hour });
    // On a busy machine the time for one answer may end before the platform is asked for its counts.
    await expect
      .poll(async () => {
        const { body, headers } = await ask('secret');
        expect(body).toMatchObject({
          partial: true,
          // All of the last 70 days are known.
          last_7_days: { merged: 201, merged_before: 201 },
          total_prs_attempted: null,
          coverage: { complete: false, cap: 2000 },
          // 2,000 of 2,300 in 80 days: those of the last 70, and not of 90.
          deployment_frequency: { total: 2000, period_days: 70, per_day: 28.57, label: '28.6 a day' },
        });
        expect(headers.get('x-partial')).toBe('true');
        const counted = body.throughput_by_week.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
        return { counted, reasons: body.coverage.reasons };
      })
      .toEqual({ counted: 2300, reasons: ['search_cap'] });
    const operations = double.requests.map(({ operation }) => operation);
    expect(operations.filter((one) => one === 'PullRequestCounts')).toHaveLength(1);
  });
});

describe('another default branch', () => {
  test('of before leaves its time unknown, instead of without merges', async () => {
    for (let number = 1; number <= 30; number++) merged(number, number);
    for (let number = 31; number <= 80; number++) merged(number, number, 5, { baseBranch: 'master' });
    const { body } = await ask('secret');
    expect(body).toMatchObject({
      partial: true,
      coverage: { complete: false, cap: null, reasons: ['upstream_truncated'] },
      deployment_frequency: { total: 30, period_days: 30 },
      merge_change: null,
      lead_time_change: null,
      last_7_days: { merged: 7, merged_before: 7 },
    });
    const weeks: { count: number; partial: boolean }[] = body.throughput_by_week;
    // The switch was in the eighth.
    expect(weeks.slice(0, 7)).toEqual(Array(7).fill(expect.objectContaining({ count: 0, partial: true })));
    expect(weeks[7]).toMatchObject({ count: 2, partial: true });
    expect(weeks.slice(-4, -1)).toEqual(Array(3).fill(expect.objectContaining({ count: 7, partial: false })));
    const counts = visit.service.double.requests.filter(({ operation }) => operation === 'PullRequestCounts');
    expect(counts).toEqual([]);
  });

  test.each([
    [13, { per_day: null, label: 'not known', level: null }],
    [15, { level: 'high' }],
  ])('of until %s days ago leaves the frequency unknown before two weeks', async (last, frequency) => {
    for (let number = 1; number <= 10; number++) merged(number, last - number / 100);
    for (let number = 11; number <= 20; number++) merged(number, last + number, 5, { baseBranch: 'master' });
    const { body } = await ask('secret');
    expect(body.deployment_frequency).toMatchObject({ total: 10, period_days: last, ...frequency });
  });

  test.each([
    ['that is still merged into', 'develop', 0.5],
    ['with fewer than five merges', 'topic', 45],
  ])('is none %s', async (_, baseBranch, last) => {
    for (let number = 1; number <= 30; number++) merged(number, number);
    for (const [index, daysAgo] of [40, 41, 42, 43, last].entries())
      merged(31 + index, daysAgo, 5, { baseBranch: baseBranch === 'topic' && index === 4 ? 'other' : baseBranch });
    expect((await ask('secret')).body).toMatchObject({ partial: false, deployment_frequency: { period_days: 90 } });
  });
});

describe('what a cap left out', () => {
  test('is no gap of comparisons that begin later, nor of any figure once it is older than the window', async () => {
    visit.service.double.addPullRequests('octo/secret', 2100, { from: now() - 91.9 * day, to: now() - hour });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ partial: true, coverage: { cap: 2000, reasons: ['search_cap'] } });
    expect(body.lead_time_change).toMatchObject({ sample: expect.any(Number) });
    expect(body.merge_change.merged).toBeGreaterThan(600);
    visit.service.clock.advance(3 * day);
    const later = await ask('secret');
    expect(later.headers.get('x-partial')).toBe('false');
    expect(later.body).toMatchObject({ partial: false, coverage: { complete: true, cap: null, reasons: [] } });
    expect(later.body.total_prs_attempted).toBe(later.body.fetched_prs);
    const opened = await visit.service.ask('GET', '/api/explain?metric=lead_time&owner=octo&repo=secret', {
      as: 'token-ann',
    });
    expect(opened.body.partial).toBe(false);
  });
});

describe('deployments beside the estimate', () => {
  const deployed = (id: number, hoursAgo: number, sha: string) =>
    visit.service.double.putDeployment('octo/secret', {
      id,
      sha: sha.repeat(40),
      createdAt: now() - hoursAgo * hour,
      statuses: [{ state: 'success', at: now() - hoursAgo * hour }],
    });

  const mergedAs = (number: number, hoursAgo: number, sha: string | null, parts: Parameters<typeof merged>[3] = {}) =>
    merged(number, hoursAgo / 24, 1, { ...(sha !== null && { mergeSha: sha.repeat(40) }), ...parts });
  const fourDeployed = () => {
    deployed(1, 100, 'a');
    deployed(2, 80, 'b');
    deployed(3, 78, 'a');
    deployed(4, 50, 'c');
  };
  const title = 'Revert "Count the lamps"';

  test('a rollback and a revert are failures of their own field, with the rules that fired', async () => {
    fourDeployed();
    for (const [number, hoursAgo, sha] of [
      [1, 101, 'a'],
      [2, 81, 'b'],
      [3, 51, 'c'],
    ] as const)
      mergedAs(number, hoursAgo, sha);
    mergedAs(4, 47, null, { title, headBranch: 'revert-3-lamps' });
    const { body } = await ask('secret');
    expect(body.corroborated_failures).toEqual({ failures: 2, total: 4, undecided: 0, rate_pct: 50, label: '50 %' });
    expect(body.rework_rate).toEqual({ rework: 1, total: 4, undecided: 0, rate_pct: 25, label: '25 %' });
    expect(body.basis.corroborated_failures.toSorted()).toEqual(['revert_within_24h', 'rollback']);
    const plain = await visit.service.ask('GET', '/api/codehost/deployments?owner=octo&repo=secret', {
      as: 'token-ann',
    });
    expect(plain.body.change_failure_rate_pct).toBe(0);
  });

  test('where commits, or what was reverted, are unknown, so are the rates', async () => {
    fourDeployed();
    mergedAs(1, 101, 'a');
    mergedAs(4, 47, null, { title, headBranch: 'revert-1-lamps' });
    mergedAs(5, 46, null, { title });
    const { body } = await ask('secret');
    expect(body.corroborated_failures).toEqual({
      failures: 1,
      total: 1,
      undecided: 3,
      rate_pct: null,
      label: 'not known',
    });
    expect(body.rework_rate).toMatchObject({ rework: 1, total: 2, undecided: 2, rate_pct: null });
    expect(body.basis.corroborated_failures).toEqual(['rollback']);
  });

  test('a revert of what was deployed before speaks against nothing', async () => {
    fourDeployed();
    mergedAs(1, 101, 'a');
    mergedAs(2, 81, 'b');
    mergedAs(3, 51, 'c');
    mergedAs(4, 47, null, { title, headBranch: 'revert-1-lamps' });
    const { body } = await ask('secret');
    expect(body.corroborated_failures).toMatchObject({ failures: 1, total: 4, undecided: 0, rate_pct: 25 });
  });

  test('without deployments nothing is said of them', async () => {
    const { body } = await ask('no-actions');
    expect(body).toMatchObject({ corroborated_failures: null, rework_rate: null });
  });
});

describe('where nothing can be said', () => {
  test('an empty repository has nulls and thirteen empty weeks', async () => {
    const { status, body } = await ask('empty');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      overall_level: null,
      pr_scatter: [],
      prs_analysed: 0,
      change_failure_rate: { rate: null, rate_interval: null, level: null, label: 'not known' },
      lead_time: { median_ms: null, p95_ms: null, median_interval_ms: null },
    });
    expect(body.throughput_by_week.map(({ count }: { count: number }) => count)).toEqual(Array(13).fill(0));
  });

  test('whoever may not see the repository is not shown anything of it, whatever was read for others', async () => {
    await ask('secret');
    expectProblem(await ask('secret', 'token-bo'), 404, 'not_found');
    expectProblem(await ask('nowhere'), 404, 'not_found');
  });

  test.each([
    [{ kind: 'graphql_error', type: 'FORBIDDEN' } as const, 403, 'upstream_forbidden'],
    [{ kind: 'primary_limit' } as const, 429, 'upstream_rate_limited'],
    [{ kind: 'status', status: 500 } as const, 502, 'upstream_unavailable'],
  ])('%o', async (fault, status, code) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 60 }, fault);
    expectProblem(await ask('web'), status, code);
  });
});

test('a renamed repository answers by its new name', async () => {
  expect((await ask('before')).headers.get('x-canonical-repo')).toBe('octo/renamed-now');
});
