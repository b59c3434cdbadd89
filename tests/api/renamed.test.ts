import { expect, test } from 'vitest';
import { repositoryOf } from '../codehost-double/world.ts';
import { anyDatabase, startService } from '../support/service.ts';

test('a name that passes to another repository takes nothing of the former along', async () => {
  const service = await startService({ DATABASE_URL: anyDatabase });
  const { ask, double, clock } = service;
  try {
    const secret = 'owner=octo&repo=secret';
    double.addRuns('octo/secret', 5, { from: clock.now() - 3_600_000, to: clock.now() - 60_000, firstId: 7_000_000 });
    expect((await ask('POST', `/api/db/sync?${secret}`, { as: 'token-ann' })).body.results[0].status).toBe('ok');
    expect((await ask('GET', `/api/db/runs?${secret}`, { as: 'token-ann' })).body.total).toBeGreaterThan(0);
    double.rename('octo/secret', 'octo/hidden');
    // Another one took the name, so the platform redirects it no more.
    repositoryOf(double.world, 'octo/hidden').formerNames.length = 0;
    double.addRepository({ name: 'octo/secret', facts: { id: 91_001 }, workflows: [] });
    clock.advance(20 * 60_000);
    for (const as of ['token-bo', 'token-ann']) {
      expect((await ask('GET', `/api/db/runs?${secret}`, { as })).body).toMatchObject({ runs: [], total: 0 });
      const trends = await ask('GET', `/api/db/trends?${secret}`, { as });
      expect(trends.body.data.every(({ total }: { total: number | null }) => !total)).toBe(true);
      const summary = await ask('GET', `/api/codehost/repo-summary?${secret}`, { as });
      expect(summary.body).toMatchObject({ latest_run_at: null, latest_actor: null, recent_runs: [] });
    }
    const stored = await ask('GET', '/api/db/runs?owner=octo&repo=hidden', { as: 'token-ann' });
    expect(stored.body.total).toBeGreaterThan(0);
    expect((await ask('GET', '/api/db/runs?owner=octo&repo=hidden', { as: 'token-bo' })).status).toBe(404);
  } finally {
    await service.close();
  }
});
