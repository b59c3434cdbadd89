import { afterEach, expect, test } from 'vitest';
import { shaOf } from './delivery-builders.ts';
import { type Any, visitDouble } from './visitor.ts';

const visit = visitDouble();
const { read, ask, clean } = visit;
afterEach(clean);

const [old, own, side, note, stray] = ['old', 'own', 'side', 'note', 'stray'].map(shaOf) as [
  ...[string, string, string, string, string],
];
const addAction = () =>
  visit.double.addRepository({
    name: 'some/tool',
    forkCommits: [stray],
    refs: [
      { kind: 'tags', name: 'v1', commits: [old] },
      { kind: 'tags', name: 'v2', commits: [own, old], object: note },
      { kind: 'heads', name: 'side', commits: [side] },
      { kind: 'heads', name: 'pages', commits: [shaOf('pages')], isUnrelated: true },
    ],
  });

test('tags come newest first, with what they point at, and branches by name', async () => {
  addAction();
  const { tags, heads } = await read(
    'some/tool',
    `tags: refs(refPrefix: "refs/tags/", first: 9, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
       nodes { name prefix target { __typename oid ... on Tag { target { __typename oid } } } } }
     heads: refs(refPrefix: "refs/heads/", first: 2) { totalCount nodes { name } pageInfo { hasNextPage } }`,
  );
  expect(tags.nodes).toEqual([
    {
      name: 'v2',
      prefix: 'refs/tags/',
      target: { __typename: 'Tag', oid: note, target: { __typename: 'Commit', oid: own } },
    },
    { name: 'v1', prefix: 'refs/tags/', target: { __typename: 'Commit', oid: old } },
  ]);
  expect(heads).toEqual({
    totalCount: 3,
    nodes: [{ name: 'main' }, { name: 'pages' }],
    pageInfo: { hasNextPage: true },
  });
});

test('a ref is compared with a commit of its own, of others, of forks, and of nobody', async () => {
  addAction();
  const compared = async (ref: string, commit: string) =>
    (await read('some/tool', `ref(qualifiedName: "${ref}") { compare(headRef: "${commit}") { status } }`)).ref.compare;
  expect(await compared('refs/tags/v2', own)).toEqual({ status: 'IDENTICAL' });
  expect(await compared('v2', old)).toEqual({ status: 'BEHIND' });
  expect(await compared('refs/tags/v2', side)).toEqual({ status: 'DIVERGED' });
  expect(await compared('refs/heads/main', stray)).toEqual({ status: 'DIVERGED' });
  expect(await compared('refs/heads/pages', stray)).toBeNull();
  expect(await compared('refs/heads/main', '0'.repeat(40))).toBeNull();
});

test('a commit of a fork is found under the name of the original', async () => {
  addAction();
  const object = async (id: string) => (await read('some/tool', `object(oid: "${id}") { __typename oid }`)).object;
  expect(await object(stray)).toEqual({ __typename: 'Commit', oid: stray });
  expect(await object(note)).toEqual({ __typename: 'Tag', oid: note });
  expect(await object('0'.repeat(40))).toBeNull();
});

test('advisories are found by ecosystem and by the very name', async () => {
  const advisory = { id: 'GHSA-aaaa-bbbb-cccc', package: 'Some/tool', range: '< 2.0.0', patched: '2.0.0' };
  visit.double.world.advisories = [{ ...advisory, withdrawn: true }];
  const of = async (name: string, ecosystem = 'ACTIONS') =>
    (
      (
        await ask(`{ securityVulnerabilities(ecosystem: ${ecosystem}, package: "${name}", first: 5) {
        nodes { vulnerableVersionRange firstPatchedVersion { identifier } advisory { ghsaId withdrawnAt } } } }`)
      ).data as Any
    ).securityVulnerabilities.nodes;
  expect(await of('Some/tool')).toEqual([
    {
      vulnerableVersionRange: '< 2.0.0',
      firstPatchedVersion: { identifier: '2.0.0' },
      advisory: { ghsaId: 'GHSA-aaaa-bbbb-cccc', withdrawnAt: '2026-01-02T00:00:00Z' },
    },
  ]);
  expect([await of('some/tool'), await of('Some/tool', 'NPM')]).toEqual([[], []]);
});
