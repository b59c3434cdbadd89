import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { readEvents, type YamlProblem } from './yaml-events.ts';

/** A node of a YAML file and where it begins; an alias is the node it refers to, so one node can be met twice. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  kind: 'map';
  offset: number;
  /** In the order of the file; a repeated key is listed each time. */
  entries: YamlEntry[];
}

export interface YamlEntry {
  key: YamlScalar;
  value: YamlNode;
}

export interface YamlList {
  kind: 'list';
  offset: number;
  items: YamlNode[];
}

export interface YamlScalar {
  kind: 'scalar';
  /** Where the text begins and ends in the file, without quotes. */
  offset: number;
  end: number;
  value: string;
  style: 'plain' | 'quoted' | 'literal' | 'folded';
}

export interface YamlFile {
  /** null when nothing could be read. */
  root: YamlNode | null;
  problems: YamlProblem[];
}

/** Reads one YAML document with the place of every node. Never throws: what cannot be read is a problem. */
export function readYaml(file: string): YamlFile {
  const { events, text, problem } = readEvents(file);
  return events === null ? { root: null, problems: problem ? [problem] : [] } : new Builder(text).build(events);
}

export const isNothing = (node: YamlNode): boolean =>
  node.kind === 'scalar' && node.style === 'plain' && /^(|~|null|Null|NULL)$/.test(node.value);

type OpenMap = { node: YamlMap; key: YamlNode | null; keys: Set<string> } & Extent;
type Open = OpenMap | ({ node: YamlList } & Extent);

/** What a node comes to with its aliases written out. */
interface Extent {
  characters: number;
  depth: number;
}

/** Far above every file the platform would run; a few aliases of aliases are enough to get there. */
const limits: Extent = { characters: 2_000_000, depth: 60 };

class Builder {
  readonly #text: string;
  readonly #problems: YamlProblem[] = [];
  readonly #anchors = new Map<string, YamlNode>();
  readonly #extents = new Map<YamlNode, Extent>();
  #firstAlias = 0;
  #end = 0;
  readonly #open: (Open | null)[] = [];
  #root: YamlNode | null = null;
  #documents = 0;

  constructor(text: string) {
    this.#text = text;
  }

  build(events: readonly Event[]): YamlFile {
    for (const event of events) {
      if (event.type === EVENT_ID.DOCUMENT) this.#beginDocument();
      else if (event.type === EVENT_ID.POP) this.#close();
      else if (this.#documents === 1) this.#take(event);
      else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) this.#open.push(null);
    }
    const { characters, depth } = (this.#root && this.#extents.get(this.#root)) ?? { characters: 0, depth: 0 };
    if (characters <= limits.characters && depth <= limits.depth) return { root: this.#root, problems: this.#problems };
    return { root: null, problems: [{ offset: this.#firstAlias, message: 'aliases make it too large to be read' }] };
  }

  #beginDocument() {
    this.#documents++;
    this.#open.push(null);
    if (this.#documents === 2) this.#problems.push({ offset: 0, message: 'more than one document' });
  }

  #take(event: Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>) {
    if (event.type === EVENT_ID.ALIAS) {
      this.#firstAlias ||= event.anchorStart;
      const node = this.#aliased(event.anchorStart, event.anchorEnd);
      this.#grow(this.#extents.get(node) ?? { characters: 1, depth: 1 });
      return this.#add(node);
    }
    const node = this.#nodeOf(event);
    if (event.anchorStart >= 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), node);
    this.#add(node);
    if (node.kind === 'map') this.#open.push({ node, key: null, keys: new Set(), characters: 1, depth: 1 });
    else if (node.kind === 'list') this.#open.push({ node, characters: 1, depth: 1 });
    else {
      const extent = { characters: 1 + node.value.length, depth: 1 };
      if (event.anchorStart >= 0) this.#extents.set(node, extent);
      this.#grow(extent);
    }
  }

  #close() {
    const closed = this.#open.pop();
    if (!closed) return;
    this.#extents.set(closed.node, { characters: closed.characters, depth: closed.depth });
    this.#grow(closed);
  }

  #grow({ characters, depth }: Extent) {
    const parent = this.#open.at(-1);
    if (!parent) return;
    parent.characters += characters;
    parent.depth = Math.max(parent.depth, depth + 1);
  }

  #nodeOf(event: Exclude<Event, { type: 1 | 5 | 6 }>): YamlNode {
    if (event.type === EVENT_ID.MAPPING) return { kind: 'map', offset: event.start, entries: [] };
    if (event.type === EVENT_ID.SEQUENCE) return { kind: 'list', offset: event.start, items: [] };
    const value = getScalarValue(this.#text, event);
    const isEmpty = event.valueStart < 0;
    // An empty value has no place; it is looked for where its key ends.
    const [offset, end] = isEmpty ? [this.#end, this.#end] : [event.valueStart, event.valueEnd];
    this.#end = end;
    return { kind: 'scalar', offset, end, value, style: toStyle(event) };
  }

  #aliased(start: number, end: number): YamlNode {
    const name = this.#text.slice(start, end);
    const node = this.#anchors.get(name);
    const isInside = this.#open.some((one) => one?.node === node);
    if (node && !isInside) return node;
    this.#problems.push({
      offset: start,
      message: node ? `*${name} stands inside itself` : `nothing is named &${name}`,
    });
    return { kind: 'scalar', offset: start, end, value: '', style: 'plain' };
  }

  #add(node: YamlNode) {
    const parent = this.#open.at(-1);
    if (!parent) this.#root ??= node;
    else if (!('key' in parent)) parent.node.items.push(node);
    else if (parent.key === null) parent.key = node;
    else {
      this.#addEntry(parent, parent.key, node);
      parent.key = null;
    }
  }

  #addEntry({ node, keys }: OpenMap, key: YamlNode, value: YamlNode) {
    if (key.kind !== 'scalar') {
      this.#problems.push({ offset: key.offset, message: 'a key is not a text' });
      return;
    }
    if (keys.has(key.value)) this.#problems.push({ offset: key.offset, message: `“${key.value}” is given twice` });
    keys.add(key.value);
    node.entries.push({ key, value });
  }
}

const styles: Record<number, YamlScalar['style']> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'quoted',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'quoted',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
};

const toStyle = ({ style }: ScalarEvent) => styles[style] ?? 'plain';

/** Every text below a node once, keys included, however often an alias repeats it. */
export function textsBelow(node: YamlNode, seen = new Set<YamlNode>()): YamlScalar[] {
  const texts: YamlScalar[] = [];
  const take = (one: YamlNode) => {
    if (seen.has(one)) return;
    seen.add(one);
    if (one.kind === 'scalar') texts.push(one);
    else if (one.kind === 'list') for (const item of one.items) take(item);
    else
      for (const { key, value } of one.entries) {
        texts.push(key);
        take(value);
      }
  };
  take(node);
  return texts;
}
