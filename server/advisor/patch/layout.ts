import type { Lines } from '../../scan/lines.ts';
import type { SyntaxNode } from '../../scan/yaml-syntax.ts';

/** How a file is written, for what is inserted to look the same. */
export interface Layout {
  newline: string;
  /** How much further in a map below a key is. */
  mapStep: number;
  /** How much further in a list below a key is. */
  listStep: number;
}

export function readLayout(text: string, root: SyntaxNode | null, lines: Lines): Layout {
  const steps: Record<'map' | 'list', number[]> = { map: [], list: [] };
  const measure = (node: SyntaxNode) => {
    if (node.kind === 'list') return node.isFlow ? undefined : node.items.forEach(measure);
    if (node.kind !== 'map' || node.isFlow) return;
    const column = columnOf(text, lines, node.start);
    for (const { value } of node.entries) {
      if ((value.kind === 'map' || value.kind === 'list') && !value.isFlow)
        steps[value.kind].push(columnOf(text, lines, value.start) - column);
      measure(value);
    }
  };
  if (root) measure(root);
  const positive = [...steps.map, ...steps.list].filter((step) => step > 0);
  const mapStep = positive.reduce((least, step) => Math.min(least, step), positive[0] ?? 2);
  return { newline: findNewline(text), mapStep, listStep: steps.list[0] ?? mapStep };
}

/** How far in an offset is, a byte-order mark not counted. */
export function columnOf(text: string, lines: Lines, offset: number): number {
  const start = lines.start(lines.of(offset));
  return offset - start - (start === 0 && text.startsWith('\uFEFF') ? 1 : 0);
}

/** What most lines end with; LF for as many of each. */
function findNewline(text: string): string {
  const both = countOf(text, '\r\n');
  const [lf, cr] = [countOf(text, '\n') - both, countOf(text, '\r') - both];
  if (lf >= both && lf >= cr) return '\n';
  return both >= cr ? '\r\n' : '\r';
}

const countOf = (text: string, part: string) => text.split(part).length - 1;
