import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../server/api/registry.ts';
import { reads, storedReads, withQuery } from '../api/endpoints.ts';
import { anActor } from '../codehost-double/delivery-builders.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { type Service, startService } from '../support/service.ts';

const day = 86_400_000;
const env = { MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' };

/** Requested by somebody who sees everything before somebody who does not asks the same. */
let warm: Service;
/** Where only the second of the two has ever asked. */
let cold: Service;

const everything = { ...reads, ...storedReads };

/** A good question for every read of the platform or the store, about what both see and about what one of them sees. */
const questions = Object.entries(everything).flatMap(([path, query]) => {
  const hidden = query.replace('repo=web', 'repo=secret').replace('7001', '10061').replace('5011', '50111');
  return [withQuery(path, query), ...(hidden === query ? [] : [withQuery(path, hidden)])];
});

async function worldWithSecrets(): Promise<Service> {
  const service = await startService(env);
  const { double, clock } = service;
  const now = clock.now();
  const merged = { createdAt: now - 2 * day, mergedAt: now - day, author: anActor('ana'), title: 'Hidden lamp' };
  double.putPullRequest('octo/secret', { number: 1, ...merged });
  double.putIssue('octo/secret', { number: 2, title: 'Hidden issue' });
  double.addDeployments('octo/secret', 6, { from: now - 9 * day, to: now - day });
  double.addCommits('octo/secret', 9, { from: now - 9 * day, to: now - day });
  const workflowId = repositoryOf(double.world, 'octo/secret').workflows[0]?.id ?? 0;
  double.putRun('octo/secret', { id: 50111, workflowId, createdAt: now - day });
  await service.signIn('token-ann');
  await service.signIn('token-bo');
  const { store } = service.app.services;
  const bo = (await store?.users.findByLogin('bo'))?.codehostId ?? 0;
  const by = { actor: { id: null, login: 'system' }, requestId: null, now };
  await store?.users.replaceGroups(bo, ['devops', 'pm'], by);
  for (const flag of ['workloadRisk', 'workingHabits'])
    await store?.permissions.set({ group: 'pm', flag, granted: true }, by);
  return service;
}

beforeAll(async () => {
  [warm, cold] = await Promise.all([worldWithSecrets(), worldWithSecrets()]);
  for (const repo of ['web', 'secret']) {
    const path = `/api/db/sync?owner=octo&repo=${repo}`;
    expect([repo, (await warm.ask('POST', path, { as: 'token-ann' })).status]).toEqual([repo, 200]);
  }
  await cold.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-bo' });
  for (const path of questions)
    expect([path, (await warm.ask('GET', path, { as: 'token-ann' })).status]).toEqual([path, 200]);
});
afterAll(async () => {
  await Promise.all([warm.close(), cold.close()]);
});

test('the walk goes through every read there is', () => {
  const known = operations.filter(
    ({ method, path }) => method === 'GET' && /^\/api\/(codehost|db)\/|explain/.test(path),
  );
  expect(known.map(({ path }) => path).filter((path) => !(path in everything))).toEqual([]);
});

/** What an answer says, without what differs from one request, or one stand-in of the platform, to the next. */
const reported = ({ status, text }: { status: number; text: string }) =>
  `${status} ${text.replace(/"request_id":"[^"]+"/, '').replaceAll(/127\.0\.0\.1:\d+/g, 'platform')}`;

/** The answer to one who sees less, once nothing is judged behind it any more. */
async function askSettled(service: Service, path: string) {
  const first = await service.ask('GET', path, { as: 'token-bo' });
  if (!path.startsWith('/api/advisor/plan')) return first;
  await service.app.services.background.ended();
  return service.ask('GET', path, { as: 'token-bo' });
}

test('whatever was asked before by somebody who sees more, the answers are those of one’s own token', async () => {
  const differing = new Set<string>();
  // Jobs of a repository that both see are stored for both, and tell waits of runs.
  for (const path of questions) await cold.ask('GET', path, { as: 'token-bo' });
  for (const path of questions) {
    const after = await askSettled(warm, path);
    const alone = await askSettled(cold, path);
    expect([path, after.text.match(/Hidden|octo\/secret/)]).toEqual([path, null]);
    if (reported(after) !== reported(alone)) differing.add(path.split('?')[0] ?? '');
  }
  // The quota is the token's own, spent by what it asked itself.
  const mayDiffer = ['/api/codehost/workflow-reliability', '/api/codehost/job-stats', '/api/codehost/rate-limit'];
  expect([...differing].filter((path) => !mayDiffer.includes(path))).toEqual([]);
});

test('the other way round nobody is shown less', async () => {
  for (const path of questions)
    expect([path, (await warm.ask('GET', path, { as: 'token-ann' })).status]).toEqual([path, 200]);
});
