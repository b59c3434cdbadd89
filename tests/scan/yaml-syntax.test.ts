import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainText } from '../../server/scan/yaml-scalars.ts';
import { readSyntax, type SyntaxNode } from '../../server/scan/yaml-syntax.ts';

/** Every node with its path and what is written in its place. */
function writtenIn(file: string): [path: string, kind: string, written: string][] {
  const walk = (node: SyntaxNode, path: string): [string, string, string][] => {
    const kind =
      node.kind === 'scalar' ? node.style : 'isFlow' in node && node.isFlow ? `flow ${node.kind}` : node.kind;
    const marks = [kind, node.kind !== 'alias' && node.anchor !== null && `&${node.anchor}`, node.tag];
    const own: [string, string, string] = [path, marks.filter(Boolean).join(' '), file.slice(node.start, node.end)];
    if (node.kind === 'list') return [own, ...node.items.flatMap((item, index) => walk(item, `${path}/${index}`))];
    if (node.kind !== 'map') return [own];
    const below = node.entries.flatMap(({ key, value }) =>
      walk(value, `${path}/${key.kind === 'scalar' ? key.value : '?'}`),
    );
    return [own, ...below];
  };
  const { root } = readSyntax(file);
  return root ? walk(root, '').slice(1) : [];
}

const commentsIn = (file: string) => readSyntax(file).comments.map(({ start, end }) => file.slice(start, end));

describe('every node is found with its quotes and brackets', () => {
  const cases: [title: string, file: string, found: [string, string, string][]][] = [
    [
      'plain and quoted',
      'a: x\nb: \'y\'\nc: "z" # c\n',
      [
        ['/a', 'plain', 'x'],
        ['/b', 'single', "'y'"],
        ['/c', 'double', '"z"'],
      ],
    ],
    [
      'block texts, to their last line',
      'a: |\n  x\n  y\n\n# c\nb: >-\n  z',
      [
        ['/a', 'block', '  x\n  y'],
        ['/b', 'block', '  z'],
      ],
    ],
    [
      'block texts that keep blank lines',
      'a: |+\r\n  x\r\n\r\nb: y',
      [
        ['/a', 'block', '  x\r\n'],
        ['/b', 'plain', 'y'],
      ],
    ],
    [
      'a block text of nothing',
      'a: |\nb: x\n',
      [
        ['/a', 'block', ''],
        ['/b', 'plain', 'x'],
      ],
    ],
    [
      'brackets and braces',
      'a: [x, {b: "y"},]\nc: { }\n',
      [
        ['/a', 'flow list', '[x, {b: "y"},]'],
        ['/a/0', 'plain', 'x'],
        ['/a/1', 'flow map', '{b: "y"}'],
        ['/a/1/b', 'double', '"y"'],
        ['/c', 'flow map', '{ }'],
      ],
    ],
    [
      'brackets over lines that close at their key',
      'a:\n  b: [ # ]\n    x, # ,]\n  ]\n',
      [
        ['/a', 'map', 'b: [ # ]\n    x, # ,]\n  ]'],
        ['/a/b', 'flow list', '[ # ]\n    x, # ,]\n  ]'],
        ['/a/b/0', 'plain', 'x'],
      ],
    ],
    [
      'a pair in brackets',
      '[a: x]',
      [
        ['/0', 'flow map', 'a: x'],
        ['/0/a', 'plain', 'x'],
      ],
    ],
    [
      'anchors, aliases and tags',
      'a: &n !!str x\nb: *n\n',
      [
        ['/a', 'plain &n !!str', 'x'],
        ['/b', 'alias', '*n'],
      ],
    ],
    [
      'keys twice',
      'a: x\na: y\n',
      [
        ['/a', 'plain', 'x'],
        ['/a', 'plain', 'y'],
      ],
    ],
  ];
  test.each(cases)('%s', (_title, file, found) => expect(writtenIn(file)).toEqual(found));

  test('nothing stands behind its colon or dash', () => {
    const { root } = readSyntax('a:\nb : # c\nc:\n  -\n  - x\nd: {e, f: }');
    const places = root?.kind === 'map' ? root.entries.map(({ value }) => value) : [];
    expect(places.slice(0, 2).map(({ start, end }) => [start, end])).toEqual([
      [2, 2],
      [6, 6],
    ]);
    expect(places[2]).toMatchObject({ items: [{ start: 17, end: 17 }, { value: 'x' }] });
    expect(places[3]).toMatchObject({ entries: [{ value: { start: 29 } }, { value: { start: 33 } }] });
  });
});

describe('comments', () => {
  const cases: [title: string, file: string, comments: string[]][] = [
    ['on their own and behind values', '# a\nb: c # d # e\n  # f', ['# a', '# d # e', '# f']],
    ['behind a byte-order mark', '\uFEFF# a\n', ['# a']],
    ['with CR LF', 'a: b # c\r\n#d\r\n', ['# c', '#d']],
    ['not in texts', 'a: "b # c"\nd: \'e # f\' # g\nh: i#j\nk: |\n  # l\n', ['# g']],
    ['at the head of a block text', 'a: | # b\n  c\nd: > # e\n', ['# b', '# e']],
    ['in brackets', 'a: [ # b\n  c, # d\n  ]\n', ['# b', '# d']],
    ['with other separators of lines', 'a: b # c\u2028d\n', ['# c\u2028d']],
  ];
  test.each(cases)('%s', (_title, file, comments) => expect(commentsIn(file)).toEqual(comments));
});

test('a file that cannot be read is a problem, others say how many documents there are', () => {
  expect(readSyntax('a: [')).toMatchObject({ root: null, problem: { offset: 4 } });
  expect(readSyntax('a: b\n')).toMatchObject({ documents: 1, hasDirectives: false, problem: null });
  expect(readSyntax('%YAML 1.2\n---\na: b\n---\nc: d\n')).toMatchObject({ documents: 2, hasDirectives: true });
});

test('no text throws', () => {
  const part = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '# ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    '|+',
    '&n ',
    '*n',
    '? ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      readSyntax(parts.join(''));
    }),
    { numRuns: 2000 },
  );
});

describe('a text stands without quotes where every reader reads it as it is', () => {
  test.each(['x', '2.x', 'a b', "it's", 'ubuntu-24.04', `a-\${{ b }}`, 'v1', '灯台', '-x'])('%s', (text) =>
    expect(isPlainText(text, false)).toBe(true),
  );

  test.each([
    '',
    ' x',
    'x ',
    'true',
    'Yes',
    'no',
    'on',
    'n',
    'null',
    '~',
    '1',
    '1.0',
    '1e3',
    '0x1',
    '12:30',
    '2026-01-01',
    '.inf',
    '*',
    '**/*.md',
    '!x',
    'a: b',
    'a:',
    'a #b',
    '- x',
    '[',
    '{',
    '@x',
    '`',
    '%x',
    'a\nb',
    '\tx',
    '<<',
    '=',
  ])('not %j', (text) => expect(isPlainText(text, false)).toBe(false));

  test.each(['a, b', 'a]', '{', `\${{ b }}`])('not %j in brackets', (text) => {
    expect(isPlainText(text, true)).toBe(false);
  });
});
