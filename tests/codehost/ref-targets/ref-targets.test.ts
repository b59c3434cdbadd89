import { expect, test } from 'vitest';
import type { PartError, Transport } from '../../../server/codehost/client/transport.ts';
import { createRefTargets } from '../../../server/codehost/ref-targets/reads.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import { withDouble } from '../double.ts';

const world = withDouble();

const [one, two, stray, note] = ['one', 'two', 'stray', 'note'].map(shaOf) as [string, string, string, string];
const addTool = (name = 'some/tool') =>
  world.double.addRepository({
    name,
    facts: { id: 777 },
    forkCommits: [stray],
    refs: [
      { kind: 'tags', name: 'v1', commits: [two, one] },
      { kind: 'tags', name: 'v1.0.0', commits: [one], object: note },
      { kind: 'heads', name: 'v1', commits: [one] },
      { kind: 'heads', name: 'next', commits: [two, one] },
    ],
  });

test('refs of several repositories come in one request, a tag before a branch of its name', async () => {
  addTool();
  const { codehost, sent } = world.as();
  const [tool, missing] = await codehost.refTargets([
    { owner: 'Some', repo: 'Tool', refs: ['v1', 'v1.0.0', 'next', 'refs/heads/v1', 'none'] },
    { owner: 'some', repo: 'nothing', refs: ['v1'] },
  ]);
  expect(sent.map(({ operation }) => operation)).toEqual(['targets of refs']);
  expect(missing).toBe('not_found');
  expect(tool).toEqual({
    repositoryId: 777,
    isPrivate: false,
    name: 'some/tool',
    targets: new Map([
      ['v1', { commit: two, tagObject: null, isBranch: false, releaseId: null }],
      ['v1.0.0', { commit: one, tagObject: note, isBranch: false, releaseId: null }],
      ['next', { commit: two, tagObject: null, isBranch: true, releaseId: null }],
      ['refs/heads/v1', { commit: one, tagObject: null, isBranch: true, releaseId: null }],
      ['none', null],
    ]),
  });
});

test('a file comes with the commit that has it, also where the id of a tag was asked for, and its repository', async () => {
  const text = 'runs: {using: node24}';
  world.double.addRepository({
    name: 'some/tool',
    facts: { id: 777 },
    refs: [{ kind: 'tags', name: 'v1', commits: [two], object: note, files: new Map([['action.yml', text]]) }],
  });
  const { codehost, sent } = world.as();
  const ask = { actionKey: 'some/tool', path: '', kind: 'action' as const };
  const found = { path: 'action.yml', text, leadsTo: two, repositoryId: 777, isPrivate: false };
  const questions = [two, note, stray].map((commit) => ({ ...ask, commit }));
  expect(await codehost.actionFiles(questions)).toEqual([found, found, 'not_found']);
  expect(sent).toHaveLength(1);
});

/** What is read of an answer about `some/tool@v1`, of which both places are `r0` and `r1`. */
async function readAnswer(repository: unknown, errors: PartError[] = []) {
  const transport = { graphql: async ({ read }: { read: Reading }) => read({ a0: repository }, errors) };
  const reads = createRefTargets(transport as unknown as Transport);
  const [found] = await reads.refTargets([{ owner: 'some', repo: 'tool', refs: ['v1'] }]);
  return found;
}
type Reading = (data: unknown, errors: PartError[]) => unknown;

test('only what the platform says is not there is not there', async () => {
  const missing = (type: string) => readAnswer(null, [{ type, path: ['a0'], message: '' }]);
  expect(await missing('NOT_FOUND')).toBe('not_found');
  for (const type of ['FORBIDDEN', 'INSUFFICIENT_SCOPES', 'SERVICE_UNAVAILABLE'])
    expect(await missing(type)).toBe('unreadable');
  const targets = new Map();
  expect(await readAnswer({ databaseId: 1, nameWithOwner: 'Some/Tool', isPrivate: false, r0: null, r1: null })).toEqual(
    {
      repositoryId: 1,
      isPrivate: false,
      name: 'some/tool',
      targets: new Map([['v1', null]]),
    },
  );
  expect(await readAnswer({ databaseId: 1, nameWithOwner: 'Some/Tool', isPrivate: false, r1: null })).toEqual({
    repositoryId: 1,
    isPrivate: false,
    name: 'some/tool',
    targets,
  });
  const somewhere = { type: 'INTERNAL', message: 'Something went wrong' } as PartError;
  expect(
    await readAnswer({ databaseId: 1, nameWithOwner: 'Some/Tool', isPrivate: false, r0: null, r1: null }, [somewhere]),
  ).toEqual({
    repositoryId: 1,
    isPrivate: false,
    name: 'some/tool',
    targets,
  });
});

test('a tag of a tag leads to the commit of the innermost, and is named by the outermost', async () => {
  const tagOf = (oid: string, target: object) => ({ __typename: 'Tag', oid, target });
  const target = tagOf('outer', tagOf('middle', tagOf('inner', { __typename: 'Commit', oid: one })));
  expect(
    await readAnswer({
      databaseId: 1,
      nameWithOwner: 'Some/Tool',
      isPrivate: false,
      r0: { prefix: 'refs/tags/', name: 'v1', target },
      r1: null,
    }),
  ).toEqual({
    repositoryId: 1,
    isPrivate: false,
    name: 'some/tool',
    targets: new Map([['v1', { commit: one, tagObject: 'outer', isBranch: false, releaseId: null }]]),
  });
});

test('a renamed repository answers under its old name, with its own id', async () => {
  addTool();
  world.double.rename('some/tool', 'some/gear');
  const [found] = await world.as().codehost.refTargets([{ owner: 'some', repo: 'tool', refs: ['v1'] }]);
  expect(found).toMatchObject({ repositoryId: 777, name: 'some/gear', targets: new Map([['v1', { commit: two }]]) });
});

test('a ref may say that it is a tag or a branch', async () => {
  addTool();
  const refs = ['heads/v1', 'tags/v1', 'heads/none'];
  const [found] = await world.as().codehost.refTargets([{ owner: 'some', repo: 'tool', refs }]);
  expect(found).toMatchObject({
    targets: new Map([
      ['heads/v1', { commit: one, isBranch: true }],
      ['tags/v1', { commit: two, isBranch: false }],
      ['heads/none', null],
    ]),
  });
});

test('the release of a tag is named, and read by its id', async () => {
  addTool();
  world.double.putRelease('some/tool', { id: 5, tag: 'v1', createdAt: 1000, isImmutable: true });
  const { codehost, sent } = world.as();
  const tool = { owner: 'some', repo: 'tool' };
  const [found] = await codehost.refTargets([{ ...tool, refs: ['v1', 'v1.0.0', 'refs/heads/v1'] }]);
  const targets = typeof found === 'object' ? [...found.targets.values()] : [];
  expect(targets.map((one) => one?.releaseId)).toEqual([5, null, null]);
  expect(await codehost.release(tool, 5)).toEqual({ immutable: true, publishedAt: 1000 });
  expect(await codehost.release(tool, 6)).toBeNull();
  expect(sent).toHaveLength(3);
});

test('a commit is on a branch, on a tag alone, or nowhere', async () => {
  addTool();
  const { codehost } = world.as();
  const isOnBranch = (commit: string) => codehost.isOnBranch({ owner: 'some', repo: 'tool' }, commit);
  expect(await isOnBranch(two)).toBe(true);
  expect(await isOnBranch(stray)).toBe(false);
});

test('a name that the platform cannot have is not requested', async () => {
  const { codehost, sent } = world.as();
  expect(await codehost.refTargets([{ owner: '-', repo: '..', refs: ['v1'] }])).toEqual(['not_found']);
  expect(sent).toEqual([]);
});

test('commits are compared, and those of nobody cannot be', async () => {
  addTool();
  const { codehost } = world.as();
  const compare = (base: string, head: string) => codehost.compareCommits({ owner: 'some', repo: 'tool' }, base, head);
  expect(await compare(one, two)).toBe('ahead');
  expect(await compare(two, one)).toBe('behind');
  expect(await compare(two, stray)).toBe('diverged');
  expect(await compare(two, '0'.repeat(40))).toBeNull();
});

test('trees name what is in the workflow files, 50 repositories a request', async () => {
  const names = Array.from({ length: 51 }, (_, index) => ({ owner: 'octo', repo: `tree-${index}` }));
  for (const [index, { repo }] of names.entries())
    world.double.addRepository({ name: `octo/${repo}`, facts: { id: 5000 + index } });
  world.double.addRepository({ name: 'octo/plain', facts: { id: 6000 }, workflowFiles: [] });
  const { codehost, sent } = world.as();
  const before = await codehost.workflowTrees(names);
  expect(sent).toHaveLength(2);
  world.double.putWorkflowFile('octo/tree-3', '.github/workflows/ci.yml', 'on: push');
  const after = await codehost.workflowTrees(names);
  expect(sent).toHaveLength(4);
  expect(after.flatMap((tree, index) => (JSON.stringify(tree) === JSON.stringify(before[index]) ? [] : index))).toEqual(
    [3],
  );
  const [tree] = await codehost.workflowFilesOfMany([{ owner: 'octo', repo: 'tree-3' }]);
  expect(after[3]).toEqual({ repositoryId: 5003, treeId: (tree as { treeId: string }).treeId });
  const [plain, none] = await codehost.workflowTrees([
    { owner: 'octo', repo: 'plain' },
    { owner: 'octo', repo: 'none' },
  ]);
  expect(plain).toEqual({ repositoryId: 6000, treeId: null });
  expect(none).toMatchObject({ code: 'not_found' });
});
