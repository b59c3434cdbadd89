import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml';
import { readEvents, type YamlProblem } from './yaml-events.ts';

/** A node of a YAML file as it is written: aliases are not followed, and nothing that is repeated is left out. */
export type SyntaxNode = SyntaxMap | SyntaxList | SyntaxScalar | SyntaxAlias;

interface Written {
  /** Where it is, with quotes and brackets; what is empty begins and ends behind its key or dash. */
  start: number;
  end: number;
  anchor: string | null;
  tag: string | null;
}

export interface SyntaxMap extends Written {
  kind: 'map';
  isFlow: boolean;
  entries: SyntaxEntry[];
}

export interface SyntaxEntry {
  key: SyntaxNode;
  value: SyntaxNode;
}

export interface SyntaxList extends Written {
  kind: 'list';
  isFlow: boolean;
  items: SyntaxNode[];
}

export interface SyntaxScalar extends Written {
  kind: 'scalar';
  value: string;
  style: 'plain' | 'single' | 'double' | 'block';
}

export interface SyntaxAlias extends Written {
  kind: 'alias';
  name: string;
}

/** From its `#` to the end of its line. */
export interface YamlComment {
  start: number;
  end: number;
}

export interface YamlSyntax {
  /** null when nothing could be read. */
  root: SyntaxNode | null;
  /** In the order of the file. */
  comments: YamlComment[];
  documents: number;
  hasDirectives: boolean;
  problem: YamlProblem | null;
}

/** Reads how a YAML file is written, so that parts of it can be changed in place. Never throws. */
export function readSyntax(file: string): YamlSyntax {
  const { events, text, problem } = readEvents(file);
  const builder = new SyntaxBuilder(file, text);
  for (const event of events ?? []) builder.take(event);
  const { root, scalars, documents, hasDirectives } = builder;
  return { root, comments: findComments(file, scalars), documents, hasDirectives, problem };
}

type Open = { node: SyntaxMap; key: SyntaxNode | null } | { node: SyntaxList };

class SyntaxBuilder {
  root: SyntaxNode | null = null;
  documents = 0;
  hasDirectives = false;
  readonly scalars: SyntaxScalar[] = [];
  readonly #file: string;
  readonly #text: string;
  readonly #open: Open[] = [];
  /** Where the last node, or the colon or dash behind it, ends. */
  #end = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  take(event: Event) {
    if (event.type === EVENT_ID.POP) return this.#close();
    if (event.type === EVENT_ID.DOCUMENT) {
      this.documents++;
      this.hasDirectives ||= event.directives.length > 0;
      return;
    }
    const parent = this.#open.at(-1);
    const node = this.#nodeOf(event, parent);
    if (!parent) this.root ??= node;
    else if (!('key' in parent)) parent.node.items.push(node);
    else if (parent.key === null) parent.key = node;
    else {
      parent.node.entries.push({ key: parent.key, value: node });
      parent.key = null;
    }
    if (node.kind === 'map') this.#open.push({ node, key: null });
    else if (node.kind === 'list') this.#open.push({ node });
    else this.#end = node.end;
  }

  #nodeOf(event: Exclude<Event, { type: 1 | 6 }>, parent: Open | undefined): SyntaxNode {
    const anchor = event.anchorStart < 0 ? null : this.#text.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS) {
      const [start, end] = [event.anchorStart - 1, event.anchorEnd];
      return { kind: 'alias', name: anchor ?? '', start, end, anchor: null, tag: null };
    }
    const tag = event.tagStart < 0 ? null : this.#text.slice(event.tagStart, event.tagEnd);
    if (event.type === EVENT_ID.SCALAR) {
      const [start, end] = event.valueStart < 0 ? this.#emptyExtent(event, parent) : this.#scalarExtent(event);
      const value = getScalarValue(this.#text, event);
      const scalar: SyntaxScalar = { kind: 'scalar', value, style: toStyle(event), start, end, anchor, tag };
      this.scalars.push(scalar);
      return scalar;
    }
    const isFlow = event.style === COLLECTION_STYLE.FLOW;
    const { start } = event;
    this.#end = start + (isFlow ? 1 : 0);
    return event.type === EVENT_ID.SEQUENCE
      ? { kind: 'list', isFlow, items: [], start, end: start, anchor, tag }
      : { kind: 'map', isFlow, entries: [], start, end: start, anchor, tag };
  }

  #scalarExtent({ valueStart, valueEnd, style, chomping }: ScalarEvent): [start: number, end: number] {
    if (style === SCALAR_STYLE.PLAIN) return [valueStart, valueEnd];
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
      return [valueStart - 1, valueEnd + 1];
    let end = valueEnd;
    // Blank lines below a block belong to it only where it keeps them.
    if (chomping === CHOMPING_MODE.KEEP) end -= /\r?\n?$/.exec(this.#file.slice(end - 2, end))?.[0].length ?? 0;
    else while (/\s/.test(this.#file.charAt(end - 1))) end--;
    return [Math.min(valueStart, end), end];
  }

  /** Nothing has no place; it is put behind the colon or dash that it follows. */
  #emptyExtent(event: ScalarEvent, parent: Open | undefined): [start: number, end: number] {
    const isValue = parent !== undefined && (!('key' in parent) || parent.key !== null);
    const indicator = parent !== undefined && 'key' in parent ? beforeColon : beforeDash;
    if (isValue) this.#skip(indicator);
    const end = Math.max(this.#end, event.anchorEnd, event.tagEnd);
    return [end, end];
  }

  #close() {
    const closed = this.#open.pop();
    if (!closed) return;
    const opening = this.#file.charAt(closed.node.start);
    if (closed.node.isFlow && (opening === '[' || opening === '{')) this.#skip(beforeBracket);
    closed.node.end = this.#end;
  }

  #skip(pattern: RegExp) {
    pattern.lastIndex = this.#end;
    if (pattern.test(this.#file)) this.#end = pattern.lastIndex;
  }
}

const beforeColon = /\s*:/y;
const beforeDash = /(?:\s|#[^\r\n]*[\r\n])*-/y;
const beforeBracket = /(?:[\s,:]|#[^\r\n]*[\r\n])*[\]}]/y;

const styles: Record<number, SyntaxScalar['style']> = {
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'block',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'block',
};

const toStyle = ({ style }: ScalarEvent) => styles[style] ?? 'plain';

/** A comment begins at a `#` behind a space or a line break that is in no text. */
function findComments(file: string, scalars: readonly SyntaxScalar[]): YamlComment[] {
  const comments: YamlComment[] = [];
  let next = 0;
  for (let hash = file.indexOf('#'); hash >= 0; ) {
    while ((scalars[next]?.end ?? file.length) <= hash) next++;
    const text = scalars[next];
    if (text && text.start <= hash) hash = file.indexOf('#', text.end);
    else if (hash > 0 && !/[\s\uFEFF]/.test(file.charAt(hash - 1))) hash = file.indexOf('#', hash + 1);
    else {
      const end = endOfLine(file, hash);
      comments.push({ start: hash, end });
      hash = file.indexOf('#', end);
    }
  }
  return comments;
}

function endOfLine(file: string, at: number): number {
  lineBreak.lastIndex = at;
  return lineBreak.exec(file)?.index ?? file.length;
}

const lineBreak = /[\r\n]/g;
