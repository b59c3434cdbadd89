import type { SyntaxScalar } from '../../scan/yaml-syntax.ts';
import type { Change, Value } from './change.ts';
import { lastLineOfEntry } from './insert.ts';
import { columnOf } from './layout.ts';
import { commentsWithin, insertBelow, type Splice, trailingComment } from './lines.ts';
import { isEmpty, isFlow, locate, type Place, refuseForm, refuseParts } from './locate.ts';
import { type CommentChange, nothingToDo, type Plan } from './plan.ts';
import { formatEntries, formatFlow, formatScalar, isMap, quote } from './render.ts';
import type { Source } from './source.ts';
import { isSameTree, treeInPlaceOf } from './tree.ts';

type Replace = Extract<Change, { do: 'replace' }>;

export function planReplace(source: Source, { at, value, comment }: Replace): Plan {
  const place = locate(source, at);
  const { node } = place;
  if (place.missing.length > 0 || isEmpty(node)) throw refuseForm(place);
  if (isSameTree(treeInPlaceOf(node, value), node)) return nothingToDo;
  refuseParts(source, place);
  if (isMap(value) && !isFlow(place.parent))
    return { splices: replaceByBlock(source, place, value), comments: [], claims: [at] };
  const replaced = { offset: node.start, end: node.end, insert: formatReplacement(source, place, value) };
  const noted = comment === undefined || isFlow(place.parent) ? null : planComment(source, place, comment);
  return {
    splices: noted ? [replaced, noted.splice] : [replaced],
    comments: noted ? [noted.change] : [],
    claims: [at],
  };
}

function formatReplacement(source: Source, place: Place, value: Value): string {
  const { node, parent } = place;
  const inFlow = isFlow(parent);
  if (commentsWithin(source, node.start, node.end).length > 0) throw refuseForm(place);
  if (typeof value === 'object' && (inFlow || isFlow(node))) return formatFlow(value);
  if (typeof value === 'object' || node.kind !== 'scalar' || node.style === 'block') throw refuseForm(place);
  return formatAs(node, value, inFlow);
}

function formatAs({ style }: SyntaxScalar, value: string | number | boolean, inFlow: boolean): string {
  if (style === 'single') return quote(String(value), "'");
  return style === 'double' ? quote(String(value), '"') : formatScalar(value, inFlow);
}

/** Puts a comment before the text of the one that is there, else behind the node. */
function planComment(source: Source, { node }: Place, comment: string): { splice: Splice; change: CommentChange } {
  const before = trailingComment(source, node);
  if (!before)
    return {
      splice: { offset: node.end, end: node.end, insert: ` # ${comment}` },
      change: { offset: node.end, text: `# ${comment}` },
    };
  const written = source.text.slice(before.start, before.end);
  const rest = written.replace(/^#[ \t]*/, '');
  const begin = rest === '' ? `# ${comment}` : `# ${comment} `;
  return {
    splice: { offset: before.start, end: before.start + written.length - rest.length, insert: begin },
    change: { offset: before.start, text: begin + rest },
  };
}

/** A map below a key in place of its value. */
function replaceByBlock(source: Source, place: Place, map: { readonly [key: string]: Value }): Splice[] {
  const { entry } = place;
  if (entry === null) throw refuseForm(place);
  const column = columnOf(source.text, source.lines, entry.key.start);
  const added = formatEntries(map, column + source.layout.mapStep, source.layout);
  return [cutValue(source, place), insertBelow(source, lastLineOfEntry(source, entry, column), added)];
}

/** Takes a value out that stands in the line of its key, with the space before it. */
export function cutValue(source: Source, place: Place): Splice {
  const { entry, node } = place;
  const isInLine = isFlow(node) || (node.kind === 'scalar' && node.style !== 'block');
  const colon = entry ? source.text.indexOf(':', entry.key.end) + 1 : 0;
  if (!isInLine || colon === 0 || commentsWithin(source, colon, node.end).length > 0) throw refuseForm(place);
  return { offset: colon, end: node.end, insert: '' };
}
