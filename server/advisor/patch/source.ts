import { type Lines, splitLines } from '../../scan/lines.ts';
import { readSyntax, type SyntaxNode, type YamlSyntax } from '../../scan/yaml-syntax.ts';
import { type Layout, readLayout } from './layout.ts';

/** A file to be changed; each part is computed when it is needed. */
export class Source {
  readonly text: string;
  readonly syntax: YamlSyntax;
  #lines: Lines | null = null;
  #layout: Layout | null = null;

  constructor(text: string) {
    this.text = text;
    this.syntax = readSyntax(text);
  }

  get lines(): Lines {
    this.#lines ??= splitLines(this.text);
    return this.#lines;
  }

  get layout(): Layout {
    this.#layout ??= readLayout(this.text, this.syntax.root, this.lines);
    return this.#layout;
  }
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
