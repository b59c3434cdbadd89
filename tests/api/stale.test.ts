import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const reads = [
  '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001',
  '/api/codehost/workflow-health?owner=octo&repo=web&workflow_id=7001',
  '/api/codehost/repo-overview?owner=octo&repo=web',
  '/api/codehost/repo-summary?owner=octo&repo=web',
  '/api/codehost/repo-attention?org=octo',
];

let service: Service;
beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
  for (const path of reads) await service.ask('GET', path, { as: 'token-ann' });
  await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
  service.clock.advance(10 * 60_000);
  service.double.fault({ times: 1000 }, { kind: 'primary_limit' });
});
afterAll(() => service.close());

test.each(reads)('%s shows the last answer and says that it is old', async (path) => {
  const answer = await service.ask('GET', path, { as: 'token-ann' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('X-Stale')).toBe('true');
  expect(answer.headers.get('X-Data-As-Of')).toBe('2026-11-16T10:00:00.000Z');
});

test('stored data is not shown on the word of an old answer', async () => {
  const answer = await service.ask('GET', '/api/db/runs?owner=octo&repo=web', { as: 'token-ann' });
  expect(answer.status).toBe(429);
  const trends = await service.ask('GET', '/api/db/trends?owner=octo&repo=web', { as: 'token-ann' });
  expect(trends.status).toBe(429);
});

test('nor on the word of an old list of repositories', async () => {
  for (const path of ['/api/db/trends?owner=octo&type=org', '/api/codehost/org-contributors?org=octo']) {
    const { status, body } = await service.ask('GET', path, { as: 'token-ann' });
    expect([path, status, body.code]).toEqual([path, 503, 'authz_unavailable']);
  }
});
