import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logLines } from '../support/log-lines.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
  await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
});
afterAll(() => service?.close());

/** The line of one request, and how many requests reached the platform meanwhile. */
async function lineOf(method: string, path: string) {
  const before = service.double.requests.length;
  const lines = await logLines(service.app.services, () => service.ask(method, path, { as: 'token-ann' }));
  const own = lines.filter((line) => 'upstream_requests' in line);
  expect(own).toHaveLength(1);
  return { line: own[0], requests: service.double.requests.length - before };
}

describe('the line of a request', () => {
  test('says whether the answer came from memory', async () => {
    const path = '/api/db/trends?owner=octo&repo=web';
    const said = { operation: 'GET /api/db/trends', path: '/api/db/trends', status: 200, upstream_requests: 0 };
    expect((await lineOf('GET', path)).line).toMatchObject({ ...said, cache: 'miss' });
    expect((await lineOf('GET', path)).line).toMatchObject({ ...said, cache: 'hit' });
  });

  test('says how many requests were sent to the platform for it', async () => {
    service.clock.advance(3_600_000);
    const path = '/api/codehost/repo-overview?owner=octo&repo=web';
    const { line, requests } = await lineOf('GET', path);
    expect(requests).toBeGreaterThan(0);
    expect(line).toMatchObject({ operation: 'GET /api/codehost/repo-overview', upstream_requests: requests });
    expect((await lineOf('GET', path)).line).toMatchObject({ upstream_requests: 0 });
  });

  test('names no operation where there is none', async () => {
    expect((await lineOf('GET', '/api/nothing')).line).toMatchObject({ operation: null, status: 404, cache: 'none' });
  });

  test('names that of a rejected request', async () => {
    expect((await lineOf('GET', '/api/db/trends?owner=..')).line).toMatchObject({
      operation: 'GET /api/db/trends',
      status: 400,
      cache: 'none',
    });
  });
});
