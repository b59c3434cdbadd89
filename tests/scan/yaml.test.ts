import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml, type YamlNode } from '../../server/scan/yaml.ts';

/** Every text with its path, and what stands at its place in the file. */
function textsOf(file: string) {
  const found: [path: string, value: string, written: string][] = [];
  const walk = (node: YamlNode, path: string) => {
    if (node.kind === 'scalar') found.push([path, node.value, file.slice(node.offset, node.end)]);
    else if (node.kind === 'list') for (const [index, item] of node.items.entries()) walk(item, `${path}/${index}`);
    else for (const { key, value } of node.entries) walk(value, `${path}/${key.value}`);
  };
  const { root, problems } = readYaml(file);
  if (root) walk(root, '');
  return { found, problems: problems.map(({ message }) => message) };
}

const written = (file: string) => textsOf(file).found;

describe('every text is found where it stands', () => {
  const cases: [title: string, file: string, found: [string, string, string][]][] = [
    ['plain', 'a: one\nb: two # why\n', [...one('/a', 'one'), ...one('/b', 'two')]],
    ['after a byte-order mark', '\uFEFFa: one\n', one('/a', 'one')],
    ['with CR LF', 'a: one\r\nb:\r\n  c: two\r\n', [...one('/a', 'one'), ...one('/b/c', 'two')]],
    ['with CR alone', 'a: one\rb: two\r', [...one('/a', 'one'), ...one('/b', 'two')]],
    ['single quotes', "a: 'it''s # here'\n", [['/a', "it's # here", "it''s # here"]]],
    ['double quotes', 'a: "x\\ty \\u0041"\n', [['/a', 'x\ty A', 'x\\ty \\u0041']]],
    [
      'flow maps and lists',
      'a: {b: [c, "d"], e: f}',
      [...one('/a/b/0', 'c'), ...one('/a/b/1', 'd'), ...one('/a/e', 'f')],
    ],
    [
      'a closing bracket no further in than its key',
      'a:\n  b: [\n    c, # why\n  ]\n  d: {\r\n    e: f\r\n  }\ng: h\n',
      [...one('/a/b/0', 'c'), ...one('/a/d/e', 'f'), ...one('/g', 'h')],
    ],
    ['a closing bracket below a quoted number sign', 'a: {\n  b: {c: "d # e"}\n}\n', one('/a/b/c', 'd # e')],
    ['plain over lines', 'a: one\n  two\nb: x\n', [['/a', 'one two', 'one\n  two'], ...one('/b', 'x')]],
    [
      'literal blocks',
      'a: |\n  one # no comment\n    two\n',
      [['/a', 'one # no comment\n  two\n', '  one # no comment\n    two\n']],
    ],
    ['folded blocks', 'a: >-\n  one\n  two\n', [['/a', 'one two', '  one\n  two\n']]],
    ['other alphabets', 'a: "灯台🚀 b"\nc: é\n', [...one('/a', '灯台🚀 b'), ...one('/c', 'é')]],
    ['quoted keys', '"a": one\n? b\n: two\n', [...one('/a', 'one'), ...one('/b', 'two')]],
    ['aliases', 'a: &x one\nb: *x\n', [...one('/a', 'one'), ...one('/b', 'one')]],
    ['tags', 'a: !!str one\nb: !own two\n', [...one('/a', 'one'), ...one('/b', 'two')]],
  ];
  test.each(cases)('%s', (_title, file, expected) => expect(written(file)).toEqual(expected));

  test('nothing stands where its key ends', () => {
    const { root } = readYaml('a: one\nb:\nc: two\n');
    expect(root?.kind === 'map' && root.entries[1]?.value).toMatchObject({ value: '', offset: 8, end: 8 });
  });

  test('an alias of a map is the map itself', () => {
    const { root } = readYaml('a: &x {b: c}\nd: *x\n');
    const [first, second] = root?.kind === 'map' ? root.entries : [];
    expect(first?.value).toBe(second?.value);
  });
});

describe('what cannot be read is a problem, never an exception', () => {
  const cases: [title: string, file: string, root: boolean, problem: string][] = [
    ['tabs', 'a:\n\tb: 1\n', false, 'tab characters must not be used in indentation'],
    ['open quotes', 'a: "b', false, 'unexpected end of the stream within a double quoted scalar'],
    ['a repeated key', 'a: 1\nb: 2\na: 3\n', true, '“a” is given twice'],
    ['an unknown alias', 'a: *b\n', true, 'nothing is named &b'],
    ['an alias of what it stands in', 'a: &b [*b]\n', true, '*b stands inside itself'],
    ['two documents', 'a: 1\n---\nb: 2\n', true, 'more than one document'],
    ['keys that are lists', '? [a]\n: b\n', true, 'a key is not a text'],
    ['a null byte', 'a: \0', false, 'null byte is not allowed in input'],
  ];
  test.each(cases)('%s', (_title, file, hasRoot, problem) => {
    expect(textsOf(file).problems).toEqual([problem]);
    expect(readYaml(file).root !== null).toBe(hasRoot);
  });

  test('deep nesting', () => {
    for (const file of ['['.repeat(100_000), 'a: '.repeat(5000), `${'- '.repeat(5000)}x`, '{a: '.repeat(5000)])
      expect(readYaml(file)).toMatchObject({ root: null, problems: [{ message: expect.any(String) }] });
  });

  test('a few aliases of aliases that come to billions of texts', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let n = 1; n < 12; n++)
      lines.push(
        `a${n}: &a${n} [${Array(9)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
      );
    const file = lines.join('\n');
    const { root, problems } = readYaml(file);
    expect(root).toBeNull();
    expect(problems).toEqual([{ offset: file.indexOf('*a0') + 1, message: 'aliases make it too large to be read' }]);
  });

  test('a long chain of aliases', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]`);
    expect(readYaml(['a0: &a0 x', ...lines].join('\n')).root).toBeNull();
  });

  test('whatever is written', () => {
    const piece = fc.constantFrom(
      ...'&a *a - : ? | > " \' { } [ ] # \n \r \t , ! % @ ` ~ a b 0 \\ é 🚀'.split(' '),
      '\n  ',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const file = pieces.join('');
        for (const { offset } of readYaml(file).problems) expect(offset).toBeLessThanOrEqual(file.length);
        for (const [, value, text] of written(file))
          if (value !== '' && !/[\s\\'"]/.test(text)) expect(value.trim()).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

test('sixty thousand keys are read in one pass', () => {
  const file = Array.from({ length: 60_000 }, (_, n) => `k${n}: ${n}`).join('\n');
  const { root, problems } = readYaml(file);
  expect([root?.kind === 'map' && root.entries.length, problems]).toEqual([60_000, []]);
});

function one(path: string, value: string): [string, string, string][] {
  return [[path, value, value]];
}
