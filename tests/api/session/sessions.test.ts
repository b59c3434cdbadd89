import { describe, expect, test } from 'vitest';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { startService } from '../../support/service.ts';
import { expectFields, expectProblem, visitService } from '../endpoints.ts';
import { elsewhere, holds, me, signedIn } from './signing-in.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

describe('sessions of an organization', () => {
  const visit = visitService({ MODE: 'organization' });
  const list = async (cookie: string) =>
    (await visit.service.ask('GET', '/api/auth/sessions', { headers: { cookie } })).body;
  const end = (cookie: string, query: string) =>
    visit.service.ask('DELETE', `/api/auth/sessions?${query}`, { headers: { cookie } });
  const idOf = async (cookie: string) =>
    (await list(cookie)).sessions.find(({ current }: { current: boolean }) => current).id;
  /** Nobody else is signed in as bo. */
  const alone = async () => {
    const cookie = await signedIn(visit.service, { login: 'bo' });
    await end(cookie, 'others=true');
    visit.service.clock.advance(1000);
    return cookie;
  };

  test('are listed to their owner alone, the newest first, the one that asks marked', async () => {
    const first = await alone();
    await signedIn(visit.service, { login: 'ann' });
    const second = await signedIn(visit.service, { login: 'bo' });
    visit.service.clock.advance(600_000);
    await me(visit.service, first);
    const { sessions, truncated } = await list(first);
    expect(truncated).toBe(false);
    expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
    expect(sessions[1]).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      created_at: new Date(visit.service.clock.now() - 601_000).toISOString(),
      last_used_at: new Date(visit.service.clock.now()).toISOString(),
      expires_at: new Date(visit.service.clock.now() - 601_000 + 168 * 3_600_000).toISOString(),
      user_agent: null,
      current: true,
    });
    expect((await list(second)).sessions.map(({ id }: { id: string }) => id)).toEqual(
      sessions.map(({ id }: { id: string }) => id),
    );
    expect(JSON.stringify(sessions)).not.toMatch(/token|oauth/);
  });

  test('one of them is ended for good by any of them; its token is given back when it shows itself', async () => {
    const first = await alone();
    const second = await signedIn(visit.service, { login: 'bo', token: 'of-the-second' });
    const id = await idOf(second);
    const answer = await end(first, `id=${id}`);
    expect([answer.status, answer.body]).toEqual([200, { ok: true, ended: 1 }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(holds(visit.service, 'of-the-second')).toBe(true);
    for (let count = 0; count < 2; count++) expectProblem(await me(visit.service, second), 401, 'unauthenticated');
    expect(holds(visit.service, 'of-the-second')).toBe(false);
    expect(visit.service.double.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect((await me(visit.service, first)).status).toBe(200);
    expectProblem(await end(first, `id=${id}`), 404, 'not_found');
  });

  test('all others are ended at once; a token that goes on being used is stored', async () => {
    const first = await signedIn(visit.service, { login: 'bo', token: 'used-twice' });
    const others = [
      await signedIn(visit.service, { login: 'bo', token: 'used-twice' }),
      await signedIn(visit.service, { login: 'bo' }),
    ];
    const ann = await signedIn(visit.service, { login: 'ann' });
    expect((await end(first, 'others=true')).body.ended).toBeGreaterThanOrEqual(2);
    for (const cookie of others) expectProblem(await me(visit.service, cookie), 401, 'unauthenticated');
    expect([(await me(visit.service, first)).status, (await me(visit.service, ann)).status]).toEqual([200, 200]);
    expect(holds(visit.service, 'used-twice')).toBe(true);
    expect((await end(first, 'others=true')).body).toEqual({ ok: true, ended: 0 });
  });

  test('the one that asks can end itself, which is signing out', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo', token: 'ends-itself' });
    const answer = await end(cookie, `id=${await idOf(cookie)}`);
    expect([answer.status, answer.body]).toEqual([200, { ok: true, ended: 1 }]);
    expect(answer.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0;/);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect([(await me(visit.service, cookie)).status, holds(visit.service, 'ends-itself')]).toEqual([401, false]);
  });

  test('of somebody else do not exist, and what names none is rejected', async () => {
    const [bo, ann] = [await alone(), await signedIn(visit.service, { login: 'ann' })];
    expectProblem(await end(bo, `id=${await idOf(ann)}`), 404, 'not_found');
    expect((await me(visit.service, ann)).status).toBe(200);
    expectProblem(await end(bo, `id=${'A'.repeat(43)}`), 404, 'not_found');
    for (const id of ['1', `${'A'.repeat(42)}%2B`, 'A'.repeat(44)])
      expectFields(await end(bo, `id=${id}`), ['id', 'invalid']);
    expectFields(await end(bo, ''), ['id', 'missing']);
    expectFields(await end(bo, `id=${await idOf(bo)}&others=true`), ['id', 'invalid']);
    expectFields(await end(bo, 'others=false'), ['others', 'invalid']);
    expectProblem(await end('', 'others=true'), 401, 'unauthenticated');
    const headers = { cookie: bo, origin: 'https://elsewhere.example' };
    expectProblem(
      await visit.service.ask('DELETE', '/api/auth/sessions?others=true', { headers }),
      403,
      'csrf_rejected',
    );
  });

  test('a script sees the sessions of its owner, none of which is its own, and ends none', async () => {
    const cookie = await signedIn(visit.service, { login: 'bo', token: 'token-bo' });
    const headers = bearerOf('token-bo');
    const { body } = await visit.service.ask('GET', '/api/auth/sessions', { headers });
    expect(body.sessions.some(({ current }: { current: boolean }) => current)).toBe(false);
    expectProblem(
      await visit.service.ask('DELETE', '/api/auth/sessions?others=true', { headers }),
      403,
      'session_required',
    );
    expect((await me(visit.service, cookie)).status).toBe(200);
  });

  test('more than a hundred are reported as such, and all end', async () => {
    const cookie = await alone();
    const { sessions } = visit.service.app.services;
    const user = { id: 102, login: 'bo', name: null, avatarUrl: '' };
    for (let count = 0; count < 100; count++) await sessions.begin(user, `token-${count}`, firefox);
    const { sessions: shown, truncated } = await list(cookie);
    expect([shown.length, truncated, shown[0].user_agent]).toEqual([100, true, firefox]);
    expect((await end(cookie, 'others=true')).body.ended).toBe(100);
  });
});

test('one person’s sessions are listed and ended likewise, and the platform keeps their token', async () => {
  const service = await startService({ DATABASE_URL: 'pglite://memory' });
  const enter = async () => {
    const answer = await service.ask('POST', '/api/auth/setup', {
      body: { pat: 'token-ann' },
      from: elsewhere(),
      headers: { 'user-agent': firefox },
    });
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const [first, second] = [await enter(), await enter()];
  expect((await me(service, second)).status).toBe(200);
  const headers = { cookie: first };
  const { body } = await service.ask('GET', '/api/auth/sessions', { headers });
  expect(body.sessions.map((one: { user_agent: string }) => one.user_agent)).toEqual([firefox, firefox]);
  const other = body.sessions.find(({ current }: { current: boolean }) => !current);
  const ended = await service.ask('DELETE', `/api/auth/sessions?id=${other.id}`, { headers });
  expect(ended.body).toEqual({ ok: true, ended: 1 });
  expectProblem(await me(service, second), 401, 'unauthenticated');
  expect([(await me(service, first)).status, holds(service, 'token-ann')]).toEqual([200, true]);
  await service.close();
});

test('without a database there is nothing to list', async () => {
  const service = await startService();
  const ann = { as: 'token-ann' };
  expectProblem(await service.ask('GET', '/api/auth/sessions', ann), 503, 'db_not_configured');
  expectProblem(await service.ask('DELETE', '/api/auth/sessions?others=true', ann), 503, 'db_not_configured');
  expectProblem(await service.ask('GET', '/api/auth/sessions'), 401, 'unauthenticated');
  await service.close();
});
