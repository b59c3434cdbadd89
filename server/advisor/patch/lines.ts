import type { SyntaxNode, YamlComment } from '../../scan/yaml-syntax.ts';
import type { Source } from './source.ts';

/** Text in place of the characters from `offset` to `end`, exclusive. */
export interface Splice {
  offset: number;
  end: number;
  insert: string;
}

/** The comment behind a node on the same line; null without one. */
export function trailingComment({ text, syntax }: Source, { end }: SyntaxNode): YamlComment | null {
  const comment = syntax.comments.find(({ start }) => start >= end);
  return comment && /^[ \t]*$/.test(text.slice(end, comment.start)) ? comment : null;
}

export const commentsWithin = ({ syntax }: Source, from: number, to: number): YamlComment[] =>
  syntax.comments.filter(({ start }) => start >= from && start < to);

/** The last line of a node in a block, with the comment lines below that are at least so far in. */
export function lastLineOf({ text, lines }: Source, node: SyntaxNode, depth: number): number {
  let last = lines.of(node.end);
  for (let line = last + 1; lines.start(line) < text.length; line++) {
    const indent = lines.text(line).search(/\S/);
    if (indent < 0) continue;
    if (indent < depth || lines.text(line).charAt(indent) !== '#') break;
    last = line;
  }
  return last;
}

/** Puts lines below a line; at the end of a file without a last line break there is none afterwards either. */
export function insertBelow({ text, lines, layout }: Source, line: number, added: readonly string[]): Splice {
  const offset = lines.start(line + 1);
  const block = added.join(layout.newline);
  const isEndOfFile = offset === text.length && !/[\r\n]$/.test(text);
  return { offset, end: offset, insert: isEndOfFile ? layout.newline + block : block + layout.newline };
}

/** Takes lines out, with the break before them where there is none behind. */
export function cutLines({ text, lines }: Source, first: number, last: number): Splice {
  const [start, end] = [lines.start(first), lines.start(last + 1)];
  const isEndOfFile = end === text.length && !/[\r\n]$/.test(text) && first > 1;
  return { offset: isEndOfFile ? lines.start(first - 1) + lines.text(first - 1).length : start, end, insert: '' };
}
