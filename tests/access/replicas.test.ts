import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { createMigrated } from '../support/created-databases.ts';
import { type Service, startService } from '../support/service.ts';

const socket = inject('postgres');
const perMinute = 40;
const day = 86_400_000;

/** Two processes of one service: the same platform, clock and PostgreSQL. */
function twoProcesses(env: Record<string, string>) {
  const site = { url: '', here: null as unknown as Service, there: null as unknown as Service };
  beforeAll(async () => {
    site.url = await createMigrated(socket as string);
    site.here = await startService({ ...env, DATABASE_URL: site.url });
    site.there = await startService({ ...env, DATABASE_URL: site.url }, site.here);
  });
  afterAll(async () => {
    await site.there?.close();
    await site.here?.close();
  });
  return site;
}

/** The clock stands still, so that no process reads again by itself. */
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const me = async (service: Service, cookie: string) =>
  (await service.ask('GET', '/api/auth/me', { headers: { cookie } })).status;

describe.skipIf(socket === null)('an organization served by two processes', () => {
  const site = twoProcesses({ MODE: 'organization' });
  const ann = { as: 'token-ann' };
  let bo: { headers: Record<string, string> };
  beforeAll(async () => {
    await site.here.signIn('token-ann');
    bo = { headers: { cookie: await site.here.signIn('token-bo') } };
    await site.there.signIn('token-ann');
    await site.here.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['pm'] } });
  });
  const bill = async () => (await site.there.ask('GET', '/api/codehost/billing?org=octo', bo)).status;
  const grant = (granted: boolean) =>
    site.here.ask('PUT', '/api/admin/permissions', { ...ann, body: { group: 'pm', flag: 'costAnalytics', granted } });

  test('a grant that one takes away is rejected by the other, and given again by both', async () => {
    expect(await bill()).not.toBe(403);
    await grant(false);
    await soon(async () => expect(await bill()).toBe(403));
    await grant(true);
    await soon(async () => expect(await bill()).not.toBe(403));
  });

  test('a group that one takes away is gone in the other', async () => {
    await site.here.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: [] } });
    await soon(async () => expect(await bill()).toBe(403));
    await site.here.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['pm'] } });
  });

  test('a setting that one saves is in effect in the other', async () => {
    const path = '/api/settings/working-habits';
    const { body } = await site.here.ask('GET', path, ann);
    const saved = { ...body.defaults, files_per_commit: body.defaults.files_per_commit + 1 };
    expect((await site.here.ask('PUT', path, { ...ann, body: saved })).status).toBe(200);
    await soon(async () => expect((await site.there.ask('GET', path, ann)).body).toMatchObject(saved));
  });

  test('a link that one makes is known to the other', async () => {
    const path = '/api/admin/identity-links';
    await site.here.ask('POST', path, { ...ann, body: { alias: 'bo', primary: 'ann' } });
    await soon(async () =>
      expect((await site.there.ask('GET', path, ann)).body.links).toMatchObject([{ alias: 'bo', primary: 'ann' }]),
    );
  });

  test('a session that ends in one has ended in the other', async () => {
    const { cookie = '' } = bo.headers;
    expect(await me(site.there, cookie)).toBe(200);
    await site.here.ask('POST', '/api/auth/logout', { headers: { cookie } });
    await soon(async () => expect(await me(site.there, cookie)).toBe(401));
  });
});

describe.skipIf(socket === null)('one person served by two processes', () => {
  const site = twoProcesses({ RATE_LIMIT_SESSION_PER_MINUTE: String(perMinute) });
  let addresses = 0;
  const signedIn = async () => {
    site.here.clock.advance(60_000);
    const from = `10.1.0.${++addresses}`;
    const answer = await site.here.ask('POST', '/api/auth/setup', { body: { pat: 'token-ann' }, from });
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  test('a session of one person that ends in one has ended in the other', async () => {
    const cookie = await signedIn();
    expect(await me(site.there, cookie)).toBe(200);
    await site.here.ask('DELETE', '/api/auth/setup', { headers: { cookie } });
    await soon(async () => expect(await me(site.there, cookie)).toBe(401));
  });

  test('together they accept what a session may ask in a minute, and a twentieth more at most', async () => {
    const cookie = await signedIn();
    const both = [site.here, site.there];
    for (let minute = 0; minute < 3; minute++) {
      const request = Array.from({ length: 100 }, (_, n) => me(both[n % 2] as Service, cookie));
      const accepted = (await Promise.all(request)).filter((status) => status === 200).length;
      expect(accepted).toBeGreaterThanOrEqual(perMinute);
      expect(accepted).toBeLessThanOrEqual(perMinute * 1.05);
      for (const service of both) expect(await me(service, cookie)).toBe(429);
      site.here.clock.advance(60_000);
    }
  });

  test('what one has accepted the other hears of', async () => {
    const cookie = await signedIn();
    for (let n = 0; n < perMinute; n++) expect(await me(site.here, cookie)).toBe(200);
    let more = 0;
    await soon(async () => {
      const status = await me(site.there, cookie);
      if (status === 200) more++;
      expect(status).toBe(429);
    });
    expect(more).toBeLessThanOrEqual(perMinute / 20);
  });

  test('an unknown token is looked up thirty times a minute for one address, whichever process is asked', async () => {
    const look = async (service: Service, n: number) =>
      (await service.ask('GET', '/api/auth/me', { headers: bearerOf(`token-${n}`), from: '10.2.0.1' })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push(await look(n % 2 ? site.here : site.there, n));
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test('a partial synchronization is gone on with uncounted by either', async () => {
    const cookie = await signedIn();
    const { double, clock } = site.here;
    double.addRuns('octo/fork', 3300, { from: clock.now() - 80 * day, to: clock.now() - day, firstId: 500_000 });
    const sync = async (service: Service) => {
      const answer = await service.ask('POST', '/api/db/sync?owner=octo&repo=fork', { headers: { cookie } });
      return [answer.status, answer.body.partial, answer.headers.has('ratelimit-remaining')];
    };
    expect(await sync(site.here)).toEqual([200, true, true]);
    expect(await sync(site.there)).toEqual([200, true, false]);
    clock.advance(240_000);
    expect(await sync(site.here)).toEqual([200, true, true]);
  });

  // The last: from then on no notice comes through, as behind a pooler that shares out connections by transaction.
  test('without notices a session that ended elsewhere is honoured for ten seconds at most', async () => {
    const connection = await connect({
      url: site.url,
      log: createLog('silent'),
      poolMax: 1,
      statementTimeoutMs: 60_000,
    });
    await toDatabase(connection.orm).query('drop trigger sessions_ended on sessions');
    await connection.close();
    const cookie = await signedIn();
    expect(await me(site.there, cookie)).toBe(200);
    await site.here.ask('DELETE', '/api/auth/setup', { headers: { cookie } });
    expect(await me(site.there, cookie)).toBe(200);
    site.here.clock.advance(10_000);
    expect(await me(site.there, cookie)).toBe(401);
  });
});
