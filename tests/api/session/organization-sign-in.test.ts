import { describe, expect, test } from 'vitest';
import { startService } from '../../support/service.ts';
import { expectProblem, visitService } from '../endpoints.ts';
import {
  agree,
  begin,
  comeBack,
  elsewhere,
  exchange,
  expectTurnedAway,
  holds,
  me,
  sent,
  sessionOf,
  signedIn,
  signIn,
} from './signing-in.ts';

const visit = visitService({ MODE: 'organization' });
describe('a sign-in', () => {
  test('begins on the platform, with a state and a challenge of its own', async () => {
    const { service } = visit;
    const answer = await service.ask('GET', '/api/auth/login', { from: elsewhere() });
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([302, '', 'private, no-store']);
    const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(`${origin}${pathname}`).toBe(`${service.double.url}/login/oauth/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'Iv1.analytics',
      scope: 'read:user read:org repo',
      redirect_uri: 'http://localhost:3000/api/auth/callback',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^das_oauth=[\w-]{100,}; Max-Age=300; Path=\/api\/auth; HttpOnly; SameSite=Lax$/),
    ]);
    const other = await begin(service);
    expect(other.state).not.toBe(searchParams.get('state'));
    expect(other.location.searchParams.get('code_challenge')).not.toBe(searchParams.get('code_challenge'));
  });

  test('ends where it was begun, with a session that scripts and other sites cannot use', async () => {
    const begun = await begin(visit.service, '/repos/octo/web?days=30');
    const { path } = await agree(visit.service, begun, { login: 'ann' });
    const answer = await comeBack(visit.service, path, begun.flow);
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([302, '/repos/octo/web?days=30', '']);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^das_session=[\w-]{200,}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
      'das_oauth=; Max-Age=0; Path=/api/auth; HttpOnly; SameSite=Lax',
    ]);
    const { body } = await me(visit.service, sessionOf(answer) ?? '');
    expect(body).toMatchObject({ login: 'ann', mode: 'organization', session_expires_at: '2026-11-23T10:00:00.000Z' });
    expect(JSON.stringify(body)).not.toContain('oauth-ann');
  });

  test('is limited by address, whatever a request says of itself', async () => {
    const from = elsewhere();
    const ask = (headers: Record<string, string> = {}) =>
      visit.service.ask('GET', '/api/auth/login', { from, headers });
    for (let count = 1; count <= 10; count++)
      expect((await ask({ 'x-forwarded-for': `9.9.9.${count}` })).status).toBe(302);
    const response = await ask({ 'x-forwarded-for': '9.9.9.99' });
    expectProblem(response, 429, 'rate_limited');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const page = await ask({ accept: 'text/html' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/login?error=rate_limited']);
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  test('with a token of one’s own does not exist, and without an organization there is none through the platform', async () => {
    const body = { pat: 'token-ann' };
    expectProblem(await visit.service.ask('POST', '/api/auth/setup', { body, from: elsewhere() }), 404, 'wrong_mode');
    expectProblem(await visit.service.ask('DELETE', '/api/auth/setup'), 404, 'wrong_mode');
    const alone = await startService();
    for (const path of ['/api/auth/login', '/api/auth/callback?code=a&state=b']) {
      const answer = await alone.ask('GET', path);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/setup']);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    await alone.close();
  });
});

describe('what comes back is rejected', () => {
  /** A sign-in that bo agreed to and that only has to come back. */
  const waiting = async () => {
    const begun = await begin(visit.service);
    return { begun, ...(await agree(visit.service, begun, { login: 'bo' })) };
  };

  test.each([
    ['a forged state', ({ code }) => `code=${code}&state=${'A'.repeat(43)}`],
    ['a state with one more character', ({ code, state }) => `code=${code}&state=${state}A`],
    ['no state', ({ code }) => `code=${code}`],
    ['an empty state', ({ code }) => `code=${code}&state=`],
  ] as [string, (returned: { code: string; state: string }) => string][])('%s', async (_, query) => {
    const { begun, ...returned } = await waiting();
    const answer = await comeBack(visit.service, `/api/auth/callback?${query(returned)}`, begun.flow);
    expectTurnedAway(answer, 'state_mismatch');
    expect(sent(visit.service)).not.toContain(exchange);
  });

  test('without the cookie, with a broken one, or with that of another browser', async () => {
    const { path, begun } = await waiting();
    const stranger = await begin(visit.service);
    for (const cookie of ['', 'das_oauth=', 'das_oauth=garbage', begun.flow.slice(0, -4), stranger.flow])
      expectTurnedAway(await comeBack(visit.service, path, cookie), 'state_mismatch');
    expect(sent(visit.service)).not.toContain(exchange);
  });

  test('the sealed state under the name of a session, and a session under the name of the state', async () => {
    const { path, begun } = await waiting();
    const session = await signedIn(visit.service, { login: 'ann' });
    const [, sealed] = session.split('=');
    expectTurnedAway(await comeBack(visit.service, path, `das_oauth=${sealed}`), 'state_mismatch');
    const asSession = begun.flow.replace('das_oauth', 'das_session');
    expectProblem(await me(visit.service, asSession), 401, 'unauthenticated');
  });

  test('a second time, also with another code', async () => {
    const { path, begun } = await waiting();
    const again = await agree(visit.service, begun, { login: 'bo' });
    expect(sessionOf(await comeBack(visit.service, path, begun.flow))).toBeTruthy();
    expectTurnedAway(await comeBack(visit.service, path, begun.flow), 'state_mismatch');
    expectTurnedAway(await comeBack(visit.service, again.path, begun.flow), 'state_mismatch');
    expect(sent(visit.service).filter((one) => one === exchange)).toHaveLength(1);
  });

  test('twice at the same moment: once', async () => {
    const { path, begun } = await waiting();
    const again = await agree(visit.service, begun, { login: 'bo' });
    const answers = await Promise.all([path, again.path].map((one) => comeBack(visit.service, one, begun.flow)));
    expect(answers.filter((one) => sessionOf(one))).toHaveLength(1);
  });

  test('after five minutes and a second, not after five minutes', async () => {
    const late = await waiting();
    visit.service.clock.advance(300_000);
    const justInTime = await waiting();
    expect(sessionOf(await comeBack(visit.service, late.path, late.begun.flow))).toBeTruthy();
    visit.service.clock.advance(301_000);
    expectTurnedAway(await comeBack(visit.service, justInTime.path, justInTime.begun.flow), 'state_expired');
  });

  test('a code that somebody else was given, because its challenge is another', async () => {
    const attacker = await waiting();
    const victim = await begin(visit.service);
    const answer = await comeBack(
      visit.service,
      `/api/auth/callback?code=${attacker.code}&state=${victim.state}`,
      victim.flow,
    );
    expectTurnedAway(answer, 'token_exchange');
    expect(sent(visit.service)).toContain(exchange);
    expect(sent(visit.service)).not.toContain('GET /user');
  });

  test('when the person says no, in no words of the platform', async () => {
    const begun = await begin(visit.service);
    const { path } = await agree(visit.service, begun, { login: 'bo', denied: true });
    expect(path).toContain('error_description=');
    expectTurnedAway(await comeBack(visit.service, path, begun.flow), 'access_denied');
    expectTurnedAway(await comeBack(visit.service, '/api/auth/callback', begun.flow), 'access_denied');
    expect(sent(visit.service)).not.toContain(exchange);
  });

  test('more often than twenty times a minute', async () => {
    const from = elsewhere();
    const ask = (accept: string) => visit.service.ask('GET', '/api/auth/callback', { from, headers: { accept } });
    for (let count = 1; count <= 20; count++) expect((await ask('text/html')).status).toBe(302);
    expect((await ask('text/html')).headers.get('location')).toBe('/login?error=rate_limited');
    expectProblem(await ask('*/*'), 429, 'rate_limited');
  });
});

describe('afterwards', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil',
    '/ü',
    `/${'a'.repeat(2001)}`,
    '',
  ])('nobody is led to %j', async (returnTo) => {
    const begun = await begin(visit.service, returnTo);
    const { path } = await agree(visit.service, begun, { login: 'bo' });
    expect((await comeBack(visit.service, path, begun.flow)).headers.get('location')).toBe('/');
  });

  test('what the query of the callback says of a way is not followed', async () => {
    const begun = await begin(visit.service, '/reports');
    const { path } = await agree(visit.service, begun, { login: 'bo' });
    const answer = await comeBack(visit.service, `${path}&return_to=%2Fsettings`, begun.flow);
    expect(answer.headers.get('location')).toBe('/reports');
  });

  test('the session before it in the same browser is over, and its token given back', async () => {
    const first = await signedIn(visit.service, { login: 'bo', token: 'first-of-bo' });
    const second = sessionOf(await signIn(visit.service, { login: 'bo', token: 'second-of-bo' }, first)) ?? '';
    expect(second).not.toBe(first);
    expectProblem(await me(visit.service, first), 401, 'unauthenticated');
    expect((await me(visit.service, second)).status).toBe(200);
    expect([holds(visit.service, 'first-of-bo'), holds(visit.service, 'second-of-bo')]).toEqual([false, true]);
    const third = sessionOf(await signIn(visit.service, { login: 'bo', token: 'second-of-bo' }, second)) ?? '';
    expect((await me(visit.service, third)).status).toBe(200);
    expect(holds(visit.service, 'second-of-bo')).toBe(true);
  });

  test('a session that somebody planted before does not become theirs', async () => {
    const planted = await signedIn(visit.service, { login: 'bo' });
    const own = sessionOf(await signIn(visit.service, { login: 'ann' }, planted)) ?? '';
    expect((await me(visit.service, own)).body.login).toBe('ann');
    expect((await me(visit.service, planted)).status).toBe(401);
  });
});
