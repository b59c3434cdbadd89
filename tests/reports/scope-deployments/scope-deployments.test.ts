import { describe, expect, test } from 'vitest';
import { aDatabase } from '../../support/a-database.ts';
import { aScope, toLines } from '../scope-world.ts';

const metrics = [
  ['scope_deployments', 'deployments'],
  ['scope_deploys_per_day', 'deploys_per_day'],
  ['scope_deployment_failure_rate', 'change_failure_rate_pct'],
  ['scope_time_to_restore', 'time_to_restore_hours'],
] as const;

aDatabase((database) => {
  const { visit, ask, get, explain, expectHidden, expectOnlyProof } = aScope(database, 'deployments');

  describe('deployments of a scope', () => {
    test('are unknown before any were read', async () => {
      const { body } = await ask();
      expect(body.totals).toMatchObject({ deployments: null, finished: null, restore_sample: 0 });
      expect(body).toMatchObject({ totals_before: null, as_of: null, repos_included: 2, failing: 0, partial: true });
      expect(body.covered.coverage).toMatchObject({ read: 0, reasons: ['not_synced', 'not_yet_read'] });
      for (const [metric] of metrics) expect((await explain(metric)).body.value).toBeNull();
    });

    test('are those of the page of each repository', async () => {
      const own = (await get('/api/codehost/deployments?owner=octo&repo=web')).body;
      const { body } = await ask();
      const web = body.repositories.find(({ repo }: { repo: string }) => repo === 'octo/web');
      expect(own.total_deployments).toBeGreaterThan(0);
      expect(web).toMatchObject({
        environment: own.production_environment,
        deployments: own.total_deployments,
        failed: own.failed,
        deploys_per_day: own.by_environment.find((one: { is_production: boolean }) => one.is_production)
          .deploys_per_day,
        change_failure_rate_pct: own.change_failure_rate_pct,
        partial: own.partial,
      });
      expect(body.totals).toMatchObject({ deployments: own.total_deployments, failed: own.failed });
      expect(body.covered.repositories.at(-1)).toEqual({ repo: 'octo/web', included: true, reason: null });
    });

    test('open their evidence', async () => {
      const { totals, covered } = (await ask()).body;
      for (const [metric, field] of metrics) {
        const { body } = await explain(metric);
        expect([metric, body.value]).toEqual([metric, totals[field]]);
        expect(body.counted.length).toBe(body.sample);
        expect({ coverage: body.coverage, repositories: body.repositories }).toEqual(covered);
      }
    });

    test('are never of a repository that the reader may not see', () =>
      expectHidden(metrics.map(([metric]) => metric)));

    test('are one table of repositories', async () => {
      const [head, ...rows] = toLines(await ask('&format=csv'));
      expect(head).toBe(
        'repo,environment,deployments,deploys_per_day,finished,failed,change_failure_rate_pct,time_to_restore_hours,restore_sample,failing_since,newest_deployment_at,as_of,partial',
      );
      expect(rows).toHaveLength(2);
    });

    test('cost the platform the proof of what may be seen, and nothing while that is fresh', () =>
      expectOnlyProof('scope_deployments'));

    test('say that their newest are missing a day and a half after they were read', async () => {
      visit.service.clock.advance(37 * 3_600_000);
      const { body } = await ask();
      expect(body.covered.repositories.at(-1)).toEqual({ repo: 'octo/web', included: true, reason: 'end_missing' });
      expect(body.partial).toBe(true);
    });
  });
});
