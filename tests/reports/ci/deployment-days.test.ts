import { beforeAll, describe, expect, test } from 'vitest';
import { getMarks } from '../../../server/alerts/operations/marks.ts';
import { panel } from '../../../server/http/adapters.ts';
import { createContext, demoContext } from '../../../server/http/context.ts';
import { type Member, settle } from '../../access/personas.ts';
import { visitService } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { startService } from '../../support/service.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';

const path = '/api/db/marks?repo=octo%2Fweb&range=30';

interface Day {
  first_at: string;
  environment: string;
  deployments: number;
  failed: number | null;
}

aDatabase((database) => {
  const visit = storedService(database);
  beforeAll(() => visit.sync('owner=octo&repo=web'));
  const ask = async () => {
    const { status, body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(status).toBe(200);
    return body.deployments as Day[] | null;
  };

  test('deployments are no marks before any were read', async () => expect(await ask()).toBeNull());

  test('once read they are there by day, as their own report counts them, without a request', async () => {
    const { body } = await visit.service.ask('GET', '/api/codehost/deployments?owner=octo&repo=web', {
      as: 'token-ann',
    });
    visit.service.double.requests.length = 0;
    const days = (await ask()) ?? [];
    expect(besidesTokenCheck(visit.service.double.requests)).toEqual([]);
    const own = body.by_day.filter((one: { environment: string }) => one.environment === body.production_environment);
    type Counted = { success: number; failed: number; inconclusive: number };
    expect(days.map(({ deployments, failed }) => [deployments, failed])).toEqual(
      own.map(({ success, failed, inconclusive }: Counted) => [success + failed + inconclusive, failed]),
    );
    expect(days.length).toBeGreaterThan(0);
    expect(new Set(days.map(({ environment }) => environment))).toEqual(new Set([body.production_environment]));
    expect(days.map(({ first_at }) => first_at)).toEqual(days.map(({ first_at }) => first_at).toSorted());
  });
});

test('deployments are not told to those who may not see them, nor by an answer that others got a moment ago', async () => {
  const service = await startService({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  try {
    const tokens = await settle(service);
    const ask = (kind: Member, method: 'GET' | 'PUT' | 'POST', to: string, body?: object) =>
      service.ask(method, to, { as: tokens[kind], ...(body && { body }) });
    await ask('in admin', 'POST', '/api/db/sync?owner=octo&repo=web');
    await ask('in admin', 'GET', '/api/codehost/deployments?owner=octo&repo=web');
    const refused = { group: 'dev', flag: 'deployments', granted: false };
    expect((await ask('in admin', 'PUT', '/api/admin/permissions', refused)).status).toBe(200);
    const read = async (kind: Member) => (await ask(kind, 'GET', path)).body;
    expect((await read('in pm')).deployments).toHaveLength(1);
    const { deployments, alerts } = await read('in dev');
    expect([deployments, alerts]).toEqual([null, []]);
  } finally {
    await service.close();
  }
});

describe('the marks of the demo', () => {
  const visit = visitService({});

  test('have the deployments of its repository', async () => {
    const incoming = {
      method: 'GET',
      url: new URL('http://service.test/demo'),
      headers: new Headers(),
      address: '',
      signal: new AbortController().signal,
    };
    const context = demoContext(createContext(visit.service.app.services, incoming));
    const extra = { repo: 'lumen-harbor/tidewater-web', range: '30' };
    const answer = await panel(getMarks, { context, params: {}, extra });
    const { deployments, window } = answer.ok ? answer.data : { deployments: null, window: { from: '' } };
    expect(deployments?.length).toBeGreaterThan(3);
    for (const { first_at } of deployments ?? []) expect(first_at >= window.from).toBe(true);
  });
});
