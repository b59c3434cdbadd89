import { expect, test } from 'vitest';
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

test('the workflows that an attempt called come with their commits', async () => {
  const path = 'Some/Flows/.github/workflows/ci.yml@main';
  world.double.putRun('octo/web', { id: 77 });
  world.double.putCalled('octo/web', 77, 1, [{ path, sha: good }]);
  const { logs } = world.as().codehost;
  expect(await logs.called(web, 77, 1)).toEqual([
    { actionKey: 'some/flows', path: '.github/workflows/ci.yml', kind: 'reusable_workflow', ref: 'main', commit: good },
  ]);
  expect(await logs.called(web, 78, 1)).toBeNull();
});
