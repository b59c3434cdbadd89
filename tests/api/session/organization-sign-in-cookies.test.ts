import { describe, expect, test } from 'vitest';
import { createSessions } from '../../../server/access/session.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { startService } from '../../support/service.ts';
import { expectProblem, visitService } from '../endpoints.ts';
import { cookieNamed, holds, me, sent, signedIn, written } from './signing-in.ts';

const visit = visitService({ MODE: 'organization' });
const secret = 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo';
const newer = 'Zr7Qx1Lm9Vb3Np5Tk8Wd2Hs6Jf4Gy0Ca';
const cleared = /^das_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/;

/** The sessions of the same service under other secrets or in the other mode. */
const sessionsUnder = (secrets: string[], mode: 'organization' | 'standalone' = 'organization') => {
  const { clock, store } = visit.service.app.services;
  return createSessions({ mode, secrets, ttlMs: 168 * 3_600_000, secure: false, clock, store });
};

describe('signing out', () => {
  const logOut = (cookie: string, accept = '*/*') =>
    visit.service.ask('POST', '/api/auth/logout', { headers: { cookie, accept } });

  test('ends the session and gives the token back; a copy of the cookie is worthless', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo', token: 'given-back' });
    const out = await logOut(cookie);
    expect([out.status, out.body, holds(visit.service, 'given-back')]).toEqual([200, { ok: true }, false]);
    expect(out.headers.get('set-cookie')).toMatch(cleared);
    const stolen = await me(visit.service, cookie);
    expectProblem(stolen, 401, 'unauthenticated');
    expect(stolen.headers.get('set-cookie')).toMatch(cleared);
    expect(stolen.body.details).toEqual({ mode: 'organization' });
    for (const one of [cookie, '', 'das_session=garbage']) expect((await logOut(one)).body).toEqual({ ok: true });
  });

  test('keeps a token that another session of its owner carries, until that ends too', async () => {
    const one = await signedIn(visit.service, { login: 'bo', token: 'shared' });
    const other = await signedIn(visit.service, { login: 'bo', token: 'shared' });
    await logOut(one);
    expect([holds(visit.service, 'shared'), (await me(visit.service, other)).status]).toEqual([true, 200]);
    await logOut(other);
    expect(holds(visit.service, 'shared')).toBe(false);
  });

  test.each([{ kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'malformed_json' }] as const)(
    'works when the platform does not take the token back: $kind',
    async (fault) => {
      const cookie = await signedIn(visit.service, { login: 'bo' });
      visit.service.double.fault({ path: '/applications/*' }, fault);
      expect((await logOut(cookie)).status).toBe(200);
      expect((await me(visit.service, cookie)).status).toBe(401);
    },
  );

  test('by a form leads to where people sign in', async () => {
    const out = await logOut(await signedIn(visit.service, { login: 'bo' }), 'text/html,*/*');
    expect([out.status, out.headers.get('location'), out.text]).toEqual([303, '/login', '']);
    expect(out.headers.get('set-cookie')).toMatch(cleared);
  });
});

describe('a cookie', () => {
  test('with one bit flipped in any of its characters, or spelled otherwise, is no session', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo' });
    const { sessions } = visit.service.app.services;
    const opens = (value: string) => sessions.unseal(new Headers({ cookie: value })) !== null;
    expect(opens(cookie)).toBe(true);
    const start = 'das_session='.length;
    for (let at = start; at < cookie.length; at++)
      for (let bit = 0; bit < 7; bit++) {
        const flipped = String.fromCharCode(cookie.charCodeAt(at) ^ (1 << bit));
        if (/[\0\r\n;]/.test(flipped)) continue;
        expect(opens(cookie.slice(0, at) + flipped + cookie.slice(at + 1)), `bit ${bit} of ${at}`).toBe(false);
      }
    const sealed = cookie.slice(start);
    const spellings = [`${sealed}!`, `${sealed}=`, `${sealed.slice(0, 9)}.${sealed.slice(9)}`];
    for (const other of [...spellings, sealed.replaceAll('-', '+').replaceAll('_', '/')])
      expect(opens(`das_session=${other}`), other).toBe(false);
    const damaged = `${cookie.slice(0, 40)}${cookie[40] === 'A' ? 'B' : 'A'}${cookie.slice(41)}`;
    const answer = await me(visit.service, damaged);
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers.get('set-cookie')).toMatch(cleared);
  });

  test('of the other mode is none, in both directions', async () => {
    const user = { id: 101, login: 'ann', name: null, avatarUrl: '' };
    const alone = await sessionsUnder([secret], 'standalone').begin(user, 'token-ann', 'test');
    expectProblem(await me(visit.service, alone.split(';')[0] ?? ''), 401, 'unauthenticated');
    const shared = await signedIn(visit.service, { login: 'ann' });
    const standalone = await startService();
    expect((await me(standalone, await standalone.signIn('token-ann'))).status).toBe(200);
    expectProblem(await me(standalone, shared), 401, 'unauthenticated');
    await standalone.close();
  });

  test('outlives a change of the secret, and is sealed again with the new one', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo' });
    const { services } = visit.service.app;
    const { sessions } = services;
    services.sessions = sessionsUnder([newer, secret]);
    const first = await me(visit.service, cookie);
    const resealed = cookieNamed(first, 'das_session') ?? '';
    services.sessions = sessionsUnder([newer]);
    const [old, renewed] = [await me(visit.service, cookie), await me(visit.service, resealed)];
    services.sessions = sessions;
    expect([first.status, first.body.login]).toEqual([200, 'bo']);
    expect([old.status, renewed.status, renewed.body?.login]).toEqual([401, 200, 'bo']);
    expect(renewed.body.session_expires_at).toBe(first.body.session_expires_at);
  });

  test('whose token the platform rejects is over on that request, and an entry says so', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo', token: 'soon-dead' });
    visit.service.double.revokeToken('soon-dead');
    visit.service.double.requests.length = 0;
    await visit.service.app.services.store?.users.replaceGroups(102, ['dev'], {
      actor: { id: null, login: 'system' },
      requestId: null,
      now: visit.service.clock.now(),
    });
    const answer = await visit.service.ask('GET', '/api/codehost/orgs', { headers: { cookie } });
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.body.details.reason).toBe('token_rejected');
    expect(answer.headers.get('set-cookie')).toMatch(cleared);
    expect(sent(visit.service).filter((one) => one.startsWith('DELETE'))).toEqual([]);
    expect((await me(visit.service, cookie)).status).toBe(401);
    expect((await written(visit.service))[0]).toMatchObject({
      action: 'session.revoked',
      category: 'access',
      target: 'bo',
      note: 'token_rejected',
      actor: { id: null, login: 'system' },
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test('ends after its seven days, however much it is used', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo' });
    visit.service.clock.advance(168 * 3_600_000 - 1000);
    expect((await me(visit.service, cookie)).status).toBe(200);
    visit.service.clock.advance(1000);
    expectProblem(await me(visit.service, cookie), 401, 'unauthenticated');
  });
});

test('a script is answered once its owner has signed in, and gets no session', async () => {
  const headers = bearerOf('token-cy');
  const cy = { id: 103, login: 'cy', name: null, email: null, memberOf: [] };
  visit.service.double.world.accounts.push(cy);
  visit.service.double.world.tokens.push({ token: 'token-cy', login: 'cy', scopes: [], authorizedFor: [], only: null });
  const ask = () => visit.service.ask('GET', '/api/auth/me', { headers });
  expectProblem(await ask(), 401, 'unauthenticated');
  await signedIn(visit.service, { login: 'cy' });
  const answer = await ask();
  expect(answer.body).toMatchObject({ login: 'cy', groups: [], session_expires_at: null });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const out = await visit.service.ask('POST', '/api/auth/logout', { headers });
  expect([out.status, holds(visit.service, 'token-cy')]).toEqual([200, true]);
});
