import { describe, expect, test } from 'vitest';
import { documentationPatterns } from '../../../server/advisor/documentation-patterns.ts';
import { aCommit, aFile, anActor, aPullRequest } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { withDouble } from '../double.ts';

const world = withDouble();
const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;

/** Pull request of these files, last updated so many days ago. */
function propose(
  number: number,
  paths: readonly string[],
  age: number,
  { now = namedNow, changedFiles = paths.length } = {},
) {
  const at = now - age * day;
  const commit = aCommit(at, anActor('ann'), `Change ${number}`, { files: paths.map((path) => aFile(path)) });
  const made = aPullRequest(now, { number, createdAt: at, updatedAt: at, commits: [commit], changedFiles });
  repositoryOf(world.double.world, 'octo/web').pullRequests.push(made);
  return commit.sha;
}

const clear = () => void repositoryOf(world.double.world, 'octo/web').pullRequests.splice(0);

test('changes of documentation alone have its patterns, others none', async () => {
  clear();
  const sha = propose(901, ['README.md', 'docs/a/b.png'], 1);
  propose(902, ['README.md', 'src/app.ts'], 2);
  propose(903, ['README.md'], 3, { changedFiles: 101 });
  const { items, partial } = await world.as().codehost.documentationChanges(web);
  expect(partial).toBe(false);
  expect(items.map(({ number, patterns }) => [number, patterns])).toEqual([
    [901, ['**/*.md', 'docs/**']],
    [902, null],
    [903, null],
  ]);
  expect(items[0]).toMatchObject({ shas: [sha], changedFiles: 2 });
  expect(JSON.stringify(items)).not.toContain('README');
});

test('twenty-five come with a request, the old not at all, and later only what changed', async () => {
  clear();
  for (let index = 0; index < 60; index++) propose(1000 + index, ['README.md'], 10 + index);
  for (let index = 0; index < 40; index++) propose(1100 + index, ['README.md'], 92 + index);
  const { codehost, sent } = world.as();
  expect((await codehost.documentationChanges(web)).items).toHaveLength(60);
  expect(sent).toHaveLength(3);
  await codehost.documentationChanges(web);
  expect(sent).toHaveLength(3);
  world.advance(16 * 60_000);
  propose(1200, ['src/app.ts'], 0, { now: namedNow + 16 * 60_000 });
  const { items } = await codehost.documentationChanges(web);
  expect([items.length, items[0]?.number, sent.length]).toEqual([61, 1200, 4]);
});

const fill = (count: number) => {
  clear();
  for (let index = 0; index < count; index++) propose(2000 + index, ['README.md'], 10 + index);
};

test('a part that was not answered is no reason to read all of them again', async () => {
  fill(60);
  const { codehost, sent } = world.as();
  world.double.fault(
    { path: '/graphql', times: 1 },
    { kind: 'failing_field', field: 'PullRequest.files', type: 'FORBIDDEN' },
  );
  expect((await codehost.documentationChanges(web)).partial).toBe(true);
  const first = sent.length;
  world.advance(16 * 60_000);
  expect((await codehost.documentationChanges(web)).items).toHaveLength(60);
  expect([first, sent.length]).toEqual([3, 4]);
});

test('where a page failed, all are read again', async () => {
  fill(60);
  const { codehost, sent } = world.as();
  world.double.fault({ path: '/graphql', after: 1, times: 3 }, { kind: 'status', status: 502 });
  const { items, partial } = await codehost.documentationChanges(web);
  expect([items.length, partial]).toEqual([25, true]);
  world.advance(16 * 60_000);
  const before = sent.length;
  expect(await codehost.documentationChanges(web)).toMatchObject({ partial: false });
  expect(sent.length - before).toBe(3);
});

describe('the patterns of paths', () => {
  test.each([
    [
      ['a.md', 'b/c.md', 'LICENSE'],
      ['**/*.md', 'LICENSE*'],
    ],
    [
      ['.github/PULL_REQUEST_TEMPLATE.yml', 'CODEOWNERS'],
      ['.github/*_TEMPLATE*', 'CODEOWNERS'],
    ],
    [
      ['docs/x.rst', 'a.mdx', 'b.adoc'],
      ['**/*.mdx', '**/*.rst', '**/*.adoc'],
    ],
    [['a.md', 'a.ts'], null],
    [['src/docs/a.png'], null],
    [['src/LICENSE'], null],
    [['.github/CODEOWNERS'], null],
    [['.github/ISSUE_TEMPLATE/bug.yml'], null],
    [[], null],
  ])('%j are %j', (paths, patterns) => {
    expect(documentationPatterns(paths)).toEqual(patterns);
  });
});
