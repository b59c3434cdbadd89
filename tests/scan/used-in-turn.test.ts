import { expect, test } from 'vitest';
import { type FileUses, type UsedRef, usedRefKey, usesIn } from '../../server/scan/action-uses.ts';
import { readWorkflow } from '../../server/scan/read-workflow.ts';
import { followUse, type KnownFiles } from '../../server/scan/used-in-turn.ts';

const use = (name: string, ref = 'v1'): UsedRef => ({ actionKey: `x/${name}`, path: '', kind: 'action', ref });
const uses = (...names: string[]): FileUses => ({
  refs: names.map((name) => use(name)),
  unknown: [],
  localWorkflows: [],
});
const toKnown = (file: FileUses | null | undefined, leadsTo: string) =>
  file === undefined ? undefined : { uses: file, leadsTo, privateSource: null };
/** Actions by name, each at a commit of its own. */
const world = (files: Record<string, FileUses | null | undefined>): KnownFiles => ({
  commitOf: ({ actionKey }) => (actionKey.slice(2) in files ? actionKey.slice(2) : null),
  fileAt: (_path, commit) => toKnown(files[commit], commit),
});
const names = (refs: readonly UsedRef[]) => refs.map(({ actionKey }) => actionKey.slice(2));

test('what an action uses in turn is followed, each once, and a cycle is cut', () => {
  const found = followUse(use('a'), world({ a: uses('b', 'c'), b: uses('c', 'a'), c: uses() }));
  expect(names(found.refs)).toEqual(['b', 'c']);
  expect([found.unknown, found.needed]).toEqual([[], []]);
});

test('what a tag pinned by its own id has is read at the commit that it leads to', () => {
  const pin = use('a', 'f'.repeat(40));
  const found = followUse(pin, { commitOf: () => null, fileAt: () => toKnown(uses('b'), 'commit of the tag') });
  expect(found.readAt.get(usedRefKey(pin))).toBe('commit of the tag');
  expect(names(found.refs)).toEqual(['b']);
});

test('what was not read yet is needed, and neither that nor what cannot be read is known', () => {
  const found = followUse(use('a'), world({ a: uses('b', 'c', 'd'), b: undefined, c: null }));
  expect(found.needed).toEqual([{ ...use('b'), commit: 'b' }]);
  expect(found.unknown).toEqual(
    ['x/b@v1', 'x/c@v1', 'x/d@v1'].map((text) => ({
      reason: 'unreadable_action',
      text,
      through: 'x/a@v1',
      privateSources: [],
    })),
  );
});

test('what private files say is only for who sees their repositories, on the first way that leads to it', () => {
  const files: Record<string, FileUses> = {
    a: uses('b', 'open'),
    b: { ...uses('c', 'd'), unknown: [{ reason: 'expression', text: 'an expression' }] },
    c: uses('e'),
    open: uses('d', 'f'),
    d: uses(),
    e: uses(),
    f: uses(),
  };
  const found = followUse(use('a'), {
    ...world(files),
    fileAt: (_path, commit) => {
      const privateSource = { b: 7, c: 8 }[commit] ?? null;
      const file = files[commit];
      return file && { uses: file, leadsTo: commit, privateSource };
    },
  });
  const sources = Object.fromEntries(found.refs.map((one) => [one.actionKey.slice(2), one.privateSources]));
  expect(sources).toEqual({ b: [], open: [], c: [7], d: [7], f: [], e: [7, 8] });
  expect(found.unknown).toMatchObject([{ privateSources: [7] }]);
});

test('ten levels and five hundred uses are followed, and more is said not to be known', () => {
  const chain = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`n${at}`, at + 1 < length ? uses(`n${at + 1}`) : uses()]));
  expect(followUse(use('n0'), world(chain(11)))).toMatchObject({ unknown: [] });
  expect(names(followUse(use('n0'), world(chain(11))).refs)).toHaveLength(10);
  expect(followUse(use('n0'), world(chain(12))).unknown).toMatchObject([{ reason: 'graph_limit' }]);
  const many = Array.from({ length: 500 }, (_, at) => `m${at}`);
  const wide = { a: uses(...many), ...Object.fromEntries(many.map((name) => [name, uses()])) };
  expect(followUse(use('a'), world(wide)).unknown).toMatchObject([{ reason: 'graph_limit' }]);
});

test('a called workflow of a called workflow is at its commit', () => {
  const called: UsedRef = {
    actionKey: 'x/flows',
    path: '.github/workflows/a.yml',
    kind: 'reusable_workflow',
    ref: 'v1',
  };
  const files: KnownFiles = {
    commitOf: () => 'c',
    fileAt: (path) =>
      toKnown(path.endsWith('a.yml') ? { ...uses(), localWorkflows: ['.github/workflows/b.yml'] } : uses('b'), 'c'),
  };
  expect(followUse(called, files).refs[0]).toEqual({
    ...called,
    path: '.github/workflows/b.yml',
    privateSources: [],
  });
});

const read = (text: string) => usesIn(readWorkflow('action.yml', text));

test('what is not written as a name is unknown, as the platform may accept it', () => {
  const odd = ['.\\d', 'a\\b@v1', 'a//b@v1', 'a/b', `a/b/${'x'.repeat(600)}@v1`];
  const steps = odd.map((name) => `{uses: '${name}'}`).join(', ');
  const { refs, unknown } = read(`runs: {using: composite, steps: [${steps}]}`);
  expect(refs).toEqual([]);
  expect(unknown).toEqual(
    odd.map((name) => ({ reason: name.startsWith('.') ? 'local_action' : 'expression', text: name.slice(0, 200) })),
  );
});

test('the files of actions name steps and images', () => {
  const expression = `\${{ inputs.e }}/f@v1`;
  const steps = `[{uses: a/b/C@v1}, {uses: ./d}, {uses: "${expression}"}, {run: echo}, {uses: docker://g:1}]`;
  expect(read(`runs: {using: composite, steps: ${steps}}`)).toEqual({
    refs: [
      { actionKey: 'a/b', path: 'C', kind: 'action', ref: 'v1' },
      { actionKey: 'docker://g', path: '', kind: 'image', ref: '1' },
    ],
    unknown: [
      { reason: 'local_action', text: './d' },
      { reason: 'expression', text: expression },
    ],
    localWorkflows: [],
  });
  expect(read('runs: {using: docker, image: "docker://h@sha256:aa"}').refs).toMatchObject([{ ref: 'sha256:aa' }]);
  expect(read('runs: {using: docker, image: Dockerfile}')).toEqual(uses());
  expect(read('runs: {using: node24, main: index.js}')).toEqual(uses());
});
