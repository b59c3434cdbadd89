import { expect, test } from 'vitest';
import { visitDouble } from './visitor.ts';

const visit = visitDouble();
const { get, clean } = visit;

test('faults happen where and as often as they were switched on', async () => {
  const path = '/repos/octo/web';
  visit.double.fault({ path, times: 2, after: 1 }, { kind: 'status', status: 502 });
  const statuses = [];
  for (let turn = 0; turn < 4; turn++) statuses.push((await get(path)).status);
  expect(statuses).toEqual([200, 502, 502, 200]);
  visit.double.fault({ path: '/repos/*' }, { kind: 'secondary_limit', retryAfter: 7 });
  const secondary = await get(path);
  expect([secondary.status, secondary.headers.get('retry-after')]).toEqual([403, '7']);
  expect(secondary.body.message).toContain('secondary rate limit');
  visit.double.fault({ path: /web$/ }, { kind: 'primary_limit', status: 429 });
  const primary = await get(path);
  expect([primary.status, primary.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
  clean();
});

test('answers can be late, missing, cut or broken', async () => {
  visit.double.fault({ path: '/user' }, { kind: 'latency', ms: 60 });
  const start = performance.now();
  expect((await get('/user')).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThan(50);
  const headers = { authorization: 'Bearer token-ann' };
  visit.double.fault({}, { kind: 'hang' });
  await expect(fetch(`${visit.double.url}/user`, { headers, signal: AbortSignal.timeout(80) })).rejects.toThrow(
    'timeout',
  );
  visit.double.fault({}, { kind: 'reset' });
  await expect(fetch(`${visit.double.url}/user`, { headers })).rejects.toThrow('fetch failed');
  visit.double.fault({}, { kind: 'cut_body' });
  await expect(fetch(`${visit.double.url}/user`, { headers }).then((answer) => answer.text())).rejects.toThrow();
  visit.double.fault({}, { kind: 'malformed_json' });
  await expect(fetch(`${visit.double.url}/user`, { headers }).then((answer) => answer.json())).rejects.toThrow(
    SyntaxError,
  );
  expect(visit.double.requests.map((one) => one.status)).toEqual([200, 0, 0, 0, 200]);
});
