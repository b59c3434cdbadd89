import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prFacts } from '../../jobs/pr-facts.ts';
import { runsSync } from '../../jobs/runs-sync.ts';
import { expectProblem } from '../api/endpoints.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms } from '../support/postgres.ts';
import { type Service, startService } from '../support/service.ts';
import { nightlyStage, troubleMs } from './nightly-stage.ts';
import { restlessPostgres } from './restless-postgres.ts';

describe.skipIf(!findPrograms())('a PostgreSQL that goes away in the middle of nightly work', () => {
  let server: NonNullable<Awaited<ReturnType<typeof restlessPostgres>>>;
  // What is requested first comes last: the services are closed by then.
  afterAll(() => server?.stop());
  const stage = nightlyStage(async () => {
    server = (await restlessPostgres()) ?? server;
    return createDatabase(server.socket);
  });
  let shared: Service;
  beforeAll(async () => {
    const settings = { MODE: 'organization', DATABASE_URL: await createDatabase(server.socket) };
    shared = await startService(settings);
    await shared.signIn('token-ann');
  });
  afterAll(async () => {
    await shared?.close();
  });
  const request = ['/api/db/runs?owner=octo&repo=web', '/api/auth/me', '/api/codehost/repositories'];

  test.each([
    { job: runsSync, reads: 'runs' },
    { job: prFacts, reads: 'pullRequests' },
  ] as const)('leaves nothing of $job.name out, which goes on by itself; meanwhile nobody is let in', async (one) => {
    const { double } = stage;
    double.reset();
    double.fault({ times: 20 }, { kind: 'latency', ms: 200 });
    const slot = stage.begin(one.job);
    await expect.poll(() => double.requests.length).toBeGreaterThan(3);
    await server.away();
    const until = Date.now() + troubleMs;
    for (const path of request)
      expectProblem(await shared.ask('GET', path, { as: 'token-ann' }), 503, 'authz_unavailable');
    expectProblem(await shared.ask('GET', '/api/ready'), 503, 'db_unavailable');
    expect((await shared.ask('GET', '/api/health')).status).toBe(200);
    await sleep(Math.max(0, until - Date.now()));
    await server.back();
    await stage.doneSoon(slot);
    const { kept, there } = await stage.stored();
    expect(kept.map((repository) => repository[one.reads])).toEqual(there.map((repository) => repository[one.reads]));
    const statuses = (await slot.rows()).map(({ status }) => status);
    expect(statuses).not.toContain('running');
    // Each connection of the pool is sound again.
    const twenty = Array.from({ length: 20 }, () => stage.store.repositories.tracked());
    expect((await Promise.all(twenty)).every((repositories) => repositories.length === 3)).toBe(true);
    for (const path of [...request, '/api/ready'])
      expect((await shared.ask('GET', path, { as: 'token-ann' })).status, path).not.toBe(503);
  });
});
