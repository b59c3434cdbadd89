import { type Lines, splitLines } from '../../scan/lines.ts';
import { readSyntax, type SyntaxNode, type YamlSyntax } from '../../scan/yaml-syntax.ts';
import { type Layout, readLayout } from './layout.ts';

/** A file to be changed. */
export interface Source {
  text: string;
  lines: Lines;
  syntax: YamlSyntax;
  layout: Layout;
}

export function readSource(text: string): Source {
  const lines = splitLines(text);
  const syntax = readSyntax(text);
  return { text, lines, syntax, layout: readLayout(text, syntax.root, lines) };
}

/** Every node, parents first. */
export function* nodesBelow(node: SyntaxNode | null): Generator<SyntaxNode> {
  const open = node === null ? [] : [node];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    yield one;
    if (one.kind === 'list') for (const item of one.items.toReversed()) open.push(item);
    if (one.kind === 'map') for (const { key, value } of one.entries.toReversed()) open.push(value, key);
  }
}
