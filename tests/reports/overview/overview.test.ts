import { beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';

/** What the overview has of a day of CI. */
const withoutCost = (day: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(day).filter(([field]) => !ofCost.includes(field)));
const ofCost = ['cost', 'wasted', 'cost_sample', 'completed_runs', 'unknown_jobs'];

aDatabase((database) => {
  const visit = storedService(database);
  const { sync, ask } = visit;
  beforeAll(async () => {
    await sync('owner=octo&repo=web');
    await sync('owner=octo&repo=secret');
  });

  describe('the overview of a scope', () => {
    test('has no merged pull requests before any were read', async () => {
      const { figures, pull_requests } = (await ask('overview?org=octo')).body;
      expect(figures).toMatchObject({
        prs_merged: null,
        median_hours_to_merge: null,
        merge_sample: 0,
        repos_with_pull_requests: 0,
      });
      expect(pull_requests.coverage).toEqual({
        complete: false,
        expected: 9,
        read: 0,
        cap: null,
        reasons: ['not_synced', 'not_yet_read'],
      });
    });

    test('has the failure rate and duration that the page CI has', async () => {
      const [overview, workflows] = await Promise.all([ask('overview?org=octo'), ask('workflows?org=octo')]);
      const { totals } = workflows.body;
      expect(overview.body.figures).toMatchObject({
        failure_rate: totals.failure_rate,
        failure_rate_sample: totals.failure_rate_sample,
        failed_runs: 3,
        median_ms: totals.median_ms,
        duration_sample: totals.duration_sample,
        change_pct: totals.change_pct,
      });
      expect(overview.body).toMatchObject({
        org: 'octo',
        window: workflows.body.window,
        comparison: workflows.body.comparison,
        duration_days: workflows.body.days.map(withoutCost),
        repos_included: 2,
        repos_visible: 9,
        // No pull requests were read yet, and all runs.
        partial: true,
        partial_reasons: ['pull_requests_begin_missing'],
        pull_requests_through: null,
        timezone: 'Asia/Saigon',
        data_source: 'database',
      });
    });

    test('has every day of each repository, as its trends have it', async () => {
      const { body } = await ask('overview?org=octo');
      expect([body.dates.length, body.dates[0], body.dates.at(-1)]).toEqual([90, '2026-08-19', '2026-11-16']);
      const rates = body.dates.map((_: string, index: number) => {
        const days = body.repositories.map(({ days }: { days: object[] }) => days[index] ?? { passed: 0, failed: 0 });
        const count = (key: string) =>
          days.reduce((sum: number, day: Record<string, number>) => sum + (day[key] ?? 0), 0);
        const [passed, failed] = [count('passed'), count('failed')];
        return passed + failed === 0 ? null : Math.round((100 * failed) / (passed + failed));
      });
      expect(body.failure_rates).toEqual(rates);
      expect(rates.slice(-3)).toEqual([50, 100, 14]);
      expect(body.repositories.map(({ repo }: { repo: string }) => repo)).toEqual(['octo/web', 'octo/secret']);
      for (const { repo, days, passed, failed } of body.repositories) {
        const [owner, name] = repo.split('/');
        const { data } = (await ask(`trends?owner=${owner}&repo=${name}&days=90`)).body;
        const known = data.map(({ success, failure }: { success: number | null; failure: number | null }) => ({
          passed: success ?? 0,
          failed: failure ?? 0,
        }));
        expect(days).toEqual(known);
        expect(passed).toBe(known.reduce((sum: number, day: { passed: number }) => sum + day.passed, 0));
        expect(failed).toBe(known.reduce((sum: number, day: { failed: number }) => sum + day.failed, 0));
      }
    });

    test('counts merged pull requests of repositories that were read completely', async () => {
      const people = await visit.service.ask('GET', '/api/codehost/repo-contributors?owner=octo&repo=web&days=30', {
        as: 'token-ann',
      });
      const { figures } = (await ask('overview?org=octo')).body;
      expect(people.body.prs_merged_total).toBeGreaterThan(0);
      expect(figures).toMatchObject({
        prs_merged: people.body.prs_merged_total,
        median_hours_to_merge: people.body.median_hours_to_merge,
        repos_with_pull_requests: 1,
      });
    });

    const others = ['api', 'empty', 'fork', 'no-actions', 'no-issues', 'old', 'renamed-now'].map((repo) => ({
      repo: `octo/${repo}`,
      included: false,
      reason: 'not_synced',
    }));
    const readOfWeb = {
      coverage: { complete: false, expected: 9, read: 1, cap: null, reasons: ['not_synced', 'not_yet_read'] },
      repositories: [
        ...others,
        { repo: 'octo/secret', included: false, reason: 'not_yet_read' },
        { repo: 'octo/web', included: true, reason: null },
      ],
    };

    test('names the repositories whose pull requests do not count, and why', async () => {
      expect((await ask('overview?org=octo')).body.pull_requests).toEqual(readOfWeb);
      const { text, body } = await ask('overview?org=octo', 'token-bo');
      expect(body.pull_requests.coverage).toMatchObject({ expected: 8, read: 1 });
      expect(text).not.toContain('octo/secret');
    });

    test('and those whose runs count, as the number that opens them', async () => {
      const { body } = await ask('overview?org=octo');
      expect(body.runs.coverage).toEqual({ complete: false, expected: 9, read: 2, cap: null, reasons: ['not_synced'] });
      const path = '/api/explain?metric=failure_rate&org=octo';
      const explained = await visit.service.ask('GET', path, { as: 'token-ann' });
      expect(body.runs).toEqual({ coverage: explained.body.coverage, repositories: explained.body.repositories });
    });

    test('and since when facts are stored, also for a range before', async () => {
      const { body } = await ask('overview?org=octo&range=2025-01-01..2025-02-01');
      const [ci, cost] = [await ask('workflows?org=octo&range=7'), await ask('cost?org=octo&range=7')];
      const { coverage } = (await ask('trends?owner=octo&type=org')).body;
      expect(body.synced_from).toMatch(/^2026-/);
      for (const one of [ci, cost]) expect(one.body.synced_from).toBe(body.synced_from);
      expect(Date.parse(body.synced_from)).toBeLessThanOrEqual(Date.parse(coverage.first_run_at));
      expect(Date.parse(body.pull_requests_from)).toBeLessThan(Date.parse(body.pull_requests_through));
    });

    test('names those that begin after the window, and the number of a scope its repositories', async () => {
      const { pull_requests } = (await ask('overview?org=octo&range=2025-12-01..2026-11-16')).body;
      expect(pull_requests.repositories.at(-1)).toEqual({ repo: 'octo/web', included: false, reason: 'begin_missing' });
      const path = '/api/explain?metric=failure_rate&org=octo';
      const { coverage, repositories } = (await visit.service.ask('GET', path, { as: 'token-ann' })).body;
      expect(coverage).toMatchObject({ expected: 9, read: 2, reasons: ['not_synced'] });
      expect(repositories.slice(0, others.length)).toEqual(others);
      const ofOne = await visit.service.ask('GET', `${path.replace('org', 'owner')}&repo=web`, { as: 'token-ann' });
      expect(ofOne.body).toMatchObject({ coverage: null, repositories: [] });
    });

    test.each(['scope_prs_merged', 'scope_hours_to_merge', 'failure_rate', 'median_duration', 'monthly_cost'])(
      '%s is of no account of which nothing can be seen, but the reader’s own',
      async (metric) => {
        const explain = (org: string, as: string) =>
          visit.service.ask('GET', `/api/explain?metric=${metric}&org=${org}`, { as });
        expectProblem(await explain('nobody', 'token-ann'), 404, 'not_found');
        expectProblem(await explain('ann', 'token-bo'), 404, 'not_found');
        for (const [org, as] of [
          ['bo', 'token-bo'],
          ['ann', 'token-ann'],
          ['many', 'token-ann'],
        ] as const)
          expect([org, (await explain(org, as)).status]).toEqual([org, 200]);
      },
    );

    test.each([
      ['scope_prs_merged', 'prs_merged'],
      ['scope_hours_to_merge', 'median_hours_to_merge'],
    ])('%s opens the pull requests behind it', async (metric, field) => {
      const { figures } = (await ask('overview?org=octo')).body;
      const { body } = await visit.service.ask('GET', `/api/explain?metric=${metric}&org=octo`, { as: 'token-ann' });
      expect([body.value, body.partial]).toEqual([figures[field], true]);
      expect({ coverage: body.coverage, repositories: body.repositories }).toEqual(readOfWeb);
      expect(body.counted.length).toBe(body.sample);
      expect(body.counted[0]).toMatchObject({ label: expect.stringMatching(/^octo\/web#\d+$/), note: null });
    });

    test.each([30, 90])('counts as many of them in %i days as the team page', async (days) => {
      const path = `/api/codehost/org-contributors?org=octo&days=${days}`;
      const team = await visit.service.ask('GET', path, { as: 'token-ann' });
      const { figures } = (await ask(`overview?org=octo&range=${days}`)).body;
      expect([figures.prs_merged, figures.repos_with_pull_requests]).toEqual([team.body.prs_merged_total, 2]);
    });

    test('has them by day, and none of days that were not read', async () => {
      const { figures, merge_days: days } = (await ask('overview?org=octo')).body;
      type Day = { date: string; merged: number | null; median_hours_to_merge: number | null; partial: boolean };
      expect(days.map(({ date }: Day) => date)).toHaveLength(31);
      expect(days.reduce((sum: number, { merged }: Day) => sum + (merged ?? 0), 0)).toBe(figures.prs_merged);
      expect(days.filter(({ merged }: Day) => merged === null)).toEqual([]);
      expect(days.find(({ merged }: Day) => merged === 0)).toMatchObject({ median_hours_to_merge: null });
      const long = (await ask('overview?org=octo&range=2025-12-01..2026-11-16')).body;
      expect(new Set(long.merge_days.map(({ merged }: Day) => merged))).toEqual(new Set([null]));
    });

    test('is one table of days', async () => {
      const { text } = await ask('overview?org=octo&format=csv');
      const [head, ...rows] = text.trim().split('\r\n');
      expect(head).toBe('repo,date,passed,failed');
      expect(rows).toHaveLength(180);
      expect(rows[0]).toBe('octo/web,2026-08-19,0,0');
    });

    test('is of what the caller sees', async () => {
      expect((await ask('overview?org=octo', 'token-bo')).body.repositories).toHaveLength(1);
      expectProblem(await ask('overview?org=sealed', 'token-ann-two'), 403, 'sso_required');
      expectFields(await ask('overview?range=14&compare=never'), ['range', 'invalid'], ['compare', 'invalid']);
    });

    test('costs the platform the proof of what may be seen, and nothing while that is fresh', async () => {
      const { double, clock } = visit.service;
      clock.advance(16 * 60_000);
      double.requests.length = 0;
      await ask('overview?org=octo');
      expect(besidesTokenCheck(double.requests).map(({ operation }) => operation)).toEqual(['repos/list-for-org']);
      double.requests.length = 0;
      await ask('overview?org=octo');
      expect(besidesTokenCheck(double.requests)).toEqual([]);
    });

    test('knows nothing of days after the last synchronization', async () => {
      visit.service.clock.advance(2 * 86_400_000);
      const { dates, repositories } = (await ask('overview?org=octo')).body;
      expect(dates.at(-1)).toBe('2026-11-18');
      expect(repositories[0].days.slice(-3)).toEqual([{ passed: 6, failed: 1 }, null, null]);
      const { merge_days: merged } = (await ask('overview?org=octo')).body;
      expect(merged.slice(-4).map((day: { merged: number | null }) => day.merged)).toEqual([
        expect.any(Number),
        null,
        null,
        null,
      ]);
    });
  });
});
