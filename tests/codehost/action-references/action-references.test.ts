import { expect, test } from 'vitest';
import type { ActionUse, KnownAction } from '../../../server/scan/action-knowledge.ts';
import type { RepositoryParts } from '../../codehost-double/builders.ts';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import type { DoubleRef } from '../../codehost-double/refs.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const world = withDouble();

const [one, two, three, side, stray, note] = ['one', 'two', 'three', 'side', 'stray', 'note'].map(shaOf) as [
  ...[string, string, string, string, string, string],
];
const tag = (name: string, commits: string[], object?: string): DoubleRef => ({
  kind: 'tags',
  name,
  commits,
  ...(object ? { object } : {}),
});
const branch = (name: string, commits: string[]): DoubleRef => ({ kind: 'heads', name, commits });

/** A public action: `v1.0.0` at `one`, `v1.1.0` and `v1` at `two`, `next` at `three`, which has no tag. */
const refs = [
  tag('v1.0.0', [one]),
  tag('v1.1.0', [two, one], note),
  tag('v1', [two, one]),
  branch('next', [three, two, one]),
];
const addAction = (parts: Partial<RepositoryParts> = {}) =>
  world.double.addRepository({ name: 'some/Tool', refs, forkCommits: [stray], ...parts });

const use = (text: string, comment: string | null = null): ActionUse => {
  const [owner = '', repo = '', ref = ''] = text.split(/[/@]/);
  return { owner, repo, ref, isSha: /^[0-9a-f]{40}$/.test(ref), kind: 'action', comment };
};

async function read(uses: ActionUse[], mostRequests = 20, client = world.as()) {
  const found = new Map<string, KnownAction | null>();
  for await (const [key, known] of client.codehost.actionReferences(uses, mostRequests)) found.set(key, known);
  return { found, sent: client.sent.map(({ operation }) => operation) };
}
const readOne = async (request: ActionUse) => [...(await read([request])).found.values()][0];

test('a tag, a branch and a commit are reported in one request, with what stands on their commit', async () => {
  addAction({ facts: { archived: true } });
  const { found, sent } = await read([use('some/Tool@v1'), use('some/Tool@next'), use(`some/Tool@${two}`, 'v1.0.0')]);
  expect(sent).toEqual(['actions']);
  const same = { isArchived: true, isBranchAndTag: false, advisories: [] };
  expect([...found]).toEqual([
    ['some/tool@v1', { ...same, commit: two, tags: ['v1', 'v1.1.0'], commentedCommit: null, isReachable: null }],
    ['some/tool@next', { ...same, commit: three, tags: [], commentedCommit: null, isReachable: null }],
    [
      `some/tool@${two} v1.0.0`,
      { ...same, commit: two, tags: ['v1', 'v1.1.0'], commentedCommit: one, isReachable: true },
    ],
  ]);
});

test('a name of a branch and of a tag is reported, also when it is written in full', async () => {
  addAction({ refs: [...refs, branch('v1', [three])] });
  expect(await readOne(use('some/Tool@v1'))).toMatchObject({ isBranchAndTag: true, commit: two });
  expect(await readOne(use('some/Tool@v1.0.0'))).toMatchObject({ isBranchAndTag: false, commit: one });
  const inFull = { ...use('some/Tool@'), ref: 'refs/tags/v1' };
  expect(await readOne(inFull)).toMatchObject({ isBranchAndTag: false, commit: two });
  // The platform takes a short name for another ref where no full one fits.
  addAction({ name: 'some/odd', refs: [tag('v1', [one]), tag('refs/heads/v1', [two])] });
  expect(await readOne(use('some/odd@v1'))).toMatchObject({ isBranchAndTag: false, commit: one });
  expect(await readOne(use('some/Tool@gone'))).toMatchObject({ isBranchAndTag: false, commit: null, tags: [] });
});

test('a version in a comment is found with and without its letter, and beyond the tags that are listed', async () => {
  const newer = Array.from({ length: 120 }, (_, n) => tag(`v2.0.${n}`, [shaOf(`v2.0.${n}`)]));
  addAction({ refs: [...refs, ...newer] });
  for (const comment of ['v1.0.0', '1.0.0']) {
    const known = await readOne(use(`some/Tool@${one}`, comment));
    expect(known).toMatchObject({ commentedCommit: one, tags: ['v1.0.0'], isReachable: true });
  }
  expect(await readOne(use(`some/Tool@${one}`, 'v7.0.0'))).toMatchObject({ commentedCommit: null });
});

test('the id of a tag with a message stands for its commit', async () => {
  addAction();
  expect(await readOne(use(`some/Tool@${note}`))).toMatchObject({ commit: two, isReachable: true });
});

test('a commit without a tag is looked for on the default branch, then on the others', async () => {
  const { commits } = addAction({ refs: [...refs, branch('side', [side, one])] });
  const head = commits[0]?.sha ?? '';
  const onDefault = await read([use(`some/Tool@${head}`)]);
  expect(onDefault.sent).toEqual(['actions', 'commits on default branches']);
  expect([...onDefault.found.values()]).toMatchObject([{ commit: head, tags: [], isReachable: true }]);
  const elsewhere = await read([use(`some/Tool@${side}`)]);
  expect(elsewhere.sent).toEqual(['actions', 'commits on default branches', 'refs that lead to a commit']);
  expect([...elsewhere.found.values()]).toMatchObject([{ isReachable: true }]);
});

test('a commit behind a tag of a branch that is gone belongs to the repository', async () => {
  addAction({ refs: [tag('v1.1.0', [two, one])] });
  expect(await readOne(use(`some/Tool@${one}`))).toMatchObject({ tags: [], isReachable: true });
});

test('a commit of a fork is reached by nothing', async () => {
  addAction();
  const { found, sent } = await read([use(`some/Tool@${stray}`)]);
  expect([...found.values()]).toMatchObject([{ commit: stray, tags: [], isReachable: false }]);
  expect(sent).toHaveLength(4);
});

test('where there are more refs than are compared, nobody knows', async () => {
  const many = Array.from({ length: 101 }, (_, n) => branch(`b${n}`, [shaOf(`b${n}`)]));
  addAction({ refs: many });
  const { found, sent } = await read([use(`some/Tool@${stray}`)]);
  expect([...found.values()]).toMatchObject([{ isReachable: null }]);
  expect(sent).toHaveLength(2 + 4);
});

test('a commit that the platform does not know, or cannot compare, is unknown', async () => {
  addAction({ forkCommits: [] });
  expect(await readOne(use(`some/Tool@${stray}`))).toMatchObject({ commit: null, isReachable: null });
  addAction({ name: 'some/pages', refs: [{ ...branch('pages', [side]), isUnrelated: true }] });
  expect(await readOne(use(`some/pages@${stray}`))).toMatchObject({ commit: stray, isReachable: null });
  addAction({ name: 'some/other' });
  const uncompared = { kind: 'nested_graphql', field: 'compare', type: 'NOT_FOUND' } as const;
  world.double.fault({ path: '/graphql', after: 1, times: 9 }, uncompared);
  expect(await readOne(use(`some/other@${stray}`))).toMatchObject({ commit: stray, isReachable: null });
});

test('advisories come with their ranges, without the withdrawn, by the name they are published under', async () => {
  addAction({ formerNames: ['some/before'] });
  const id = 'GHSA-aaaa-bbbb-cccc';
  world.double.world.advisories = [
    { id, package: 'some/Tool', range: '< 1.1.0', patched: '1.1.0' },
    { id: 'GHSA-dddd-eeee-ffff', package: 'some/Tool', range: '>= 0.0.1', patched: null, withdrawn: true },
    { id: 'GHSA-2222-3333-4444', package: 'some/other', range: '>= 0.0.1', patched: null },
  ];
  const advisories = [{ id, range: '< 1.1.0', patched: '1.1.0' }];
  expect(await readOne(use('some/Tool@v1'))).toMatchObject({ advisories });
  const { found, sent } = await read([use('Some/tool@v1')]);
  expect([...found.values()]).toMatchObject([{ advisories }]);
  expect(sent).toEqual(['actions', 'advisories about actions']);
  const earlier = { id: 'GHSA-5555-6666-7777', range: '= 1.0.0', patched: null };
  world.double.world.advisories.push({ ...earlier, package: 'some/before' });
  expect(await readOne(use('some/before@v1'))).toMatchObject({ advisories: [earlier, ...advisories] });
});

test('more advisories than a page are as good as none, whichever name they have', async () => {
  addAction();
  const publish = (name: string) => {
    world.double.world.advisories = Array.from({ length: 51 }, (_, n) => ({
      id: `GHSA-aaaa-bbbb-${String(n).padStart(4, '0')}`,
      package: name,
      range: '< 1.1.0',
      patched: null,
    }));
  };
  publish('some/Tool');
  expect(await readOne(use('some/Tool@v1'))).toMatchObject({ advisories: null });
  expect(await readOne(use('SOME/tool@v1'))).toMatchObject({ advisories: null });
  publish('SOME/tool');
  expect(await readOne(use('SOME/tool@v1'))).toMatchObject({ advisories: null });
});

test('all advisories about actions are read in pages, without the withdrawn, each name in lower case', async () => {
  const published = Array.from({ length: 130 }, (_, n) => ({
    id: `GHSA-aaaa-bbbb-${String(n).padStart(4, '0')}`,
    package: n === 0 ? 'some/Tool/sub' : 'some/Tool',
    range: '< 1.1.0',
    patched: null,
    ...(n === 1 && { withdrawn: true as const }),
  }));
  world.double.world.advisories = published;
  const found = await world.as().codehost.actionAdvisories();
  expect(found.map(({ id }) => id)).toEqual(published.flatMap((each) => (each.withdrawn ? [] : each.id)));
  expect(new Set(found.map(({ actionKey, range }) => `${actionKey} ${range}`))).toEqual(new Set(['some/tool < 1.1.0']));
});

test('tags on a commit are read without looking for where it comes from', async () => {
  addAction();
  const client = world.as();
  const uses = [use('some/Tool@v1'), use(`some/tool@${three}`), use('no/where@v1')];
  const tags = await client.codehost.tagsOfActions(uses);
  expect(Object.fromEntries(tags)).toEqual({
    'some/tool@v1': ['v1', 'v1.1.0'],
    [`some/tool@${three}`]: [],
    'no/where@v1': null,
  });
  // Advisories are asked for neither with them, nor under present names.
  expect(client.sent.map(({ operation }) => operation)).toEqual(['actions']);
  expect(world.double.requests.at(-1)?.graphql?.query).not.toContain('securityVulnerabilities');
});

test('what is private, missing or impossible is unknown, also to those who see it', async () => {
  const { found, sent } = await read([use('octo/web@v1'), use('no/where@v1'), { ...use('a/b@v1'), owner: '-' }]);
  expect(Object.fromEntries(found)).toEqual({ 'octo/web@v1': null, 'no/where@v1': null, '-/b@v1': null });
  expect(sent).toEqual(['actions']);
});

test('twenty repositories make one request, and the requests are counted', async () => {
  for (let n = 0; n < 45; n++) addAction({ name: `some/a${n}` });
  const uses = Array.from({ length: 45 }, (_, n) => use(`some/a${n}@v1`));
  const all = await read(uses);
  expect([all.found.size, all.sent]).toEqual([45, ['actions', 'actions', 'actions']]);
  const some = await read(uses, 2);
  expect([some.found.size, some.sent.length]).toEqual([40, 2]);
  const spent = await read([use(`some/a1@${stray}`)], 2);
  expect([...spent.found.values()]).toMatchObject([{ isReachable: null }]);
});

test('an error of the platform is a problem, and what was read before stays', async () => {
  for (let n = 0; n < 21; n++) addAction({ name: `some/a${n}` });
  const uses = Array.from({ length: 21 }, (_, n) => use(`some/a${n}@v1`));
  world.double.fault({ path: '/graphql', after: 1, times: 9 }, { kind: 'status', status: 502 });
  const found: string[] = [];
  const reading = async () => {
    for await (const [key] of world.as().codehost.actionReferences(uses, 20)) found.push(key);
  };
  expect((await errorOf(reading())).code).toBe('upstream_unavailable');
  expect(found).toHaveLength(20);
});

test('what is missing in an answer with an error is not reported at all', async () => {
  addAction();
  world.double.fault({ path: '/graphql', times: 9 }, { kind: 'nested_graphql', field: 'tags', type: 'INTERNAL' });
  expect((await read([use('some/Tool@v1')])).found.size).toBe(0);
});
