import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service?.close());

/** Tries a token that nobody has; after five times a minute that is rejected. */
const attempt = async (from: string) =>
  (await service.ask('POST', '/api/auth/setup', { body: { pat: 'token-of-nobody' }, from })).status;

test('sign-ins are limited per /64 network of IPv6, and per IPv4 address however it is written', async () => {
  for (let host = 1; host <= 5; host++) expect(await attempt(`2001:db8:1:1:${host}::1`)).toBe(401);
  expect(await attempt('2001:db8:1:1:ffff::1')).toBe(429);
  expect(await attempt('2001:db8:1:2::1')).toBe(401);
  for (let time = 1; time <= 5; time++) expect(await attempt(time % 2 ? '9.9.9.9' : '::ffff:9.9.9.9')).toBe(401);
  expect(await attempt('::ffff:909:909')).toBe(429);
  expect(await attempt('9.9.9.8')).toBe(401);
});

test.each([
  ['X-Forwarded-For', '0', 1],
  ['Forwarded', '0', 1],
  ['X-Forwarded-For', '1', 0],
  ['X-Forwarded-Proto', '0', 0],
])('%s with TRUST_PROXY_HOPS=%s is warned of %d times', async (name, TRUST_PROXY_HOPS, times) => {
  const other = await startService({ TRUST_PROXY_HOPS }, service);
  const { log, forwardedHeaders } = other.app.services;
  const warned: unknown[] = [];
  log.warn = ((line: unknown) => warned.push(line)) as typeof log.warn;
  for (let n = 0; n < 3; n++) await other.ask('GET', '/api/health', { headers: { [name]: '9.9.9.9' } });
  await other.close();
  expect([warned.length, forwardedHeaders.ignored]).toEqual([times, times > 0]);
});
