import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openUnderToken } from '../../server/access/token-seal.ts';
import { createTokenText, exampleToken, isTokenText } from '../../server/access/token-text.ts';
import { sealedBox } from '../../server/platform/sealed.ts';
import { settingsBox } from '../../server/settings/sealing.ts';
import { expectProblem } from '../api/endpoints.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { createMigrated } from '../support/created-databases.ts';
import { type Service, startService } from '../support/service.ts';
import { expectRejected, me } from './asked-with-token.ts';
import { makeToken, ownBearer } from './made-token.ts';

const socket = inject('postgres');
const dayMs = 86_400_000;
const databases = [
  ['on the embedded database', async () => 'pglite://memory'],
  ...(socket === null ? [] : [['on PostgreSQL', () => createMigrated(socket)] as const]),
] as const;

const auditOf = async ({ app }: Service) =>
  (await app.services.store?.audit.list({ limit: 50, before: null, categories: null, actor: null, action: null })) ??
  [];

describe.each(databases)('access tokens, %s', (_, database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await database(),
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      SESSION_TTL_HOURS: '720',
    });
  });
  afterAll(() => service.close());
  const create = (body: object, as = 'token-ann') => service.ask('POST', '/api/tokens', { as, body });
  /** More are made here than an account may make in an hour. */
  const nextHour = () => service.clock.advance(3_600_000);

  test('a token is shown once, reads, and is listed without its text', async () => {
    const made = await create({ name: ' Dashboard ', features: ['dora', 'reports'] });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toContain('no-store');
    const { token, access_token } = made.body;
    expect(isTokenText(token)).toBe(true);
    const now = service.clock.now();
    expect(access_token).toEqual({
      id: expect.any(Number),
      kind: 'personal',
      name: 'Dashboard',
      hint: token.slice(-4),
      features: ['dora', 'reports'],
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + 90 * dayMs).toISOString(),
      last_used_at: null,
      last_used_from: null,
      state: 'live',
      client: null,
    });
    const answer = await me(service, ownBearer(token), '192.0.2.77');
    expect(answer.body).toMatchObject({
      login: 'ann',
      is_admin: false,
      features: ['dora', 'reports'],
      session_expires_at: null,
      token: { name: 'Dashboard', expires_at: access_token.expires_at },
    });
    const listed = await service.ask('GET', '/api/tokens', { as: 'token-ann' });
    expect(listed.body.tokens[0]).toEqual({
      ...access_token,
      last_used_at: new Date(now).toISOString(),
      last_used_from: '192.0.2.0/24',
    });
    expect(listed.text).not.toContain(token);
    expect(await auditOf(service)).toContainEqual(
      expect.objectContaining({ action: 'token.created', category: 'access', target: `${access_token.id} Dashboard` }),
    );
  });

  test('it reads what its owner sees on GitHub, also as CSV', async () => {
    const { headers } = await makeToken(service, 'token-ann', ['dora']);
    const delivery = '/api/codehost/repo-dora?owner=octo&repo=web';
    const own = await service.ask('GET', delivery, { as: 'token-ann' });
    expect((await service.ask('GET', delivery, { headers })).body).toEqual(own.body);
    const csv = await service.ask('GET', `/api/codehost/repos?format=csv`, { headers });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect((await service.ask('GET', '/api/openapi.json', { headers })).status).toBe(200);
  });

  test.each([
    ['', 'name'],
    ['x'.repeat(81), 'name'],
    ['a\u0000b', 'name'],
  ])('the name %j is rejected', async (name, field) => {
    const answer = await create({ name, features: [] });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.details.fields[0].field).toBe(field);
  });

  test.each([
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ expires_in_days: 367 }, 'expires_in_days'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2090-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_in_days: 7, expires_at: '2090-01-01T00:00:00Z' }, 'expires_at'],
    [{ features: ['dataSync'] }, 'features'],
    [{ features: ['codehostIssueFromAnomaly'] }, 'features'],
    [{ features: ['nothing'] }, 'features'],
    [{ kind: 'oauth' }, 'kind'],
    [{ platform_token: 'token-bo' }, 'platform_token'],
    [{ platform_token: 'token-nobody' }, 'platform_token'],
  ])('%j is rejected', async (wrong, field) => {
    nextHour();
    const answer = await create({ name: 'Wrong', features: [], ...wrong });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.details.fields.map((one: { field: string }) => one.field)).toContain(field);
  });

  test('it ends a day from now or later', async () => {
    nextHour();
    const endIn = (ms: number) => new Date(service.clock.now() + ms).toISOString();
    const shorter = await create({ name: 'Short', features: [], expires_at: endIn(dayMs - 1000) });
    expectProblem(shorter, 400, 'invalid_request');
    expect(shorter.body.details.fields.map((one: { field: string }) => one.field)).toEqual(['expires_at']);
    expect((await create({ name: 'A day', features: [], expires_at: endIn(dayMs) })).status).toBe(201);
  });

  test('it rests on another platform token of the same account', async () => {
    nextHour();
    const { world } = service.double;
    const narrow = { token: 'token-narrow', login: 'ann', scopes: null, authorizedFor: [], only: ['octo/web'] };
    world.tokens.push(narrow);
    const { headers } = await makeToken(service, 'token-ann', [], { platform_token: 'token-narrow' });
    const summary = (repo: string, one: object) =>
      service.ask('GET', `/api/codehost/repo-summary?owner=octo&repo=${repo}`, one);
    expect((await summary('web', { headers })).status).toBe(200);
    expect((await summary('api', { as: 'token-ann' })).status).toBe(200);
    expect((await summary('api', { headers })).status).toBe(404);
  });

  test('what begins like one of ours is never sent to GitHub', async () => {
    service.double.requests.length = 0;
    const texts = ['das', 'dast_', 'dasx_whatever', `${createTokenText()}x`, exampleToken];
    for (const [index, text] of texts.entries())
      expectRejected(await me(service, ownBearer(text), `10.9.1.${index}`), 'token_malformed');
    expectRejected(await me(service, ownBearer(createTokenText()), '10.9.1.99'), 'token_not_valid');
    expect(service.double.requests).toEqual([]);
  });

  test('thirty unknown tokens a minute may come from an address; the others go on to work there', async () => {
    nextHour();
    const { headers } = await makeToken(service, 'token-ann', []);
    const from = '10.9.2.1';
    for (let times = 0; times < 30; times++) expect((await me(service, ownBearer('dast_x'), from)).status).toBe(401);
    expectProblem(await me(service, ownBearer('dast_x'), from), 429, 'rate_limited');
    expect((await me(service, headers, from)).status).toBe(200);
  });

  test('it opens no page, and signs nobody out', async () => {
    const { headers } = await makeToken(service, 'token-ann', []);
    const out = await service.ask('POST', '/api/auth/logout', { headers, body: {} });
    expect(out.status).toBe(200);
    expect((await me(service, headers)).status).toBe(200);
  });

  test('it ends when it expires, and is announced a week before', async () => {
    nextHour();
    const { headers, id } = await makeToken(service, 'token-ann', [], { expires_in_days: 8 });
    const state = async () => {
      const { body } = await service.ask('GET', '/api/tokens', { as: 'token-ann' });
      return body.tokens.find((one: { id: number }) => one.id === id)?.state;
    };
    expect(await state()).toBe('live');
    service.clock.advance(dayMs);
    expect(await state()).toBe('expiring');
    service.clock.advance(7 * dayMs - 1);
    expect((await me(service, headers)).status).toBe(200);
    service.clock.advance(1);
    expectRejected(await me(service, headers), 'token_not_valid');
    expect(await listed(service, id)).toBe('expired');
  });

  test('it is revoked for good, twice as well as once, and not by others', async () => {
    nextHour();
    const { headers, id } = await makeToken(service, 'token-ann', []);
    const revoke = (as: string) => service.ask('DELETE', `/api/tokens?id=${id}`, { as });
    expectProblem(await revoke('token-bo'), 404, 'not_found');
    expect((await me(service, headers)).status).toBe(200);
    expect((await revoke('token-ann')).body).toEqual({ ok: true, revoked: 1 });
    expectRejected(await me(service, headers), 'token_not_valid');
    expect((await revoke('token-ann')).body).toEqual({ ok: true, revoked: 0 });
    expectProblem(await service.ask('DELETE', '/api/tokens?id=999999', { as: 'token-ann' }), 404, 'not_found');
    for (const query of ['', `?id=${id}&all=1`])
      expectProblem(await service.ask('DELETE', `/api/tokens${query}`, { as: 'token-ann' }), 400, 'invalid_request');
  });

  test('all of an account are revoked at once, and no one else’s', async () => {
    nextHour();
    const [one, two] = [await makeToken(service, 'token-ann', []), await makeToken(service, 'token-ann', [])];
    const other = await makeToken(service, 'token-bo', []);
    const { body } = await service.ask('DELETE', '/api/tokens?all=1', { as: 'token-ann' });
    expect(body.revoked).toBeGreaterThanOrEqual(2);
    for (const { headers } of [one, two]) expectRejected(await me(service, headers), 'token_not_valid');
    expect((await me(service, other.headers)).status).toBe(200);
    expect(await auditOf(service)).toContainEqual(expect.objectContaining({ action: 'token.all_revoked' }));
  });

  test('an account has twenty live ones at most, and makes ten an hour', async () => {
    await service.ask('DELETE', '/api/tokens?all=1', { as: 'token-ann' });
    for (let hour = 0; hour < 2; hour++) {
      nextHour();
      for (let times = 0; times < 10; times++) await makeToken(service, 'token-ann', []);
      expectProblem(await create({ name: 'One more', features: [] }), 429, 'rate_limited');
    }
    nextHour();
    expectProblem(await create({ name: 'One more', features: [] }), 400, 'token_limit');
    await service.ask('DELETE', '/api/tokens?all=1', { as: 'token-ann' });
  });

  test('its platform token, once rejected, leaves it broken', async () => {
    nextHour();
    const { world } = service.double;
    world.tokens.push({ token: 'token-late', login: 'ann', scopes: ['repo'], authorizedFor: [], only: null });
    const { headers, id } = await makeToken(service, 'token-ann', [], { platform_token: 'token-late' });
    expect((await me(service, headers)).status).toBe(200);
    world.tokens = world.tokens.filter(({ token }) => token !== 'token-late');
    const rejected = await service.ask('GET', '/api/codehost/repos', { headers });
    expectProblem(rejected, 401, 'unauthenticated');
    expect(await listed(service, id)).toBe('broken');
    service.double.requests.length = 0;
    expectRejected(await me(service, headers), 'token_rejected');
    expect(service.double.requests).toEqual([]);
  });

  test('a platform token that has become another account’s revokes it', async () => {
    nextHour();
    const { world } = service.double;
    const moved = { token: 'token-moved', login: 'ann', scopes: ['repo'], authorizedFor: [], only: null };
    world.tokens.push(moved);
    const { headers, id } = await makeToken(service, 'token-ann', [], { platform_token: 'token-moved' });
    moved.login = 'bo';
    service.clock.advance(301_000);
    expectRejected(await me(service, headers), 'token_not_valid');
    expect(await listed(service, id)).toBe('revoked');
  });
});

async function listed(service: Service, id: number): Promise<string | undefined> {
  const { body } = await service.ask('GET', '/api/tokens', { as: 'token-ann' });
  return body.tokens.find((one: { id: number }) => one.id === id)?.state;
}

test('without a database there are none', async () => {
  const service = await startService();
  for (const method of ['GET', 'POST'])
    expectProblem(
      await service.ask(method, '/api/tokens', {
        as: 'token-ann',
        body: method === 'POST' ? { name: 'x', features: [] } : undefined,
      }),
      503,
      'db_not_configured',
    );
  expectProblem(await me(service, ownBearer(createTokenText())), 503, 'db_not_configured');
  await service.close();
});

describe.each(databases)('a stolen database, %s', (_, database) => {
  test('holds no platform token and no access token, nor opens one with the secrets of its environment', async () => {
    const SETTINGS_ENCRYPTION_KEY = '5e'.repeat(32);
    const service = await startService({ DATABASE_URL: await database(), SETTINGS_ENCRYPTION_KEY });
    const { store, env, secrets } = service.app.services;
    const known = [...secrets, SETTINGS_ENCRYPTION_KEY];
    const [first, second] = [await makeToken(service, 'token-ann', []), await makeToken(service, 'token-bo', [])];
    const { rows: tables } = (await store?.queue.executeSql(`select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)) ?? { rows: [] };
    const dump: string[] = [];
    for (const { relname } of tables as { relname: string }[])
      dump.push(JSON.stringify((await store?.queue.executeSql(`select * from ${relname}`))?.rows));
    const text = dump.join('\n');
    expect(text).toContain('Made by a test');
    for (const hidden of ['token-ann', 'token-bo', first.token, second.token]) expect(text).not.toContain(hidden);
    const { rows } = (await store?.queue.executeSql('select sealed from access_tokens order by id')) ?? { rows: [] };
    const [one, two] = (rows as { sealed: string }[]).map(({ sealed }) => sealed);
    expect(openUnderToken(first.token, one ?? '', known)?.text).toBe('token-ann');
    for (const guess of [second.token, exampleToken, '', ...known])
      expect(openUnderToken(guess, one ?? '', known)).toBeNull();
    expect(openUnderToken(first.token, two ?? '', known)).toBeNull();
    for (const purpose of ['settings', 'sent-forms', 'otlp/headers/v1', 'webhook/secret/v1'])
      expect(settingsBox(env, purpose).open(one ?? '')).toBeNull();
    for (const purpose of ['session/v1', 'oauth/v1']) expect(sealedBox(known, purpose).open(one ?? '')).toBeNull();
    expect(openUnderToken(first.token, one ?? '', ['the secret of another installation'])).toBeNull();
    await service.close();
  });
});

test.each(['an access token', 'a platform token'])('a request with %s prepares the platform once', async (kind) => {
  const service = await startService({ DATABASE_URL: 'pglite://memory' });
  const headers =
    kind === 'an access token' ? (await makeToken(service, 'token-ann', ['dora'])).headers : bearerOf('token-ann');
  const connect = vi.spyOn(service.app.services, 'connect');
  const path = '/api/codehost/repo-dora?owner=octo&repo=web';
  expect(await service.ask('GET', path, { headers })).toMatchObject({ status: 200 });
  expect(connect).toHaveBeenCalledOnce();
  await service.close();
});

test('signing out gives the platform token back once, but not while an access token rests on it', async () => {
  const service = await startService({ MODE: 'organization' });
  const returned = () => service.double.requests.filter(({ path }) => /\/applications\/.*\/token/.test(path)).length;
  const signOut = async (cookie: string) => service.ask('POST', '/api/auth/logout', { headers: { cookie }, body: {} });
  const first = await service.signIn('token-ann');
  const { headers } = await makeToken(service, 'token-ann', []);
  await signOut(first);
  expect(returned()).toBe(0);
  expect((await me(service, headers)).status).toBe(200);
  const bos = await service.signIn('token-bo');
  await signOut(bos);
  await signOut(bos);
  expect(returned()).toBe(1);
  await service.close();
});
