// Texts as they are written: also of states that no page of a test is in.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { oldPhrases } from './phrases.ts';

const root = resolve(import.meta.dirname, '../..');
const written = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

/** Every string and every text between tags of a file, with its line; not comments, imports and names of classes. */
function textsOf(path: string): [line: number, text: string][] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const found: [number, string][] = [];
  const add = (node: ts.Node, text: string) => {
    // A name or an address is for no reader; what stands between tags of an email is read where it is rendered.
    if (/\p{L} \p{L}/u.test(text) && !/\w="/.test(text))
      found.push([source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && !isForMachines(node)) add(node, node.text);
    if (ts.isJsxText(node)) add(node, node.text);
    if (ts.isTemplateExpression(node))
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isForMachines = ({ parent }: ts.Node) =>
  ts.isImportDeclaration(parent) ||
  ts.isLiteralTypeNode(parent) ||
  (ts.isJsxAttribute(parent) && /^(className|href|action|id|name|key)$/.test(parent.name.getText()));

test('no text of pages, emails, errors and API descriptions has a phrase that was replaced', () => {
  const paths = [...written('app/**/*.{ts,tsx}'), ...written('{server,jobs}/**/*.ts')];
  expect(paths.length).toBeGreaterThan(500);
  const found = paths.flatMap((path) =>
    textsOf(path).flatMap(([line, text]) => oldPhrases(text).map((phrase) => `${path}:${line} ${phrase}`)),
  );
  expect(found).toEqual([]);
});

test('no document for users has one', () => {
  const paths = [...written('{README,CHANGELOG,SECURITY}.md'), ...written('app/routes/docs/content/**/*.md')];
  const found = paths.flatMap((path) =>
    oldPhrases(readFileSync(join(root, path), 'utf8').replace(/`[^`\n]+`|\]\([^)]*\)/g, '')).map(
      (phrase) => `${path} ${phrase}`,
    ),
  );
  expect(found).toEqual([]);
});
