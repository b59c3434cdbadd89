import type { SyntaxEntry } from '../../scan/yaml-syntax.ts';
import type { Change, Value } from './change.ts';
import { columnOf } from './layout.ts';
import { insertBelow, lastLineOf, type Splice } from './lines.ts';
import { entriesOf, isEmpty, isFlow, locate, type Place, refuseForm, sizeOf } from './locate.ts';
import { neighbourOf, usualNeighbours } from './order.ts';
import { nothingToDo, type Plan } from './plan.ts';
import { Refused } from './refused.ts';
import { formatEntries, formatEntry, formatFlow, formatFlowEntry, formatItem } from './render.ts';
import type { Source } from './source.ts';
import { isSameTree, treeOf } from './tree.ts';

type Insert = Extract<Change, { do: 'insert' }>;
type Append = Extract<Change, { do: 'append' }>;

export function planInsert(source: Source, { at, key, value, after }: Insert): Plan {
  const place = locate(source, at);
  const [first = key, ...deeper] = [...place.missing, key];
  const present = place.node.kind === 'map' ? entriesOf(place.node, first)[0] : undefined;
  if (present) {
    if (isSameTree(treeOf(value), present.value)) return nothingToDo;
    throw new Refused('unusual_yaml', 'It is there already.', [...at, key], [present.key.start]);
  }
  if (place.missing.some((part) => typeof part === 'number')) throw refuseForm(place);
  const content = deeper.reduceRight<Value>((inner, part) => ({ [part]: inner }), value);
  if (isEmpty(place.node)) return fill(source, place, { [first]: content });
  const neighbours = place.missing.length === 0 ? after : usualNeighbours(String(first));
  return {
    splices: [addEntry(source, place, String(first), content, neighbours)],
    comments: [],
    claims: [isEmptyFlow(place) ? place.path : [...place.path, first]],
  };
}

function addEntry(source: Source, place: Place, key: string, value: Value, after: readonly string[]): Splice {
  const { node } = place;
  if (node.kind !== 'map') throw refuseForm(place);
  const neighbour = neighbourOf(node.entries, after);
  if (node.isFlow) return addToFlow(source, place, neighbour?.value.end ?? null, formatFlowEntry([key, value]));
  if (!neighbour) throw refuseForm(place);
  const column = columnOf(source.text, source.lines, node.start);
  const lines = formatEntry(key, value, column, source.layout);
  return insertBelow(source, lastLineOfEntry(source, neighbour, column), lines);
}

/** The first entries below a key that has no value. */
function fill(source: Source, place: Place, map: { readonly [key: string]: Value }): Plan {
  const { entry, parent, path } = place;
  if (entry === null) throw refuseForm(place);
  if (isFlow(parent)) return fillInFlow(place, map);
  const column = columnOf(source.text, source.lines, entry.key.start);
  const lines = formatEntries(map, column + source.layout.mapStep, source.layout);
  return {
    splices: [insertBelow(source, lastLineOfEntry(source, entry, column), lines)],
    comments: [],
    claims: Object.keys(map).map((key) => [...path, key]),
  };
}

/** A map for a key in braces that has no value, and perhaps no colon. */
export function fillInFlow({ entry, node, path }: Place, map: { readonly [key: string]: Value }): Plan {
  const colon = node.start === entry?.key.end ? ':' : '';
  const splice = { offset: node.start, end: node.start, insert: `${colon} ${formatFlow(map)}` };
  return { splices: [splice], comments: [], claims: [path] };
}

/** Comment lines belong to an entry where they are as far in as its value, or further in than its key. */
export function lastLineOfEntry(source: Source, { value }: SyntaxEntry, column: number): number {
  const isBlock = (value.kind === 'map' || value.kind === 'list') && !value.isFlow;
  const depth = isBlock ? columnOf(source.text, source.lines, value.start) : 0;
  return lastLineOf(source, value, Math.max(depth, column + 1));
}

/** The first entry of `{}` or `[]` comes without a comma, so that there is room for one alone. */
const isEmptyFlow = ({ node }: Place) => isFlow(node) && sizeOf(node) === 0;

function addToFlow({ text }: Source, place: Place, behind: number | null, added: string): Splice {
  const { node } = place;
  if (!/[[{]/.test(text.charAt(node.start))) throw refuseForm(place);
  const offset = behind ?? node.start + 1;
  return { offset, end: offset, insert: behind === null ? added : `, ${added}` };
}

export function planAppend(source: Source, { at, value }: Append): Plan {
  const place = locate(source, at);
  const { node } = place;
  if (place.missing.length > 0 || node.kind !== 'list') throw refuseForm(place);
  const item = treeOf(value);
  if (node.items.some((one) => isSameTree(item, one))) return nothingToDo;
  return { splices: [addItem(source, place, value)], comments: [], claims: [isEmptyFlow(place) ? at : [...at, '+']] };
}

function addItem(source: Source, place: Place, value: Value): Splice {
  const { node } = place;
  const last = node.kind === 'list' ? node.items.at(-1) : undefined;
  if (isFlow(node)) return addToFlow(source, place, last?.end ?? null, formatFlow(value));
  if (!last) throw refuseForm(place);
  const column = columnOf(source.text, source.lines, node.start);
  return insertBelow(source, lastLineOf(source, last, column + 1), formatItem(value, column, source.layout));
}
