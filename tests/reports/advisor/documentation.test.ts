import { beforeAll, expect, test } from 'vitest';
import { advisor } from '../../../server/settings/advisor.ts';
import { storedService } from '../../api/stored.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { addWords, storeWords } from './documentation-world.ts';

aDatabase((database) => {
  const visit = storedService(database);
  const ask = (query = '') =>
    visit.service.ask('GET', `/api/advisor/recommendations?owner=octo&repo=words&kind=ADV-04${query}`, {
      as: 'token-ann',
    });

  beforeAll(async () => {
    const { double, app, clock } = visit.service;
    const { store } = app.services;
    if (!store) throw new Error('no store');
    addWords(double, clock.now());
    await storeWords(store, clock.now());
  });

  test('no pull requests are read while it is not looked for', async () => {
    const { service } = visit;
    const save = (kinds_off: string[]) =>
      service.ask('PUT', '/api/settings/advisor', { as: 'token-ann', body: { ...advisor.fallback, kinds_off } });
    const reads = () => service.double.requests.filter(({ operation }) => operation === 'ChangedFiles').length;
    expect((await save(['ADV-04'])).status).toBe(200);
    expect([(await ask()).status, reads()]).toEqual([200, 0]);
    expect((await save([])).status).toBe(200);
    expect([(await ask()).status, reads()]).toEqual([200, 2]);
  });

  test('runs for documentation alone are found by the files of pull requests, none of which is told', async () => {
    const { body } = await ask();
    expect(body.recommendations).toMatchObject([
      {
        anchor: 'on.paths-ignore',
        finding: { text: '15 of 30 runs were for changes of documentation alone.' },
        effect: { predicted: true, history: { minutes_before: 180, minutes_after: 90, reduction_pct: 50 } },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/README|guide/);
  });

  test('a check that pull requests need excludes it', async () => {
    repositoryOf(visit.service.double.world, 'octo/words').requiredChecks.byRules.push('test');
    visit.service.clock.advance(6 * 3_600_000);
    const { body } = await ask();
    expect(body.recommendations).toEqual([]);
    expect(body.not_offered).toMatchObject([{ kind: 'ADV-04', reasons: [{ code: 'required_check' }] }]);
  });

  test('pull requests that cannot be read leave the others as they are', async () => {
    visit.service.clock.advance(3_600_000);
    visit.service.double.fault(
      { path: '/graphql', times: 4 },
      { kind: 'failing_field', field: 'Repository.pullRequests', type: 'FORBIDDEN' },
    );
    const { status, body } = await ask('&state=all');
    expect([status, body.recommendations, body.not_offered]).toEqual([200, [], []]);
  });
});
