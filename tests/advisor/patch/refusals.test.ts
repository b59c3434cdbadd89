import { describe, expect, test } from 'vitest';
import type { Change, ChangeSet } from '../../../server/advisor/patch/change.ts';
import { patchFile } from '../../../server/advisor/patch/patch.ts';
import { passed, patched, path, setOf } from './patched.ts';

const timeLimit: Change = { do: 'insert', at: ['jobs', 'a'], key: 'timeout-minutes', value: 5, after: ['runs-on'] };
const failFast: Change = { do: 'remove', at: ['jobs', 'a', 'strategy', 'fail-fast'] };
const runner: Change = { do: 'replace', at: ['jobs', 'a', 'runs-on'], value: 'ubuntu-24.04' };
const file = 'jobs:\n  a:\n    runs-on: x\n    strategy:\n      fail-fast: false\n      matrix: {os: [x]}\n';

describe('what is not safe is not changed', () => {
  const cases: [title: string, text: string, change: Change, refusal: string][] = [
    ['below an anchor', 'jobs:\n  a: &a\n    runs-on: x\n  b: *a\n', timeLimit, 'shared_node 3 4'],
    ['by an alias', 'jobs:\n  b: &a\n    runs-on: x\n  a: *a\n', timeLimit, 'shared_node 3 4'],
    [
      'an anchor in what is removed',
      'jobs:\n  a:\n    strategy:\n      fail-fast: &f false\n',
      failFast,
      'shared_node 4',
    ],
    [
      'an anchor elsewhere',
      'env: &e {A: x}\njobs:\n  a:\n    env: *e\n    runs-on: x\n',
      timeLimit,
      'env: &e {A: x}\njobs:\n  a:\n    env: *e\n    runs-on: x\n    timeout-minutes: 5\n',
    ],
    [
      'merge keys anywhere',
      'env: &e {A: x}\njobs:\n  a:\n    runs-on: x\n    env:\n      <<: *e\n',
      timeLimit,
      'shared_node 6',
    ],
    ['a key twice', 'jobs:\n  a:\n    runs-on: x\n  a:\n    runs-on: y\n', timeLimit, 'unusual_yaml 2 4'],
    ['a tag', 'jobs: !!map\n  a:\n    runs-on: x\n', timeLimit, 'unusual_yaml 2'],
    ['a key behind a question mark', 'jobs:\n  ? a\n  : runs-on: x\n', timeLimit, 'unusual_yaml 2'],
    ['two documents', `${file}---\na: b\n`, timeLimit, 'unusual_yaml'],
    ['directives', `%YAML 1.2\n---\n${file}`, timeLimit, 'unusual_yaml'],
    ['what does not parse', 'jobs: [', timeLimit, 'unusual_yaml 1'],
    ['nothing', '', timeLimit, 'unusual_yaml'],
    ['a list', '- a\n', timeLimit, 'unusual_yaml 1'],
    ['an expression', `jobs:\n  a:\n    runs-on: \${{ matrix.os }}\n`, runner, 'expression 3'],
    ['a map that an expression makes', `jobs:\n  a: \${{ fromJSON(x) }}\n`, timeLimit, 'expression 2'],
    ['tabs', 'jobs:\n  a:\n    runs-on: x\t# why\n', timeLimit, 'tabs 3'],
    [
      'tabs elsewhere',
      'name:\tx\njobs:\n  a:\n    runs-on: x\n',
      timeLimit,
      'name:\tx\njobs:\n  a:\n    runs-on: x\n    timeout-minutes: 5\n',
    ],
    ['invisible characters', 'jobs:\n  a:\n    runs-on: x # \u200B\n', timeLimit, 'hidden_characters 3'],
    ['characters that turn the text', 'jobs:\n  a:\n    runs-on: x # \u202E\n', timeLimit, 'hidden_characters 3'],
    ['what is there already', 'jobs:\n  a:\n    runs-on: x\n    timeout-minutes: 360\n', timeLimit, 'unusual_yaml 4'],
    [
      'comments inside',
      'jobs:\n  a:\n    runs-on: [ # one\n      x ]\n',
      { ...runner, value: { group: 'x' } },
      'unusual_yaml 3',
    ],
    [
      'comments inside, and a list instead',
      'jobs:\n  a:\n    runs-on: [ # one\n      x ]\n',
      { ...runner, value: ['y'] },
      'unusual_yaml 3',
    ],
  ];
  test.each(cases)('%s', (_title, text, change, refusal) => expect(patched(text, change)).toBe(refusal));

  test('with a sentence and the place', () => {
    const text = 'jobs:\n  a:\n    strategy: &s\n      fail-fast: false\n  b:\n    strategy: *s\n';
    expect(patchFile({ path, text }, [setOf(failFast)], passed)).toEqual({
      patch: null,
      refused: [
        {
          id: 'one',
          refusal: {
            code: 'shared_node',
            text: 'It is shared under the name “s”.',
            path: 'jobs.a.strategy',
            lines: [4, 6],
          },
        },
      ],
    });
  });
});

describe('recommendations of one file', () => {
  const sets: ChangeSet[] = [
    { id: 'c', kind: 'ADV-06', changes: [failFast] },
    { id: 'b', kind: 'ADV-05', changes: [timeLimit] },
    { id: 'd', kind: 'ADV-07', changes: [{ do: 'replace', at: ['jobs', 'a', 'strategy', 'fail-fast'], value: true }] },
    {
      id: 'a',
      kind: 'ADV-01',
      changes: [{ do: 'insert', at: ['jobs', 'a'], key: 'needs', value: 'lint', after: ['runs-on'] }],
    },
  ];

  test('are made together, those at one place in the order of their kinds; the later of two for one node is refused', () => {
    const { patch, refused } = patchFile({ path, text: file }, sets, passed);
    expect(patch?.text).toBe(
      'jobs:\n  a:\n    runs-on: x\n    needs: lint\n    timeout-minutes: 5\n    strategy:\n      matrix: {os: [x]}\n',
    );
    expect(patch?.edits).toEqual([
      { offset: 26, end: 26, insert: '    needs: lint\n', path: 'jobs.a.needs', kind: 'ADV-01' },
      { offset: 26, end: 26, insert: '    timeout-minutes: 5\n', path: 'jobs.a.timeout-minutes', kind: 'ADV-05' },
      { offset: 40, end: 63, insert: '', path: 'jobs.a.strategy.fail-fast', kind: 'ADV-06' },
    ]);
    expect(refused).toEqual([
      {
        id: 'd',
        refusal: {
          code: 'conflicts_with',
          text: 'ADV-06 changes the same.',
          path: 'jobs.a.strategy.fail-fast',
          lines: [5],
        },
      },
    ]);
  });

  test('find nothing to do afterwards', () => {
    const made = sets.filter(({ id }) => id !== 'd');
    const { patch } = patchFile({ path, text: file }, made, passed);
    expect(patchFile({ path, text: patch?.text ?? '' }, made, passed)).toEqual({ patch: null, refused: [] });
  });

  test('that would leave nothing of a list together are not made together', () => {
    const text = 'jobs:\n  a:\n    needs:\n      - b\n      - c\n    runs-on: x\n';
    const without = (id: string, index: number): ChangeSet => ({
      id,
      kind: 'ADV-08',
      changes: [{ do: 'remove', at: ['jobs', 'a', 'needs', index], orEmptyParent: true }],
    });
    const { patch, refused } = patchFile({ path, text }, [without('1', 0), without('2', 1)], passed);
    expect(patch?.text).toBe('jobs:\n  a:\n    needs:\n      - c\n    runs-on: x\n');
    expect(refused).toMatchObject([{ id: '2', refusal: { code: 'conflicts_with', lines: [5] } }]);
  });

  test('that remove items and what later items hold are made together', () => {
    const text = 'name: x\nenv: {A: x}\nsteps:\n  - a: x\n  - b: x\n  - c: x\n    d: x\n';
    const removals: Change[] = [['env'], ['steps', 2, 'c'], ['steps', 0]].map((at) => ({ do: 'remove', at }));
    for (const changes of [removals, removals.toReversed()])
      expect(patched(text, ...changes)).toBe('name: x\nsteps:\n  - b: x\n  - d: x\n');
  });

  test('whose finding stays are refused alone', () => {
    const check = { ...passed, isGone: (_text: string, { id }: ChangeSet) => id !== 'b' };
    const { patch, refused } = patchFile({ path, text: file }, sets.slice(0, 2), check);
    expect(patch?.text).not.toContain('timeout-minutes');
    expect(patch?.text).not.toContain('fail-fast');
    expect(refused).toMatchObject([
      {
        id: 'b',
        refusal: { code: 'not_verified', text: expect.stringContaining('the finding of ADV-05 is still there') },
      },
    ]);
  });

  test('that bring a new finding are refused', () => {
    const newFindings = (before: string, after: string) => (after === before ? [] : ['SEC-001']);
    const { patch, refused } = patchFile({ path, text: file }, sets.slice(0, 2), { ...passed, newFindings });
    expect(patch).toBeNull();
    expect(refused.map(({ id }) => id)).toEqual(['b', 'c']);
  });
});
