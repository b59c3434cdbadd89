import { describe, expect, test } from 'vitest';
import { startService } from '../support/service.ts';
import { expectProblem, freshService } from './endpoints.ts';

const visit = freshService();
const attempt = (from: string, forwarded?: string, pat: unknown = '') =>
  visit.service.ask('POST', '/api/auth/setup', {
    body: { pat },
    from,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

describe('signing in', () => {
  test('five a minute and address are taken, wrong ones too; the sixth waits', async () => {
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await attempt('10.0.1.1', undefined, left === 2 ? 'token-nobody' : '');
      expect(answer.status).toBe(left === 2 ? 401 : 400);
      expect(answer.headers.get('ratelimit-limit')).toBe('5');
      expect(answer.headers.get('ratelimit-remaining')).toBe(String(left));
      expect(answer.headers.get('ratelimit-reset')).toBe(String(60 - 10 * (4 - left)));
      visit.service.clock.advance(10_000);
    }
    visit.service.double.requests.length = 0;
    const sixth = await attempt('10.0.1.1', undefined, 'token-ann');
    expectProblem(sixth, 429, 'rate_limited');
    expect(sixth.headers.get('retry-after')).toBe('10');
    expect(sixth.body.details).toEqual({ retry_after_s: 10 });
    expect(sixth.headers.get('ratelimit-remaining')).toBe('0');
    expect(visit.service.double.requests).toEqual([]);
    expect((await attempt('10.0.1.2', undefined, 'token-ann')).status).toBe(200);
  });

  test('the window rolls: each place is free again a minute after it was taken, and errors take none', async () => {
    for (let n = 0; n < 5; n++) {
      await attempt('10.0.1.1');
      visit.service.clock.advance(5_000);
    }
    for (let n = 0; n < 10; n++) expect((await attempt('10.0.1.1')).status).toBe(429);
    visit.service.clock.advance(34_999);
    expect((await attempt('10.0.1.1')).status).toBe(429);
    visit.service.clock.advance(1);
    expect((await attempt('10.0.1.1')).status).toBe(400);
    expect((await attempt('10.0.1.1')).status).toBe(429);
    visit.service.clock.advance(5_000);
    expect((await attempt('10.0.1.1')).status).toBe(400);
  });

  test('a request from a foreign page takes no place', async () => {
    for (let n = 0; n < 7; n++)
      await visit.service.ask('POST', '/api/auth/setup', {
        body: {},
        headers: { origin: 'https://elsewhere.example' },
      });
    expect((await visit.service.ask('POST', '/api/auth/setup', { body: {} })).status).toBe(400);
  });

  test('signing out is not limited', async () => {
    for (let n = 0; n < 8; n++) expect((await visit.service.ask('DELETE', '/api/auth/setup')).status).toBe(200);
  });
});

describe.each([
  // hops, how the sixth says where it comes from, whether it is the same caller as the five before
  ['0', (n: number) => ({ from: '10.0.2.1', forwarded: `1.2.3.${n}` }), true],
  ['1', (n: number) => ({ from: '10.0.2.1', forwarded: `1.2.3.${n}, 9.9.9.9` }), true],
  ['1', (n: number) => ({ from: '10.0.2.1', forwarded: `9.9.9.9, 1.2.3.${n}` }), false],
  ['1', (n: number) => ({ from: `10.0.2.${n}`, forwarded: '9.9.9.9' }), true],
  ['2', (n: number) => ({ from: '10.0.2.1', forwarded: `1.2.3.${n}, 9.9.9.9, 10.0.3.1` }), true],
  ['2', (n: number) => ({ from: '10.0.2.1', forwarded: `9.9.9.9, 1.2.3.${n}, 10.0.3.1` }), false],
  ['2', (n: number) => ({ from: '10.0.2.1', forwarded: `1.2.3.${n}, 8.8.8.8, 9.9.9.9, 10.0.3.${n}` }), true],
] as const)('behind %s proxies', (hops, requestAs, isSame) => {
  test(`${JSON.stringify(requestAs(7))} is ${isSame ? 'one caller' : 'many callers'}, whatever it makes up`, async () => {
    const service = await startService({ TRUST_PROXY_HOPS: hops });
    const statuses: number[] = [];
    for (let n = 1; n <= 6; n++) {
      const { from, forwarded } = requestAs(n);
      const headers = { 'x-forwarded-for': forwarded };
      statuses.push((await service.ask('POST', '/api/auth/setup', { body: {}, from, headers })).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, isSame ? 429 : 400]);
    await service.close();
  });
});

describe('everything a session asks', () => {
  test('is limited by the minute, sessions apart, public answers not', async () => {
    const service = await startService({ RATE_LIMIT_SESSION_PER_MINUTE: '3' });
    for (let n = 0; n < 3; n++)
      expect((await service.ask('GET', '/api/auth/me', { as: 'token-ann' })).status).toBe(200);
    for (const path of ['/api/auth/me', '/api/codehost/repos?bogus=', '/api/nowhere']) {
      const answer = await service.ask('GET', path, { as: 'token-ann' });
      expectProblem(answer, 429, 'rate_limited');
      expect(answer.headers.get('retry-after')).toBe('60');
    }
    expect((await service.ask('GET', '/api/health', { as: 'token-ann' })).status).toBe(200);
    expect((await service.ask('GET', '/api/auth/me', { as: 'token-bo' })).status).toBe(200);
    service.clock.advance(60_000);
    expect((await service.ask('GET', '/api/auth/me', { as: 'token-ann' })).status).toBe(200);
    await service.close();
  });

  test('is not limited where that is switched off', async () => {
    const service = await startService({ RATE_LIMIT_SESSION_PER_MINUTE: '0', RATE_LIMIT_DEMO_PER_MINUTE: '0' });
    for (let n = 0; n < 70; n++) {
      const answer = await service.ask('GET', '/api/demo?resource=repos');
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null]);
    }
    await service.close();
  });

  test('600 a minute, when nothing else is said', async () => {
    const request = () => visit.service.ask('GET', '/api/auth/me', { as: 'token-ann' });
    await visit.service.signIn('token-ann');
    for (let n = 0; n < 600; n++) expect((await request()).status).toBe(200);
    expect((await request()).status).toBe(429);
  });
});

describe('the demo', () => {
  test('sixty a minute and address; questions that are rejected for their form take no place', async () => {
    const ask = (from: string, query = 'resource=repos') => visit.service.ask('GET', `/api/demo?${query}`, { from });
    for (let n = 0; n < 5; n++) expect((await ask('10.0.4.1', 'resource=bogus')).status).toBe(400);
    for (let left = 59; left >= 0; left--)
      expect((await ask('10.0.4.1')).headers.get('ratelimit-remaining')).toBe(String(left));
    const response = await ask('10.0.4.1');
    expectProblem(response, 429, 'rate_limited');
    expect(Number(response.headers.get('retry-after'))).toBe(60);
    expect((await ask('10.0.4.2')).status).toBe(200);
  });
});
