import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { getSessions } from '../../server/api/session/sessions.ts';
import { panel } from '../../server/http/adapters.ts';
import { createContext } from '../../server/http/context.ts';
import { loadPageContext } from '../../server/http/page-context.ts';
import { expectProblem } from '../api/endpoints.ts';
import { written } from '../api/session/signing-in.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { createMigrated } from '../support/created-databases.ts';
import { type Answered, type Service, startService } from '../support/service.ts';

const socket = inject('postgres');
const stored = '/api/jobs';
const believedMs = 300_000;
const pauseMs = 10_000;

const databases = [
  ['on the embedded database', async () => 'pglite://memory'],
  ...(socket === null ? [] : [['on PostgreSQL', () => createMigrated(socket)] as const]),
] as const;
const places = ['standalone', 'organization'].flatMap((MODE) =>
  databases.map(([where, address]) => [MODE, where, address] as const),
);

let addresses = 0;
let tokens = 0;

/** A new token of ann's, which the platform has just taken, with a session that carries it; and its revocation. */
async function newSession(service: Service) {
  const { double, app } = service;
  const token = `ghp_checked${++tokens}`;
  double.world.tokens.push({ token, login: 'ann', scopes: ['repo', 'read:org'], authorizedFor: [], only: null });
  const revoke = () => {
    double.world.tokens = double.world.tokens.filter((one) => one.token !== token);
  };
  const cookie = app.services.env.MODE === 'organization' ? await enter(service, token) : await submit(service, token);
  double.requests.length = 0;
  return { token, revoke, headers: { cookie } };
}

async function enter(service: Service, token: string): Promise<string> {
  await service.signIn('token-ann');
  await service.app.services.connect(token).viewer();
  const user = { id: 101, login: 'ann', name: null, avatarUrl: '' };
  return (await service.app.services.sessions.begin(user, token, '')).split(';')[0] ?? '';
}

async function submit(service: Service, token: string): Promise<string> {
  const from = `10.8.0.${++addresses}`;
  const answer = await service.ask('POST', '/api/auth/setup', { body: { pat: token }, from });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const sent = ({ double }: Service) => double.requests.map(({ method, path }) => `${method} ${path}`);

function expectRejected(answer: Answered): void {
  expectProblem(answer, 401, 'unauthenticated');
  expect(answer.body.details).toMatchObject({ reason: 'token_rejected' });
}

describe.each(places)('what is read from the database in %s mode, %s', (MODE, _, address) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ MODE, DATABASE_URL: await address(), RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  });
  afterEach(() => service.double.reset());
  afterAll(() => service.close());
  const read = (headers: Record<string, string>) => service.ask('GET', stored, { headers });

  test('is not given for a revoked token beyond five minutes, and all its sessions are over', async () => {
    const one = await newSession(service);
    const other = {
      cookie: MODE === 'organization' ? await enter(service, one.token) : await submit(service, one.token),
    };
    service.double.requests.length = 0;
    one.revoke();
    service.clock.advance(believedMs - 1);
    expect((await read(one.headers)).status).toBe(200);
    expect(sent(service)).toEqual([]);
    service.clock.advance(1);
    const answer = await read(one.headers);
    expectRejected(answer);
    expect(answer.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0/);
    for (const headers of [one.headers, other]) expectProblem(await read(headers), 401, 'unauthenticated');
    expect(sent(service).filter((one) => one.startsWith('GET'))).toEqual(['GET /user']);
    if (MODE === 'organization')
      expect((await written(service))[0]).toMatchObject({ action: 'session.revoked', note: 'token_rejected' });
  });

  test('is given for five minutes more for one free request, whoever asks at the same time', async () => {
    const { headers } = await newSession(service);
    for (let round = 0; round < 3; round++) {
      service.clock.advance(believedMs);
      const answers = await Promise.all(Array.from({ length: 8 }, () => read(headers)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      service.clock.advance(believedMs - 1);
      expect((await read(headers)).status).toBe(200);
      const found = service.double.requests.map(({ path, status, cost, conditional }) => [
        path,
        status,
        cost,
        conditional,
      ]);
      expect(found).toEqual([['/user', 304, 0, true]]);
      service.double.requests.length = 0;
    }
  });

  test('needs no question where the platform has answered with the token lately', async () => {
    const { headers } = await newSession(service);
    service.clock.advance(believedMs - 1000);
    expect((await service.ask('GET', '/api/codehost/repos', { headers })).status).toBe(200);
    service.clock.advance(believedMs - 1000);
    service.double.requests.length = 0;
    expect([(await read(headers)).status, sent(service)]).toEqual([200, []]);
    service.clock.advance(1000);
    expect((await service.ask('GET', '/api/codehost/repos', { headers })).status).toBe(200);
    expect(sent(service)).not.toContain('GET /user');
  });

  test.each([
    ['breaks down', { kind: 'status', status: 503 }],
    ['is cut off', { kind: 'reset' }],
    ['has no quota left', { kind: 'primary_limit' }],
    ['asks to slow down', { kind: 'secondary_limit', retryAfter: 5 }],
    ['denies it otherwise', { kind: 'status', status: 403 }],
  ] as const)('is given while the platform %s, which is asked again after a pause', async (_label, fault) => {
    const { headers, revoke } = await newSession(service);
    service.double.fault({ path: '/user', times: 9 }, fault);
    service.clock.advance(believedMs);
    for (let count = 0; count < 3; count++) expect((await read(headers)).status).toBe(200);
    expect(sent(service)).toEqual(['GET /user']);
    service.double.reset();
    revoke();
    // An error that is no rejection says as much as an answer; a limit lasts as long as the platform says.
    service.clock.advance('status' in fault && fault.status === 403 ? believedMs : pauseMs);
    if (fault.kind === 'primary_limit') service.clock.advance(3_600_000);
    expectRejected(await read(headers));
  });

  test('does not wait for a platform that hangs; what it says later counts', async () => {
    const { headers, revoke } = await newSession(service);
    revoke();
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    service.double.fault({ path: '/user' }, { kind: 'held', until });
    service.clock.advance(believedMs);
    // Whoever waited would hear of the rejection.
    for (let count = 0; count < 3; count++) expect((await read(headers)).status).toBe(200);
    answer();
    await vi.waitFor(async () => expect((await read(headers)).status).toBe(401), { timeout: 60_000, interval: 20 });
  });

  test('is checked by a page as well, which leads to signing in again', async () => {
    const { headers, revoke } = await newSession(service);
    revoke();
    service.clock.advance(believedMs);
    const url = new URL('http://localhost:3000/settings/session');
    const context = createContext(service.app.services, {
      method: 'GET',
      url,
      headers: new Headers(headers),
      address: '127.0.0.1',
      signal: new AbortController().signal,
    });
    const out = await panel(getSessions, { context, params: {} }).catch((thrown: unknown) => thrown);
    expect(out).toBeInstanceOf(Response);
    const signIn = MODE === 'organization' ? '/login' : '/setup';
    const location = `${signIn}?return_to=%2Fsettings%2Fsession&reason=token_rejected`;
    expect((out as Response).headers.get('location')).toBe(location);
  });

  test('is not shown around a page for everybody either', async () => {
    const { headers, revoke } = await newSession(service);
    const context = (path: string) =>
      createContext(service.app.services, {
        method: 'GET',
        url: new URL(path, 'http://localhost:3000'),
        headers: new Headers(headers),
        address: '127.0.0.1',
        signal: new AbortController().signal,
      });
    service.clock.advance(believedMs);
    expect((await loadPageContext(context('/docs'))).account).toEqual({ login: 'ann' });
    expect(sent(service)).toEqual(['GET /user']);
    revoke();
    service.clock.advance(believedMs);
    expect(await loadPageContext(context('/docs'))).toMatchObject({ account: null, bell: null, sync: null, csrf: '' });
    expectProblem(await read(headers), 401, 'unauthenticated');
  });

  test('a write is checked before it does anything', async () => {
    const { headers, revoke } = await newSession(service);
    const rule = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };
    const keeper = await newSession(service);
    const alerts = async () => (await service.ask('GET', '/api/alerts', { headers: keeper.headers })).body.rules.length;
    const before = await alerts();
    service.clock.advance(believedMs);
    await read(keeper.headers);
    revoke();
    service.double.requests.length = 0;
    expectRejected(await service.ask('POST', '/api/alerts', { headers, body: rule }));
    expect(sent(service)).toEqual(['GET /user']);
    expect(await alerts()).toBe(before);
  });

  test('a bearer is checked likewise', async () => {
    const { token, revoke } = await newSession(service);
    const headers = bearerOf(token);
    expect((await read(headers)).status).toBe(200);
    service.clock.advance(believedMs);
    service.double.requests.length = 0;
    expect((await read(headers)).status).toBe(200);
    expect(service.double.requests.map(({ path, status }) => [path, status])).toEqual([['/user', 304]]);
    revoke();
    service.clock.advance(believedMs);
    expectRejected(await read(headers));
  });
});

test('without a database as well', async () => {
  const service = await startService();
  const { headers, revoke } = await newSession(service);
  const me = () => service.ask('GET', '/api/auth/me', { headers });
  service.clock.advance(believedMs);
  expect((await me()).status).toBe(200);
  revoke();
  service.clock.advance(believedMs);
  expectRejected(await me());
  expectProblem(await me(), 401, 'unauthenticated');
  await service.close();
});

test('what asks for no session is not checked, and the demo neither', async () => {
  const service = await startService();
  const { headers, revoke } = await newSession(service);
  revoke();
  service.clock.advance(believedMs);
  for (const path of ['/api/health', '/api/openapi.json', '/api/demo?resource=repos'])
    expect((await service.ask('GET', path, { headers })).status).toBe(200);
  expect((await service.ask('POST', '/api/auth/logout', { headers })).status).toBe(200);
  expect(sent(service)).toEqual([]);
  await service.close();
});

describe.skipIf(socket === null)('served by two processes', () => {
  let here: Service;
  let there: Service;
  beforeAll(async () => {
    const env = { DATABASE_URL: await createMigrated(socket as string) };
    here = await startService(env);
    there = await startService(env, here);
  });
  afterAll(async () => {
    await there?.close();
    await here?.close();
  });

  test('what one hears of a token is over in the other, and each asks for itself', async () => {
    const { headers, revoke } = await newSession(here);
    for (const service of [here, there, there])
      expect((await service.ask('GET', stored, { headers })).status).toBe(200);
    expect(sent(here)).toEqual(['GET /user']);
    revoke();
    here.clock.advance(believedMs);
    expectRejected(await here.ask('GET', stored, { headers }));
    await vi.waitFor(async () => expect((await there.ask('GET', stored, { headers })).status).toBe(401), {
      timeout: 60_000,
      interval: 20,
    });
    // The other may have requested itself before it heard.
    expect(sent(here).length).toBeLessThanOrEqual(3);
  });
});
