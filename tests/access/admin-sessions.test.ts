import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { expectFields, expectProblem } from '../api/endpoints.ts';
import { holds, me, signedIn, written } from '../api/session/signing-in.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { createMigrated } from '../support/created-databases.ts';
import { type Service, startService } from '../support/service.ts';

const socket = inject('postgres');
const path = '/api/admin/sessions';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
interface Listed {
  id: string;
  login: string;
  current: boolean;
}

const databases = [
  ['on the embedded database', async () => 'pglite://memory'],
  ...(socket === null ? [] : [['on PostgreSQL', () => createMigrated(socket)] as const]),
] as const;

const listed = async (service: Service, cookie: string, query = '') =>
  (await service.ask('GET', `${path}${query}`, { headers: { cookie } })).body;
const end = (service: Service, cookie: string, query: string) =>
  service.ask('DELETE', `${path}?${query}`, { headers: { cookie } });
const statusOf = async (service: Service, cookie: string) => (await me(service, cookie)).status;

/** The public id of the session of this cookie, as its owner reads it. */
async function idOf(service: Service, cookie: string): Promise<string> {
  const { body } = await service.ask('GET', '/api/auth/sessions', { headers: { cookie } });
  return body.sessions.find(({ current }: Listed) => current).id;
}

describe.each(databases)('administrators of an organization, %s', (_, address) => {
  let service: Service;
  let ann = '';
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', DATABASE_URL: await address() });
    ann = await signedIn(service, { login: 'ann' });
  });
  afterAll(() => service.close());

  test('read where everybody is signed in, who was here last first, and nothing that opens a session', async () => {
    service.clock.advance(1000);
    const bo = await signedIn(service, { login: 'bo', token: 'listed-of-bo' });
    const answer = await service.ask('GET', path, { headers: { cookie: ann } });
    expect(answer.body).toMatchObject({ total: 2, limit: 100, offset: 0 });
    expect(answer.body.sessions).toEqual([
      {
        id: await idOf(service, bo),
        codehost_id: '102',
        login: 'bo',
        user_agent: null,
        current: false,
        created_at: new Date(service.clock.now()).toISOString(),
        last_used_at: new Date(service.clock.now()).toISOString(),
        expires_at: new Date(service.clock.now() + 168 * 3_600_000).toISOString(),
      },
      expect.objectContaining({ id: await idOf(service, ann), codehost_id: '101', login: 'ann', current: true }),
    ]);
    const sessionId = service.app.services.sessions.unseal(new Headers({ cookie: bo }))?.session.id ?? '';
    expect(sessionId).toMatch(/^[\w-]{43}$/);
    expect(answer.text).not.toContain(sessionId);
    expect(answer.text).not.toContain('listed-of-bo');
    const csv = await service.ask('GET', `${path}?format=csv`, { headers: { cookie: ann } });
    expect(csv.text.split('\r\n')[0]).toContain('login');
    service.clock.advance(600_000);
    await me(service, ann);
    expect((await listed(service, ann)).sessions.map(({ login }: Listed) => login)).toEqual(['ann', 'bo']);
  });

  test('find them by a part of a login, as the account is called now, a page at a time', async () => {
    const { sessions, store, clock } = service.app.services;
    const user = { id: 7001, login: 'Old_name', name: null, avatarUrl: '' };
    for (let count = 0; count < 3; count++) await sessions.begin(user, `token-${count}`, firefox);
    const entitlement = { mayBootstrap: false, defaultGroup: null };
    await store?.users.signedIn({ ...user, login: 'New_name' }, entitlement, 'made-here', clock.now());
    const found = await listed(service, ann, '?q=W_N&limit=2');
    expect([found.total, found.sessions.length, found.limit]).toEqual([3, 2, 2]);
    expect(found.sessions[0]).toMatchObject({ login: 'New_name', user_agent: firefox });
    const rest = await listed(service, ann, '?q=w_n&limit=2&offset=2');
    expect(new Set([...found.sessions, ...rest.sessions].map(({ id }: Listed) => id)).size).toBe(3);
    expect((await listed(service, ann, '?q=old_name')).total).toBe(0);
    expect((await end(service, ann, 'login=new_NAME')).body).toEqual({ ok: true, ended: 3 });
    expect((await listed(service, ann, '?q=w_n')).total).toBe(0);
  });

  test('end one of somebody else for good, which is written down; its token is given back when it shows itself', async () => {
    const [first, second] = [
      await signedIn(service, { login: 'bo', token: 'first-of-bo' }),
      await signedIn(service, { login: 'bo', token: 'second-of-bo' }),
    ];
    const id = await idOf(service, first);
    const answer = await end(service, ann, `id=${id}`);
    expect([answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([200, { ok: true, ended: 1 }, []]);
    expectProblem(await me(service, first), 401, 'unauthenticated');
    expect([await statusOf(service, second), holds(service, 'first-of-bo')]).toEqual([200, false]);
    expect((await written(service))[0]).toMatchObject({
      category: 'access',
      action: 'session.revoked',
      actor: { id: 101, login: 'ann' },
      targetType: 'user',
      target: 'bo',
      before: null,
      after: { ended: 1 },
      note: 'ended_by_administrator',
      requestId: answer.headers.get('x-request-id'),
    });
    const before = await written(service);
    expectProblem(await end(service, ann, `id=${id}`), 404, 'not_found');
    expect(await written(service)).toEqual(before);
  });

  test('end all of an account at once, and leave others alone', async () => {
    const bo = [await signedIn(service, { login: 'bo' }), await signedIn(service, { login: 'bo' })];
    const { ended } = (await end(service, ann, 'login=BO')).body;
    expect(ended).toBeGreaterThanOrEqual(2);
    for (const cookie of bo) expect(await statusOf(service, cookie)).toBe(401);
    expect(await statusOf(service, ann)).toBe(200);
    expect((await written(service))[0]).toMatchObject({ target: 'bo', after: { ended } });
    expectProblem(await end(service, ann, 'login=bo'), 404, 'not_found');
    expect(await statusOf(service, await signedIn(service, { login: 'bo' }))).toBe(200);
  });

  test('end those of one account by its id, though its login has gone to another one', async () => {
    const { sessions, store, clock } = service.app.services;
    const entitlement = { mayBootstrap: false, defaultGroup: null };
    for (const id of [7101, 7102]) {
      const user = { id, login: 'passed-on', name: null, avatarUrl: '' };
      await store?.users.signedIn(user, entitlement, 'made-here', clock.now());
      for (let count = 7101; count <= id; count++) await sessions.begin(user, `token-${id}-${count}`, firefox);
    }
    const left = async () =>
      (await listed(service, ann, '?q=passed-on')).sessions.map((one: { codehost_id: string }) => one.codehost_id);
    expect((await end(service, ann, 'codehost_id=7101')).body).toEqual({ ok: true, ended: 1 });
    expect(await left()).toEqual(['7102', '7102']);
    expect((await written(service))[0]).toMatchObject({
      target: 'passed-on',
      after: { codehost_id: '7101', ended: 1 },
    });
    expectProblem(await end(service, ann, 'codehost_id=7101'), 404, 'not_found');
    await sessions.begin({ id: 7101, login: 'passed-on', name: null, avatarUrl: '' }, 'token-again', firefox);
    expect((await end(service, ann, 'login=passed-on')).body).toEqual({ ok: true, ended: 3 });
    expect((await written(service)).slice(0, 2)).toMatchObject([
      { target: 'passed-on', after: { codehost_id: '7102', ended: 2 } },
      { target: 'passed-on', after: { codehost_id: '7101', ended: 1 } },
    ]);
  });

  test('end their own likewise: the cookie goes, and the token is given back', async () => {
    const other = await signedIn(service, { login: 'ann', token: 'own-of-ann' });
    const answer = await end(service, other, 'login=ann');
    expect(answer.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0;/);
    for (const cookie of [other, ann]) expect(await statusOf(service, cookie)).toBe(401);
    expect(holds(service, 'own-of-ann')).toBe(false);
    ann = await signedIn(service, { login: 'ann' });
  });

  test('alone may do so, with a session of their own and from this site', async () => {
    const bo = await signedIn(service, { login: 'bo' });
    await service.ask('PUT', '/api/admin/users/102/groups', { headers: { cookie: ann }, body: { groups: ['dev'] } });
    for (const method of ['GET', 'DELETE']) {
      expectProblem(await service.ask(method, path, { headers: { cookie: bo } }), 403, 'forbidden');
      expectProblem(await service.ask(method, path), 401, 'unauthenticated');
    }
    const headers = { cookie: ann, origin: 'https://elsewhere.example' };
    expectProblem(await service.ask('DELETE', `${path}?login=bo`, { headers }), 403, 'csrf_rejected');
    const token = 'bearer-of-ann';
    service.double.world.tokens.push({ token, login: 'ann', scopes: ['repo'], authorizedFor: [], only: null });
    const bearer = { headers: bearerOf(token) };
    expectProblem(await service.ask('DELETE', `${path}?login=bo`, bearer), 403, 'session_required');
    const { sessions } = (await service.ask('GET', path, bearer)).body;
    expect(sessions.some(({ current }: Listed) => current)).toBe(false);
    expect(await statusOf(service, bo)).toBe(200);
  });

  test('are shown what names no session', async () => {
    expectFields(await end(service, ann, ''), ['id', 'missing']);
    expectFields(await end(service, ann, `id=${'A'.repeat(43)}&login=bo`), ['id', 'invalid']);
    expectFields(await end(service, ann, `id=${'A'.repeat(43)}&codehost_id=102`), ['id', 'invalid']);
    expectFields(await end(service, ann, 'codehost_id=bo'), ['codehost_id', 'invalid']);
    expectFields(await end(service, ann, 'id=1'), ['id', 'invalid']);
    expectFields(await end(service, ann, 'login=-'), ['login', 'invalid']);
    expectProblem(await end(service, ann, `id=${'A'.repeat(43)}`), 404, 'not_found');
  });

  test('end sixty times a minute at most', async () => {
    service.clock.advance(60_000);
    for (let left = 59; left >= 0; left--) {
      const answer = await end(service, ann, 'login=nobody');
      expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([404, String(left)]);
    }
    expectProblem(await end(service, ann, 'login=nobody'), 429, 'rate_limited');
  });
});

test.each(['pglite://memory', ''])('in standalone mode nobody sees or ends sessions of others: %j', async (address) => {
  const service = await startService({ STANDALONE_ALLOWED_LOGINS: 'ann,bo', DATABASE_URL: address });
  const [ann, bo] = [await service.signIn('token-ann'), await service.signIn('token-bo')];
  expectProblem(await service.ask('GET', path, { headers: { cookie: ann } }), 403, 'org_mode_only');
  expectProblem(await end(service, ann, 'login=bo'), 403, 'org_mode_only');
  expect(await statusOf(service, bo)).toBe(200);
  await service.close();
});

describe.skipIf(socket === null)('served by two processes', () => {
  let here: Service;
  let there: Service;
  beforeAll(async () => {
    const env = { MODE: 'organization', DATABASE_URL: await createMigrated(socket as string) };
    here = await startService(env);
    there = await startService(env, here);
  });
  afterAll(async () => {
    await there?.close();
    await here?.close();
  });

  test('what an administrator ends in one is over in the other at once', async () => {
    const [ann, bo] = [await here.signIn('token-ann'), await here.signIn('token-bo')];
    for (const query of ['login=bo', `id=${await idOf(here, ann)}`]) {
      expect(await statusOf(there, ann)).toBe(200);
      const cookie = query === 'login=bo' ? bo : ann;
      expect(await statusOf(there, cookie)).toBe(200);
      expect((await end(here, ann, query)).body.ended).toBe(1);
      // The clock stands still, so that the other does not read the session again by itself.
      const within = { timeout: 60_000, interval: 20 };
      await vi.waitFor(async () => expect(await statusOf(there, cookie)).toBe(401), within);
    }
  });
});
