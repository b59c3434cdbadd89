import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../server/platform/env.ts';
import { boot } from '../../../server/start.ts';
import { logLines } from '../../support/log-lines.ts';
import { anyDatabase, type Service, startService } from '../../support/service.ts';
import { expectFields, expectProblem, freshService, visitService } from '../endpoints.ts';

const hour = 3_600_000;
let address = 1;
const elsewhere = () => `10.8.0.${address++}`;

const signIn = (service: Service, pat: unknown, headers: Record<string, string> = {}) =>
  service.ask('POST', '/api/auth/setup', { body: { pat }, headers, from: elsewhere() });
const me = (service: Service, cookie: string) => service.ask('GET', '/api/auth/me', { headers: { cookie } });
const cookieOf = (answer: { headers: Headers }) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const cleared = /^das_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/;

describe('signing in with a token', () => {
  const visit = visitService();

  test('answers who it is, and a cookie that scripts and other sites cannot use', async () => {
    const answer = await signIn(visit.service, '  token-ann\n');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      user: {
        login: 'ann',
        name: 'Ann Ngô',
        avatar_url: expect.stringContaining('ann'),
        email: 'ann@codehost.example',
      },
      scopes: ['repo', 'read:org'],
    });
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^das_session=[\w-]{200,}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  test('says null for what an account or a token does not show', async () => {
    const bo = await signIn(visit.service, 'token-bo');
    expect(bo.body.user).toMatchObject({ login: 'bo', name: null, email: null });
    expect((await signIn(visit.service, 'token-ann-fine')).body.scopes).toBeNull();
  });

  test('then says who is signed in and what they may do', async () => {
    const answer = await visit.service.ask('GET', '/api/auth/me', { as: 'token-bo' });
    expect(answer.body).toMatchObject({
      login: 'bo',
      name: null,
      mode: 'standalone',
      groups: [],
      is_admin: true,
      enforcement: false,
      session_expires_at: '2026-11-23T10:00:00.000Z',
    });
    expect(answer.body.features).toHaveLength(30);
    expect(Object.keys(answer.body).sort()).toEqual([
      'avatar_url',
      'enforcement',
      'features',
      'groups',
      'is_admin',
      'login',
      'mode',
      'name',
      'session_expires_at',
      'token',
    ]);
  });

  test('refuses what cannot be a token, without asking the platform', async () => {
    expectFields(await visit.service.ask('POST', '/api/auth/setup', { body: {}, from: elsewhere() }), [
      'pat',
      'missing',
    ]);
    for (const pat of ['', '   ', 'two words', 'x'.repeat(501), 'naïve', 'line\nbreak', 7, null, ['token-ann']]) {
      const answer = await signIn(visit.service, pat);
      expectFields(answer, ['pat', 'invalid']);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect(visit.service.double.requests).toEqual([]);
  });

  test('a token the platform rejects is invalid, and leaves the session of the browser alone', async () => {
    const cookie = cookieOf(await signIn(visit.service, 'token-ann'));
    const answer = await signIn(visit.service, 'token-nobody', { cookie });
    expectProblem(answer, 401, 'invalid_token');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect((await me(visit.service, cookie)).status).toBe(200);
  });

  test('is logged, a rejected token with the reason, never with the token', async () => {
    const lines = await logLines(visit.service.app.services, async () => {
      await signIn(visit.service, 'token-ann');
      await signIn(visit.service, 'token-nobody');
    });
    expect(lines.filter(({ msg }) => msg !== undefined)).toMatchObject([
      { level: 30, login: 'ann', msg: 'signed in' },
      { level: 40, reason: 'unauthenticated', request_id: expect.any(String), msg: 'a sign-in failed' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('token-nobody');
  });

  test('a token revoked a moment after a sign-in does not sign in again', async () => {
    expect((await signIn(visit.service, 'token-bo')).status).toBe(200);
    visit.service.double.revokeToken('token-bo');
    const answer = await signIn(visit.service, 'token-bo');
    expectProblem(answer, 401, 'invalid_token');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('the platform’s trouble is never a wrong token', async () => {
    const troubles = [
      { kind: 'status', status: 500 } as const,
      { kind: 'reset' } as const,
      { kind: 'primary_limit' } as const,
    ];
    for (const trouble of troubles) {
      visit.service.clock.advance(2 * hour);
      visit.service.double.fault({ path: '/user', times: 9 }, trouble);
      const answer = await signIn(visit.service, 'token-ann');
      expectProblem(answer, 503, 'authz_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(answer.headers.get('set-cookie')).toBeNull();
      visit.service.double.reset();
    }
  });

  test.each([
    [{ kind: 'primary_limit' }, 503, 'authz_unavailable', /rate limit .* Try again in \d+.minutes?\.$/],
    [{ kind: 'status', status: 404 }, 503, 'authz_unavailable', /API was not found. Check CODEHOST_API_URL/],
    [{ kind: 'status', status: 403 }, 403, 'upstream_forbidden', /denied this token/],
    [{ kind: 'status', status: 500 }, 503, 'authz_unavailable', /cannot be reached/],
  ] as const)('what the platform answers is told: %j', async (fault, status, code, sentence) => {
    visit.service.clock.advance(2 * hour);
    visit.service.double.fault({ path: '/user', times: 9 }, fault);
    const answer = await signIn(visit.service, 'token-ann');
    expectProblem(answer, status, code);
    expect(answer.body.error).toMatch(sentence);
    expect(answer.headers.get('set-cookie')).toBeNull();
    visit.service.double.reset();
  });

  test('a new sign-in of the same browser ends the session before it', async () => {
    const first = cookieOf(await signIn(visit.service, 'token-bo'));
    const second = cookieOf(await signIn(visit.service, 'token-bo', { cookie: first }));
    expect(second).not.toBe(first);
    expect((await me(visit.service, first)).status).toBe(401);
    expect((await me(visit.service, second)).status).toBe(200);
  });
});

describe.each([
  ['without a database', {}],
  ['with a database', { DATABASE_URL: anyDatabase }],
] as [string, Record<string, string>][])('signing out %s', (_, env) => {
  const visit = visitService(env);

  test.each([
    ['DELETE', '/api/auth/setup'],
    ['POST', '/api/auth/logout'],
  ])('%s %s clears the cookie, and a copy of it is worthless; repeating it is fine', async (method, path) => {
    const cookie = cookieOf(await signIn(visit.service, 'token-ann'));
    expect((await me(visit.service, cookie)).status).toBe(200);
    const out = await visit.service.ask(method, path, { headers: { cookie } });
    expect([out.status, out.body]).toEqual([200, { ok: true }]);
    expect(out.headers.get('set-cookie')).toMatch(cleared);
    expect(out.headers.get('clear-site-data')).toBe('"cache", "storage"');
    const replayed = await me(visit.service, cookie);
    expectProblem(replayed, 401, 'unauthenticated');
    expect(replayed.headers.get('set-cookie')).toMatch(cleared);
    for (const headers of [{ cookie }, {}] as Record<string, string>[])
      expect((await visit.service.ask(method, path, { headers })).body).toEqual({ ok: true });
  });

  test('a session ends at its time, however much it is used', async () => {
    const cookie = cookieOf(await signIn(visit.service, 'token-ann'));
    visit.service.clock.advance(168 * hour - 1000);
    expect((await me(visit.service, cookie)).status).toBe(200);
    visit.service.clock.advance(1000);
    const answer = await me(visit.service, cookie);
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers.get('set-cookie')).toMatch(cleared);
    expect(answer.body.details).toEqual({ mode: 'standalone' });
  });

  test('a token that the platform stops accepting ends the session on that request', async () => {
    const cookie = cookieOf(await signIn(visit.service, 'token-bo'));
    visit.service.double.revokeToken('token-bo');
    const answer = await visit.service.ask('GET', '/api/codehost/orgs', { headers: { cookie } });
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.body.details.reason).toBe('token_rejected');
    expect(answer.headers.get('set-cookie')).toMatch(cleared);
    visit.service.double.reset();
    expectProblem(await me(visit.service, cookie), 401, 'unauthenticated');
  });
});

describe('a cookie that is not ours', () => {
  const visit = visitService();

  test('one bit flipped anywhere makes it worthless, and it is cleared', async () => {
    const [name, sealed = ''] = cookieOf(await signIn(visit.service, 'token-ann')).split('=');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
      const answer = await me(visit.service, `${name}=${changed.toString('base64url')}`);
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.headers.get('set-cookie')).toMatch(cleared);
    }
  });

  test.each(['garbage', '%00', 'A'.repeat(39), 'A'.repeat(5000), '{}', '""'])('"%s" is no session', async (value) => {
    const answer = await me(visit.service, `das_session=${value}`);
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers.get('set-cookie')).toMatch(cleared);
  });

  test('one cut short, or sealed for another installation, is no session', async () => {
    const cookie = cookieOf(await signIn(visit.service, 'token-ann'));
    expect((await me(visit.service, cookie.slice(0, -8))).status).toBe(401);
    const other = await startService({ SESSION_SECRET: 'another-secret-of-40-characters-aaabbbcc' });
    expect((await me(other, cookie)).status).toBe(401);
    await other.close();
  });

  test('another cookie is not cleared', async () => {
    expect((await me(visit.service, 'theme=dark')).headers.get('set-cookie')).toBeNull();
  });
});

describe('a secret that was replaced', () => {
  const visit = freshService();
  const newer = 'Zr7Qx1Lm9Vb3Np5Tk8Wd2Hs6Jf4Gy0Ca';

  test('still opens sessions, which are sealed again; without it they are worthless', async () => {
    const { service } = visit;
    const before = { ...service.app.services.env };
    const cookie = cookieOf(await signIn(service, 'token-ann'));
    const under = (env: Partial<typeof before>) =>
      boot({ ...readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), ...before, ...env }, service.clock);
    const rotated = await under({ SESSION_SECRET: newer, SESSION_SECRET_PREVIOUS: [before.SESSION_SECRET ?? ''] });
    const onlyNew = await under({ SESSION_SECRET: newer });
    const old = service.app.services.sessions;
    service.app.services.sessions = rotated.services.sessions;
    const first = await me(service, cookie);
    expect([first.status, first.body.login]).toEqual([200, 'ann']);
    const resealed = cookieOf(first);
    expect(resealed).toMatch(/^das_session=./);
    expect(resealed).not.toBe(cookie);
    const second = await me(service, resealed);
    expect([second.status, second.headers.get('set-cookie')]).toEqual([200, null]);
    expect(second.body.session_expires_at).toBe(first.body.session_expires_at);
    for (const path of ['/api/health', '/api/demo?resource=repos', '/api/openapi.json'])
      expect((await service.ask('GET', path, { headers: { cookie } })).headers.get('set-cookie')).toBeNull();
    service.app.services.sessions = onlyNew.services.sessions;
    expect((await me(service, cookie)).status).toBe(401);
    expect((await me(service, resealed)).status).toBe(200);
    service.app.services.sessions = old;
    await Promise.all([rotated.close(), onlyNew.close()]);
  });
});
