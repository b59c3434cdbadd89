/** Text within a line, as React draws it. */
export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

/** A row of a table; one that begins with a name in code has an address of its own. */
export interface Row {
  id: string | null;
  cells: Inline[][];
}

export type Block =
  | { kind: 'heading'; level: number; id: string; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Row[] };

/** A chapter: its first heading, the paragraph under it, and what follows. */
export interface Chapter {
  title: string;
  lead: string;
  blocks: Block[];
}

/** The chapter with every text changed, but not code, addresses and anchors. */
export function mapText(blocks: readonly Block[], change: (text: string) => string): Block[] {
  const inlines = (children: readonly Inline[]): Inline[] =>
    children.map((inline) => {
      if (typeof inline === 'string') return change(inline);
      return inline.kind === 'code' ? inline : { ...inline, children: inlines(inline.children) };
    });
  return blocks.map((block) => {
    switch (block.kind) {
      case 'code':
        return block;
      case 'list':
        return { ...block, items: block.items.map((item) => mapText(item, change)) };
      case 'table':
        return {
          kind: 'table',
          head: block.head.map(inlines),
          rows: block.rows.map(({ id, cells }) => ({ id, cells: cells.map(inlines) })),
        };
      default:
        return { ...block, children: inlines(block.children) };
    }
  });
}

/** The chapter with the code of its examples changed. */
export const mapExamples = (blocks: readonly Block[], change: (code: string) => string): Block[] =>
  blocks.map((block) => {
    if (block.kind === 'code') return { ...block, text: change(block.text) };
    return block.kind === 'list' ? { ...block, items: block.items.map((item) => mapExamples(item, change)) } : block;
  });

/** The text without its marks. */
export const plainText = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      if (typeof inline === 'string') return inline;
      return inline.kind === 'code' ? inline.text : plainText(inline.children);
    })
    .join('');
