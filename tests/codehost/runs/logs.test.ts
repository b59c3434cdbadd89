import { expect, test } from 'vitest';
import { repositoryOf } from '../../codehost-double/world.ts';
import { dated, download, jobLines, logStart } from '../../metrics/security/log-text.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const world = withDouble();
const web = { owner: 'octo', repo: 'web' };
const times = { startedAt: logStart, completedAt: logStart + 30_000 };
const good = 'a'.repeat(40);
const lines = dated(jobLines({ downloads: [download('a/b@v4', good)] }));
const read = () => world.as().codehost.logs.ofJob(web, 7, times);

test('a log is read from the storage, which is not given the token, for one request', async () => {
  world.double.putLog('octo/web', 7, `\uFEFF${lines.join('\r\n')}`);
  const before = world.double.spent('core');
  expect(await read()).toMatchObject({ isComplete: true, downloads: [{ actionKey: 'a/b', commit: good }] });
  expect(world.double.spent('core') - before).toBe(1);
  expect(world.double.violations).toEqual([]);
});

test('of 60 MiB the first eight are read', async () => {
  const filler = Buffer.alloc(60 << 20, `${lines[0]}\n`);
  world.double.putLog('octo/web', 7, Buffer.concat([Buffer.from(`${lines.slice(0, -1).join('\n')}\n`), filler]));
  expect(await read()).toMatchObject({ isComplete: false, downloads: [{ commit: good }] });
});

test('one that was deleted by its age, one that there is not, and one that cannot be downloaded', async () => {
  world.double.putLog('octo/web', 7, 'expired');
  expect(await read()).toBe('expired');
  expect(await world.as().codehost.logs.ofJob(web, 8, times)).toBe('missing');
  world.double.fault({ path: '/repos/octo/web/actions/jobs/9/logs', times: 1 }, { kind: 'status', status: 403 });
  expect((await errorOf(world.as().codehost.logs.ofJob(web, 9, times))).code).toBe('upstream_forbidden');
});

test('the record of an attempt names the workflows that it called, with their commits, and the file that ran', async () => {
  const path = 'Some/Flows/.github/workflows/ci.yml@main';
  const workflow = repositoryOf(world.double.world, 'octo/web').workflows[0];
  const workflowId = workflow?.id ?? 0;
  world.double.putRun('octo/web', { id: 77, event: 'push', workflowId });
  world.double.putRun('octo/web', { id: 78, event: 'pull_request', workflowId });
  world.double.putCalled('octo/web', 77, 1, [{ path, sha: good }]);
  const { logs } = world.as().codehost;
  expect(await logs.record(web, 77, 1)).toEqual({
    called: [
      {
        actionKey: 'some/flows',
        path: '.github/workflows/ci.yml',
        kind: 'reusable_workflow',
        ref: 'main',
        commit: good,
      },
    ],
    file: { path: workflow?.path ?? '.github/workflows/gone.yml', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
  expect(await logs.record(web, 78, 1)).toEqual({ called: [], file: null });
  world.double.putCalled('octo/web', 78, 1, null);
  expect(await logs.record(web, 78, 1), 'a platform that does not say').toEqual({ called: null, file: null });
  expect(await logs.record(web, 79, 1)).toBeNull();
});
