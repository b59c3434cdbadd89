import { expect, test } from 'vitest';
import type { Problem } from '../../../server/platform/problem.ts';
import { withDouble } from '../double.ts';
import { clientOf, errorOf, startPlatform } from '../platform.ts';

const world = withDouble();
const web = { owner: 'octo', repo: 'web' };
const file = (name: string) => `.github/workflows/${name}`;

test('the files of the directory come with their text, in one request', async () => {
  world.double.putWorkflowFile('octo/web', file('zeta.yaml'), 'on: push\n');
  world.double.putWorkflowFile('octo/web', file('notes.md'), '# not a workflow');
  world.double.putWorkflowFile('octo/web', file('old/deep.yml'), 'on: push\n');
  world.double.putWorkflowFile('octo/web', 'action.yml', 'name: x\n');
  world.double.putWorkflowFile('octo/web', '.github/dependabot.yml', 'version: 2\n');
  const { codehost, sent, clock } = world.as();
  const read = await codehost.workflowFiles(web);
  expect(read.files.map(({ path }) => path)).toEqual([file('ci.yml'), file('deploy.yml'), file('zeta.yaml')]);
  expect(read.files[2]).toMatchObject({ text: 'on: push\n', unread: null });
  // The id that Git itself gives to this text.
  expect(read.files[2]?.blobId).toBe('b83836ed8c80558d4e40ea4ac5d69f4405334799');
  expect(read).toMatchObject({
    visibility: 'private',
    partial: false,
    stale: false,
    asOf: clock.now(),
    actionFile: 'action.yml',
    updatesFile: '.github/dependabot.yml',
    rootFiles: expect.arrayContaining(['action.yml']),
  });
  expect(read.commitSha).toMatch(/^[0-9a-f]{40}$/);
  expect(sent).toHaveLength(1);
});

test('they are stored for five minutes', async () => {
  const { codehost, sent } = world.as();
  await codehost.workflowFiles(web);
  world.advance(5 * 60_000 - 1);
  await codehost.workflowFiles({ owner: 'OCTO', repo: 'Web' });
  expect(sent).toHaveLength(1);
  world.advance(1);
  await codehost.workflowFiles(web);
  expect(sent).toHaveLength(2);
});

test('what is no text, or cut, is named with the reason', async () => {
  world.double.putWorkflowFile('octo/web', file('ci.yml'), { isBinary: true });
  world.double.putWorkflowFile('octo/web', file('deploy.yml'), { isTruncated: true });
  const { files, partial } = await world.as().codehost.workflowFiles(web);
  expect(files.map(({ text, unread }) => [text, unread])).toEqual([
    [null, 'binary'],
    [null, 'too large'],
  ]);
  expect(partial).toBe(false);
});

test('without a directory, and in an empty repository, there are no files', async () => {
  const { codehost } = world.as();
  const bare = await codehost.workflowFiles({ owner: 'octo', repo: 'no-actions' });
  expect([bare.files, bare.partial]).toEqual([[], false]);
  expect(await codehost.workflowFiles({ owner: 'octo', repo: 'empty' })).toMatchObject({ files: [], commitSha: null });
});

test('a directory that is rejected is an error, not an empty one', async () => {
  const expectRejected = async (type: string, times = 1) => {
    world.double.fault({ path: '/graphql', times }, { kind: 'nested_graphql', field: 'workflows', type });
    return (await errorOf(world.as().codehost.workflowFiles(web))).code;
  };
  expect(await expectRejected('FORBIDDEN')).toBe('upstream_forbidden');
  expect(await expectRejected('INTERNAL', 2)).toBe('upstream_unavailable');
  expect((await errorOf(world.as('token-bo').codehost.workflowFiles({ owner: 'octo', repo: 'secret' }))).code).toBe(
    'not_found',
  );
});

test.each(['Tree.entries', 'TreeEntry.name', 'TreeEntry.oid', 'TreeEntry.type', 'TreeEntry.mode'])(
  'a directory of which %s cannot be read is an error, not an empty one',
  async (field) => {
    const expectUnread = async (type: string) => {
      world.double.fault({ path: '/graphql', times: 2 }, { kind: 'failing_field', field, type });
      const { codehost } = world.as();
      const [many] = await codehost.workflowFilesOfMany([web]);
      expect(many).toMatchObject({ code: (await errorOf(codehost.workflowFiles(web))).code });
      return (many as Problem).code;
    };
    expect(await expectUnread('FORBIDDEN')).toBe('upstream_forbidden');
    expect(await expectUnread('INTERNAL')).toBe('upstream_unavailable');
  },
);

test.each([
  ['Repository.defaultBranchRef', 'defaultBranchRef'],
  ['TreeEntry.object', 'object'],
])('a reading without %s is partial and states the field', async (field, name) => {
  world.double.fault({ path: '/graphql', times: 2 }, { kind: 'failing_field', field, type: 'FORBIDDEN' });
  const partialReason = expect.stringMatching(
    new RegExp(`^${name} of [12] workflow files?( of repositories)? could not be read$`),
  );
  expect(await world.as().codehost.workflowFiles(web)).toMatchObject({ partial: true, partialReason });
  expect(await world.as().codehost.workflowFilesOfMany([web])).toMatchObject([{ partial: true, partialReason }]);
});

test('a text that the platform holds back is said to be missing', async () => {
  world.double.fault({ path: '/graphql' }, { kind: 'nested_graphql', field: 'object', type: 'FORBIDDEN' });
  const { files, partial } = await world.as().codehost.workflowFiles(web);
  expect(files.map(({ unread }) => unread)).toEqual(['no answer', 'no answer']);
  expect(partial).toBe(true);
});

test('what lies at the root is not needed to read the files', async () => {
  world.double.putWorkflowFile('octo/web', 'package-lock.json', '{}');
  const { rootFiles } = await world.as().codehost.workflowFiles(web);
  expect(rootFiles).toContain('package-lock.json');
  expect(rootFiles).not.toContain('.github');
  world.double.fault({ path: '/graphql', times: 2 }, { kind: 'nested_graphql', field: 'root', type: 'FORBIDDEN' });
  world.advance(5 * 60_000);
  const { files, rootFiles: unread, partial } = await world.as().codehost.workflowFiles(web);
  expect([files.length, unread, partial]).toEqual([2, null, true]);
});

test('an outage is bridged with the last answer, which says so', async () => {
  const { codehost } = world.as();
  await codehost.workflowFiles(web);
  world.advance(10 * 60_000);
  world.double.fault({ path: '/graphql', times: 9 }, { kind: 'status', status: 502 });
  const read = await codehost.workflowFiles(web);
  expect([read.stale, read.files.length]).toEqual([true, 2]);
});

test('a directory with more than a thousand entries is read to its end', async () => {
  const name = (n: number) => file(`w${String(n).padStart(4, '0')}.yml`);
  for (let n = 0; n < 1100; n++) world.double.putWorkflowFile('octo/fork', name(n), `on: push\nname: w${n}\n`);
  const { codehost, sent } = world.as();
  const { files, partial } = await codehost.workflowFiles({ owner: 'octo', repo: 'fork' });
  expect([files.length, partial]).toEqual([1101, false]);
  expect(files.find(({ path }) => path === name(1099))?.text).toBe('on: push\nname: w1099\n');
  expect(files.every(({ text }) => text !== null)).toBe(true);
  // The directory, its tree, and what the first answer lacked.
  expect(sent.map(({ operation }) => operation).sort()).toEqual([
    'entries of a directory',
    'texts of workflow files',
    'texts of workflow files',
    'workflow files',
  ]);
});

test('a directory of which the platform reports a part only says that there is more', async () => {
  const entries = Array.from({ length: 1000 }, (_, n) => ({
    name: `${n}.md`,
    oid: `${n}`,
    type: 'blob',
    mode: 0o100644,
  }));
  const tree = entries.map(({ name, oid, type }) => ({ path: name, sha: oid, type, mode: '100644' }));
  const repository = { name: 'web', owner: { login: 'octo' }, visibility: 'PUBLIC', workflows: { oid: 'd1', entries } };
  let truncated = true;
  const platform = await startPlatform(({ url }, answer) =>
    answer.json(200, url === '/graphql' ? { data: { repository } } : { tree, truncated }),
  );
  expect(await clientOf(platform.url).codehost.workflowFiles(web)).toMatchObject({ files: [], partial: true });
  truncated = false;
  expect(await clientOf(platform.url).codehost.workflowFiles(web)).toMatchObject({ files: [], partial: false });
  await platform.close();
});
