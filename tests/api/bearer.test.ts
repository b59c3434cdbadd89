import { describe, expect, test } from 'vitest';
import { bearerOf, platformToken } from '../codehost-double/platform-token.ts';
import { anyDatabase } from '../support/service.ts';
import { expectProblem, guarded, named, visitService, withQuery } from './endpoints.ts';

const visit = visitService({ DATABASE_URL: anyDatabase });
const writes = ['POST /api/db/sync', 'POST /api/codehost/create-issue'];
const isReadOrWritable = (one: { method: string; path: string }) =>
  (one.method === 'GET' && !['/api/tokens', '/api/shares'].includes(one.path)) || writes.includes(named(one));
const ask = (path: string, headers: Record<string, string>) => visit.service.ask('GET', path, { headers });

describe('a script with a token of its own', () => {
  test('is answered everywhere without a session, and gets none', async () => {
    for (const { method, path, query, body, status = 200 } of guarded.filter(isReadOrWritable)) {
      const answer = await visit.service.ask(method, withQuery(path, query), { headers: bearerOf('token-ann'), body });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const me = await ask('/api/auth/me', bearerOf('token-bo'));
    expect(me.body).toMatchObject({ login: 'bo', session_expires_at: null });
  });

  test('needs no same origin for a write', async () => {
    const headers = { ...bearerOf('token-ann'), origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const answer = await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', { headers });
    expect(answer.status).toBe(200);
  });

  test('is whom the token says, whatever cookie comes along', async () => {
    const cookie = await visit.service.signIn('token-ann');
    const me = await ask('/api/auth/me', { ...bearerOf('token-bo'), cookie });
    expect(me.body.login).toBe('bo');
  });

  test.each(['Bearer two words', `Bearer ${'x'.repeat(501)}`, `bearer ${platformToken('token-nobody')}`])(
    'with "%s" is nobody, also beside a good cookie, which goes on living',
    async (authorization) => {
      const cookie = await visit.service.signIn('token-ann');
      const answer = await ask('/api/auth/me', { authorization, cookie });
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect((await ask('/api/auth/me', { cookie })).body.login).toBe('ann');
    },
  );

  test.each([
    ['the secret of the timetable', 'Zp4vW8yQk2LmN6tR0xCsB3hJ7dFgA9uE'],
    ['64 hexadecimal digits, as secrets are generated', 'a3'.repeat(32)],
    ['a signed token of something else', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['a key of an AI provider', `sk-ant-${'x'.repeat(40)}`],
    ['a prefix of the platform and too little behind it', 'ghp_short'],
    ['a refresh token, which says nothing about its owner', platformToken('token-ann').replace('ghp_', 'ghr_')],
    ['a token with something behind it', `${platformToken('token-ann')}/..`],
  ])('%s is no token of the platform and never leaves the service', async (_what, secret) => {
    const before = visit.service.double.requests.length;
    for (const path of ['/api/auth/me', '/api/codehost/repos', '/api/metrics', '/api/sync'])
      expectProblem(await ask(path, { authorization: `Bearer ${secret}` }), 401, 'unauthenticated');
    expect(visit.service.double.requests).toHaveLength(before);
  });

  test.each([
    `gho_${'A1'.repeat(18)}`,
    `ghu_${'A1'.repeat(18)}`,
    `github_pat_${'A'.repeat(22)}_${'b'.repeat(59)}`,
    'c0ffee0123456789'.repeat(3).slice(0, 40),
    `ghp_${'x'.repeat(251)}`,
  ])('%s is one, which the platform is queried about', async (token) => {
    const before = visit.service.double.requests.length;
    expectProblem(await ask('/api/auth/me', { authorization: `Bearer ${token}` }), 401, 'unauthenticated');
    expect(visit.service.double.requests).toHaveLength(before + 1);
  });

  test('the password of a proxy in front is no token', async () => {
    const cookie = await visit.service.signIn('token-ann');
    const authorization = 'Basic YTpi';
    expect((await ask('/api/auth/me', { authorization, cookie })).body.login).toBe('ann');
    expectProblem(await ask('/api/auth/me', { authorization }), 401, 'unauthenticated');
    const foreign = { authorization, cookie, origin: 'https://elsewhere.example' };
    const answer = await visit.service.ask('POST', '/api/auth/logout', { headers: foreign });
    expectProblem(answer, 403, 'csrf_rejected');
  });

  test('meets 503 when the platform cannot tell who it is', async () => {
    visit.service.double.fault({ path: '/user', times: 9 }, { kind: 'status', status: 502 });
    expectProblem(await ask('/api/auth/me', bearerOf('token-ann-two')), 503, 'authz_unavailable');
  });

  test('is not counted as rejected while the platform cannot tell who it is', async () => {
    const from = '10.3.0.1';
    const look = (token: string) => visit.service.ask('GET', '/api/auth/me', { headers: bearerOf(token), from });
    visit.service.double.fault({ path: '/user', times: 999 }, { kind: 'status', status: 502 });
    for (const first of [0, 20]) {
      const unknown = await Promise.all(Array.from({ length: 20 }, (_, n) => look(`token-${first + n}`)));
      for (const answer of unknown) expectProblem(answer, 503, 'authz_unavailable');
    }
    visit.service.double.reset();
    for (let n = 0; n < 30; n++) expectProblem(await look(`token-${n}`), 401, 'unauthenticated');
    expectProblem(await look('token-31'), 429, 'rate_limited');
    expectProblem(await look('token-ann-two'), 429, 'rate_limited');
    visit.service.clock.advance(60_000);
    expect((await look('token-ann-two')).status).toBe(200);
  });

  test('is looked up beside at most 29 others of its address, so that parallel guesses are bounded too', async () => {
    const from = '10.3.0.2';
    const look = (token: string) => visit.service.ask('GET', '/api/auth/me', { headers: bearerOf(token), from });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => look(`guess-${n}`)));
    const statuses = answers.map(({ status }) => status);
    expect([401, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([30, 30]);
    expect(visit.service.double.requests.filter(({ path }) => path === '/user')).toHaveLength(30);
    visit.service.clock.advance(60_000);
    const same = await Promise.all(Array.from({ length: 60 }, () => look('token-ann-two')));
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('sees what its token sees', async () => {
    const answer = await ask('/api/codehost/workflows?owner=octo&repo=api', bearerOf('token-ann-fine'));
    expect(answer.status).toBe(200);
    expectProblem(
      await ask(withQuery('/api/codehost/workflows', 'owner=octo&repo=secret'), bearerOf('token-ann-fine')),
      404,
      'not_found',
    );
  });
});
