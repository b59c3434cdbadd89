import { beforeAll, describe, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';

const day = 86_400_000;

aDatabase((database) => {
  const visit = storedService(database, { SESSION_TTL_HOURS: '720' });
  const { sync, ask } = visit;
  const explain = async (metric: string, range: string) =>
    (await visit.service.ask('GET', `/api/explain?metric=${metric}&org=octo&range=${range}`, { as: 'token-ann' })).body;
  const read = async (range: string) => {
    const query = `org=octo&range=${range}`;
    const [overview, workflows, cost] = await Promise.all([
      ask(`overview?${query}`),
      ask(`workflows?${query}`),
      ask(`cost?${query}`),
    ]);
    return { overview: overview.body, workflows: workflows.body, cost: cost.body };
  };

  beforeAll(async () => {
    await sync('owner=octo&repo=web');
    await visit.service.ask('GET', '/api/codehost/repo-contributors?owner=octo&repo=web&days=90', { as: 'token-ann' });
  });

  describe('facts that were not read lately', () => {
    test('are all of a running window for as long as a nightly reading takes', async () => {
      visit.service.clock.advance(1.4 * day);
      const { overview, workflows, cost } = await read('30');
      expect(cost).toMatchObject({ partial: false, partial_reasons: [] });
      expect(overview).toMatchObject({ partial: false, partial_reasons: [] });
      expect(workflows).toMatchObject({ partial: false, partial_reasons: [] });
    });

    test('are a part of it later, with the time up to which they were read', async () => {
      visit.service.clock.advance(day);
      const { overview, workflows, cost } = await read('30');
      expect(cost).toMatchObject({ partial: true, partial_reasons: ['runs_end_missing'] });
      expect(overview).toMatchObject({
        partial: true,
        partial_reasons: ['runs_end_missing', 'pull_requests_end_missing'],
        pull_requests_through: expect.stringMatching(/^2026-11-16T/),
        synced_through: expect.stringMatching(/^2026-11-16T/),
      });
      expect(overview.figures.prs_merged).toBeGreaterThan(0);
      expect(overview.figures).toMatchObject({ prs_merged_before: null, median_hours_to_merge_before: null });
      expect(workflows).toMatchObject({ partial: true, partial_reasons: ['runs_end_missing'] });
      expect(workflows.totals).toMatchObject({ runs: 14, change_pct: null, failure_rate_change: null });
      expect(workflows.workflows[0]).toMatchObject({ partial: true });
      for (const metric of ['scope_prs_merged', 'failure_rate'])
        expect(await explain(metric, '30')).toMatchObject({ partial: true });
    });

    test('and none of a window that begins after it: no count of it is 0', async () => {
      visit.service.clock.advance(8 * day);
      const { overview, workflows, cost } = await read('7');
      expect(cost).toMatchObject({ partial: true, totals: { cost_per_month: null, completed_runs: null } });
      expect(overview.partial_reasons).toEqual(['runs_end_missing', 'pull_requests_end_missing']);
      expect(overview.figures).toMatchObject({
        prs_merged: null,
        median_hours_to_merge: null,
        failed_runs: null,
        failure_rate: null,
        repos_with_pull_requests: 0,
      });
      expect(workflows).toMatchObject({ partial: true, workflows: [] });
      expect(workflows.totals).toMatchObject({
        runs: null,
        run_time_ms: null,
        failed_runs: null,
        cancelled_runs: null,
      });
      expect(await explain('scope_prs_merged', '7')).toMatchObject({ value: null, partial: true });
    });

    test('also where runs alone were synchronized since', async () => {
      await sync('owner=octo&repo=web');
      const { overview, workflows } = await read('7');
      expect(workflows).toMatchObject({ partial: false, totals: { runs: 0, failed_runs: 0 } });
      expect(overview).toMatchObject({ partial: true, figures: { prs_merged: null, failed_runs: 0 } });
      expect(overview.pull_requests_through).toMatch(/^2026-11-16T/);
    });
  });
});
