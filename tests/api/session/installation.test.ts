import { describe, expect, test } from 'vitest';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { type Service, startService } from '../../support/service.ts';
import { expectProblem } from '../endpoints.ts';

const hour = 3_600_000;

const signIn = (service: Service, pat: string, headers: Record<string, string> = {}) =>
  service.ask('POST', '/api/auth/setup', { body: { pat }, headers });
const me = (service: Service, cookie: string) => service.ask('GET', '/api/auth/me', { headers: { cookie } });
const cookieOf = (answer: { headers: Headers }) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

describe('an installation with conditions', () => {
  test('only listed accounts sign in, in any spelling', async () => {
    const service = await startService({ STANDALONE_ALLOWED_LOGINS: 'carl, ANN' });
    expect((await signIn(service, 'token-ann')).status).toBe(200);
    const response = await signIn(service, 'token-bo');
    expectProblem(response, 403, 'forbidden');
    expect(response.headers.get('set-cookie')).toBeNull();
    const script = await service.ask('GET', '/api/auth/me', { headers: bearerOf('token-bo') });
    expectProblem(script, 403, 'forbidden');
    await service.close();
  });

  test('behind https the cookie is bound to the host and to encryption', async () => {
    const service = await startService({ APP_URL: 'https://metrics.example', TRUST_PROXY_HOPS: '1' });
    const headers = { origin: 'https://metrics.example' };
    const answer = await signIn(service, 'token-ann', headers);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-das_session=[\w-]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect((await me(service, cookieOf(answer).replace('__Host-', ''))).status).toBe(401);
    const plain = { 'x-forwarded-proto': 'http' };
    const moved = await service.ask('GET', '/reports?x=1', { headers: plain });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, 'https://metrics.example/reports?x=1']);
    const withCookie = { ...plain, cookie: cookieOf(answer) };
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['GET', '/api/nothing'],
      ['POST', '/api/auth/setup'],
    ] as const) {
      const denied = await service.ask(method, path, { headers: withCookie });
      expectProblem(denied, 400, 'invalid_request');
      expect(denied.body.error).toContain('https://metrics.example');
      expect(denied.headers.get('location')).toBeNull();
    }
    expect((await service.ask('GET', '/api/health', { headers: plain })).status).toBe(200);
    await service.close();
  });

  test('a shorter life is stored', async () => {
    const service = await startService({ SESSION_TTL_HOURS: '1' });
    const answer = await signIn(service, 'token-ann');
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=3600;');
    service.clock.advance(hour);
    expect((await me(service, cookieOf(answer))).status).toBe(401);
    await service.close();
  });
});
