import { describe, expect, test } from 'vitest';
import { expectRefusal, guarded, visitService, withQuery } from './endpoints.ts';

const visit = visitService({ DATABASE_URL: 'pglite://memory' });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ask = (path: string, headers: Record<string, string>) => visit.service.ask('GET', path, { headers });

describe('a script with a token of its own', () => {
  test('is answered everywhere without a session, and gets none', async () => {
    for (const { method, path, query, body, status = 200 } of guarded) {
      const answer = await visit.service.ask(method, withQuery(path, query), { headers: bearer('token-ann'), body });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const me = await ask('/api/auth/me', bearer('token-bo'));
    expect(me.body).toMatchObject({ login: 'bo', session_expires_at: null });
  });

  test('needs no same origin for a write', async () => {
    const headers = { ...bearer('token-ann'), origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const answer = await visit.service.ask('POST', '/api/db/sync?owner=octo&repo=web', { headers });
    expect(answer.status).toBe(200);
  });

  test('is whom the token says, whatever cookie comes along', async () => {
    const cookie = await visit.service.signIn('token-ann');
    const me = await ask('/api/auth/me', { ...bearer('token-bo'), cookie });
    expect(me.body.login).toBe('bo');
  });

  test.each(['Bearer two words', `Bearer ${'x'.repeat(501)}`, 'bearer token-nobody'])(
    'with "%s" is nobody, also beside a good cookie, which goes on living',
    async (authorization) => {
      const cookie = await visit.service.signIn('token-ann');
      const answer = await ask('/api/auth/me', { authorization, cookie });
      expectRefusal(answer, 401, 'unauthenticated');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect((await ask('/api/auth/me', { cookie })).body.login).toBe('ann');
    },
  );

  test('the password of a proxy in front is no token', async () => {
    const cookie = await visit.service.signIn('token-ann');
    const authorization = 'Basic YTpi';
    expect((await ask('/api/auth/me', { authorization, cookie })).body.login).toBe('ann');
    expectRefusal(await ask('/api/auth/me', { authorization }), 401, 'unauthenticated');
    const foreign = { authorization, cookie, origin: 'https://elsewhere.example' };
    const answer = await visit.service.ask('POST', '/api/auth/logout', { headers: foreign });
    expectRefusal(answer, 403, 'csrf_rejected');
  });

  test('meets 503 when the platform cannot tell who it is', async () => {
    visit.service.double.fault({ path: '/user', times: 9 }, { kind: 'status', status: 502 });
    expectRefusal(await ask('/api/auth/me', bearer('token-ann-two')), 503, 'authz_unavailable');
  });

  test('sees what its token sees', async () => {
    const answer = await ask('/api/codehost/workflows?owner=octo&repo=api', bearer('token-ann-fine'));
    expect(answer.status).toBe(200);
    expectRefusal(
      await ask(withQuery('/api/codehost/workflows', 'owner=octo&repo=secret'), bearer('token-ann-fine')),
      404,
      'not_found',
    );
  });
});
