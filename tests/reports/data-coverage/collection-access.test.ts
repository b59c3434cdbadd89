import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../api/endpoints.ts';
import { anyDatabase, type Service, startService } from '../../support/service.ts';

let service: Service;
const as = 'token-ann';
const ask = (query: string, token = as) => service.ask('GET', `/api/db/collection?${query}`, { as: token });
const operations = () => service.double.requests.map(({ operation }) => operation);

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
  for (const repo of ['web', 'secret']) await service.ask('POST', `/api/db/sync?owner=octo&repo=${repo}`, { as });
});

afterAll(() => service.close());

test('it is reported to those who see the repository', async () => {
  expect((await ask('owner=octo&repo=secret')).body.readings[0].state).toBe('complete');
  expectProblem(await ask('owner=octo&repo=secret', 'token-bo'), 404, 'not_found');
  expectProblem(await ask('owner=octo&repo=nothing'), 404, 'not_found');
  const reported = async (token: string) => {
    const { readings, repos_known: known } = (await ask('owner=octo', token)).body;
    return [known, [...new Set(readings.map(({ repo }: { repo: string }) => repo))]];
  };
  expect(await reported('token-bo')).toEqual([1, ['octo/web']]);
  expect(await reported('token-ann')).toEqual([2, ['octo/secret', 'octo/web']]);
});

test('it is requested from the database alone, but for the proof that it may be seen', async () => {
  for (const [query, proof] of [
    ['owner=octo&repo=web', 'repos/get'],
    ['owner=octo', 'repos/list-for-org'],
  ] as const) {
    service.clock.advance(6 * 60_000);
    service.double.requests.length = 0;
    expect((await ask(query)).status).toBe(200);
    expect(operations()).toEqual([proof]);
  }
});

test('as a file it is a line for each kind, in the same words', async () => {
  const { headers, text } = await ask('owner=octo&repo=web&format=csv');
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  const lines = text.trim().split('\r\n');
  expect(lines).toHaveLength(1 + 8);
  expect(lines[0]).toContain('repo,resource,title,about,state,from,through,missing,missing_count');
  expect(lines[1]).toContain('octo/web,workflow_runs,Workflow runs,');
  expect(lines[3]).toContain('never,,,Not synced.,,,,,[]');
});

test('one that was renamed is found by its former name', async () => {
  const answer = await ask('owner=octo&repo=before');
  expect([answer.status, answer.headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
  expect(answer.body.readings[0].repo).toBe('octo/renamed-now');
});

test('nothing is reported while the platform cannot be queried', async () => {
  service.clock.advance(6 * 60_000);
  service.double.fault({ path: /^\/(repos|orgs)\//, times: 99 }, { kind: 'status', status: 502 });
  const answers = await Promise.all(['owner=octo&repo=web', 'owner=octo'].map((query) => ask(query)));
  for (const answer of answers) expectProblem(answer, 503, 'authz_unavailable');
  service.double.reset();
});

test('without a database there is nothing to tell, before anything is requested from the platform', async () => {
  const bare = await startService();
  await bare.signIn(as);
  bare.double.requests.length = 0;
  expectProblem(await bare.ask('GET', '/api/db/collection?owner=octo', { as }), 503, 'db_not_configured');
  expect(bare.double.requests).toEqual([]);
  await bare.close();
});
