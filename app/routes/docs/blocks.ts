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

/** The text without its marks. */
export const plainText = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      if (typeof inline === 'string') return inline;
      return inline.kind === 'code' ? inline.text : plainText(inline.children);
    })
    .join('');
