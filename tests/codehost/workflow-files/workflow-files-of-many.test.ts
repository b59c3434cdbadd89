import { expect, test } from 'vitest';
import type { WorkflowFiles } from '../../../server/codehost/workflow-files/client.ts';
import { Problem } from '../../../server/platform/problem.ts';
import { withDouble } from '../double.ts';

const world = withDouble();
const named = (repo: string) => ({ owner: 'octo', repo });
const file = (name: string) => `.github/workflows/${name}`;

/** What was read, or the code of the problem. */
const outcomes = (read: readonly (WorkflowFiles | Problem)[]) =>
  read.map((one) => (one instanceof Problem ? one.code : one.files.map(({ path }) => path.split('/').at(-1))));

test('nine repositories are one request, in the order of the question, and the answer is that of the single one', async () => {
  const repositories = ['web', 'api', 'empty', 'no-actions', 'fork', 'old', 'secret', 'renamed-now', 'no-issues'];
  const { codehost, sent } = world.as();
  const read = await codehost.workflowFilesOfMany(repositories.map(named));
  expect(sent.map(({ operation }) => operation)).toEqual(['workflow files of repositories']);
  const single = world.as().codehost;
  expect(read).toEqual(await Promise.all(repositories.map((repo) => single.workflowFiles(named(repo)))));
  expect(outcomes(read).slice(0, 4)).toEqual([['ci.yml', 'deploy.yml'], ['ci.yml'], [], []]);
});

test('eleven are two requests, and none within five minutes, of one repository neither', async () => {
  const names = Array.from({ length: 11 }, (_, index) => ({
    owner: 'many',
    repo: `repo-${String(index + 1).padStart(3, '0')}`,
  }));
  const { codehost, sent } = world.as();
  await codehost.workflowFilesOfMany(names);
  expect(sent).toHaveLength(2);
  world.advance(5 * 60_000 - 1);
  await codehost.workflowFilesOfMany(names);
  await codehost.workflowFiles({ owner: 'MANY', repo: 'repo-001' });
  expect(sent).toHaveLength(2);
  world.advance(1);
  await codehost.workflowFilesOfMany(names);
  expect(sent).toHaveLength(4);
});

test('what was read of one repository is not requested with others', async () => {
  const { codehost, sent } = world.as();
  await codehost.workflowFiles(named('web'));
  await codehost.workflowFilesOfMany([named('web')]);
  expect(sent).toHaveLength(1);
});

test('one that cannot be seen, or whose directory is denied, concerns no other', async () => {
  const { codehost } = world.as('token-bo');
  expect(outcomes(await codehost.workflowFilesOfMany([named('secret'), named('api'), named('not a name')]))).toEqual([
    'not_found',
    ['ci.yml'],
    'not_found',
  ]);
  world.double.fault({ path: '/graphql' }, { kind: 'nested_graphql', field: 'workflows', type: 'FORBIDDEN' });
  expect(outcomes(await world.as().codehost.workflowFilesOfMany([named('web')]))).toEqual(['upstream_forbidden']);
  const sealed = await world.as('token-ann-two').codehost.workflowFilesOfMany([{ owner: 'sealed', repo: 'ledger' }]);
  expect(outcomes(sealed)).toEqual(['sso_required']);
});

test('a request that is too much for the platform is asked again in halves', async () => {
  world.double.fault({ path: '/graphql' }, { kind: 'status', status: 502 });
  const { codehost, sent } = world.as();
  const read = await codehost.workflowFilesOfMany(['web', 'api', 'fork'].map(named));
  expect(outcomes(read)).toEqual([['ci.yml', 'deploy.yml'], ['ci.yml'], ['ci.yml']]);
  expect(sent).toHaveLength(3);
});

test('in an outage the last answers are given, marked as old, and the others are problems', async () => {
  const { codehost } = world.as();
  await codehost.workflowFiles(named('web'));
  world.advance(10 * 60_000);
  world.double.fault({ path: '/graphql', times: 99 }, { kind: 'status', status: 502 });
  const read = await codehost.workflowFilesOfMany([named('web'), named('api')]);
  expect(outcomes(read)).toEqual([['ci.yml', 'deploy.yml'], 'upstream_unavailable']);
  expect((read[0] as WorkflowFiles).stale).toBe(true);
});

test('a directory with more than a thousand entries is read to its end by requests of its own', async () => {
  for (let n = 0; n < 1100; n++)
    world.double.putWorkflowFile('octo/fork', file(`w${String(n).padStart(4, '0')}.yml`), 'on: push\n');
  const { codehost } = world.as();
  const [web, fork] = await codehost.workflowFilesOfMany([named('web'), named('fork')]);
  expect(outcomes([web as WorkflowFiles])).toEqual([['ci.yml', 'deploy.yml']]);
  expect([(fork as WorkflowFiles).files.length, (fork as WorkflowFiles).partial]).toEqual([1101, false]);
  expect(await codehost.workflowFiles(named('fork'))).toEqual(fork);
});
