import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';

aDatabase((database) => {
  const stored = storedService(database);
  const ask = () => stored.service.ask('GET', '/api/codehost/org-health-scorecard?org=octo', { as: 'token-ann' });

  test('finished scores are read back from the database as they were', async () => {
    let first = await ask();
    while (first.body.computing) first = await ask();
    expect(first.body).toMatchObject({ repos_analysed: 6, partial: false });
    stored.service.double.requests.length = 0;
    const second = await ask();
    expect(stored.service.double.requests).toEqual([]);
    expect(second.body).toEqual(first.body);
  });

  test('facts that are stored make the scores of another question for one request a repository at most', async () => {
    const { service } = stored;
    service.clock.advance(20 * 60_000);
    service.double.requests.length = 0;
    const query = '/api/codehost/org-health-scorecard?org=octo&limit=4';
    let { body } = await service.ask('GET', query, { as: 'token-ann' });
    while (body.computing) body = (await service.ask('GET', query, { as: 'token-ann' })).body;
    expect(body).toMatchObject({ repos_analysed: 4, data_source: 'mixed' });
    const graphql = service.double.requests.filter((one) => one.graphql !== null);
    expect(graphql.length).toBeLessThanOrEqual(4);
    expect(graphql.length).toBeGreaterThan(0);
  });

  test('stops when the process ends', async () => {
    await stored.anew();
    const { app, double, signIn } = stored.service;
    await signIn('token-ann');
    double.fault({ path: '/graphql', times: 99 }, { kind: 'latency', ms: 150 });
    double.requests.length = 0;
    const asking = ask();
    await expect.poll(() => double.requests.some(({ path }) => path === '/graphql')).toBe(true);
    app.stop();
    expect((await asking).body).toMatchObject({ partial: true, computed_at: null });
    const sofar = double.requests.length;
    await sleep(500);
    expect(double.requests.length).toBe(sofar);
  });
});
