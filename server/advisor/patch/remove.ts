import type { SyntaxNode } from '../../scan/yaml-syntax.ts';
import type { Change } from './change.ts';
import { commentsWithin, cutLines, type Splice } from './lines.ts';
import { isFlow, locate, type Place, refuseForm, refuseParts, sizeOf } from './locate.ts';
import { nothingToDo, type Plan } from './plan.ts';
import type { Source } from './source.ts';

type Remove = Extract<Change, { do: 'remove' }>;

export function planRemove(source: Source, { at, orEmptyParent }: Remove): Plan {
  const place = locate(source, at);
  if (place.missing.length > 0 || place.parent === null) return nothingToDo;
  refuseParts(source, place);
  const leavesNothing = sizeOf(place.parent) === 1 && orEmptyParent === true && at.length > 1;
  const removed = leavesNothing ? locate(source, at.slice(0, -1)) : place;
  const splices = leavesNothing ? cutWithOnly(source, removed, place) : cut(source, place);
  const comments = splices.flatMap(({ offset, end }) => commentsWithin(source, offset, end));
  const from = { holder: removed.path.slice(0, -1), size: sizeOf(removed.parent) };
  return {
    splices,
    comments: comments.map(({ start }) => ({ offset: start, text: null })),
    claims: [from.size === 1 ? from.holder : removed.path],
    removesFrom: from,
  };
}

/** An entry with the only part of its value; comment lines between them stay. */
function cutWithOnly(source: Source, place: Place, only: Place): Splice[] {
  const { entry } = place;
  if (!entry) throw refuseForm(place);
  if (isFlow(only.parent) || !startsLine(source, entry.key.start)) return cut(source, place);
  const line = source.lines.of(entry.key.start);
  return [cutLines(source, line, line), ...cut(source, only)];
}

function cut(source: Source, place: Place): Splice[] {
  if (isFlow(place.parent)) return [cutFlow(source, place)];
  const { lines, text } = source;
  const { entry, node, parent } = place;
  const start = entry?.key.start ?? node.start;
  const isWhole = entry
    ? startsLine(source, start)
    : /^[ ]*-[ ]+$/.test(text.slice(lines.start(lines.of(start)), start));
  if (isWhole) return [refuseInnerComments(source, place, cutLines(source, lines.of(start), lines.of(node.end)))];
  const next = entry && parent?.kind === 'map' ? parent.entries[parent.entries.indexOf(entry) + 1] : undefined;
  if (!next) throw refuseForm(place);
  // The first entry of a map behind a dash: the next one takes its place.
  return [refuseInnerComments(source, place, { offset: start, end: next.key.start, insert: '' })];
}

/** Only the comment behind an entry is removed with it. */
function refuseInnerComments(source: Source, place: Place, splice: Splice): Splice {
  const { lines } = source;
  const ends = new Set([lines.of(place.node.end), lines.of(place.entry?.key.end ?? place.node.end)]);
  const comments = commentsWithin(source, splice.offset, splice.end);
  if (comments.some(({ start }) => !ends.has(lines.of(start)))) throw refuseForm(place);
  return splice;
}

const startsLine = ({ text, lines }: Source, start: number) =>
  /^\uFEFF? *$/.test(text.slice(lines.start(lines.of(start)), start));

/** An entry of a flow collection with one comma. */
function cutFlow(source: Source, place: Place): Splice {
  const { entry, node, parent } = place;
  const extents =
    parent?.kind === 'map'
      ? parent.entries.map(({ key, value }) => ({ start: key.start, end: value.end }))
      : parent?.kind === 'list'
        ? parent.items
        : [];
  const start = entry?.key.start ?? node.start;
  const index = extents.findIndex((one) => one.start === start);
  const [before, after] = [extents[index - 1], extents[index + 1]];
  const splice = before
    ? { offset: before.end, end: node.end, insert: '' }
    : { offset: start, end: after?.start ?? endWithComma(source, node), insert: '' };
  if (commentsWithin(source, splice.offset, splice.end).length > 0) throw refuseForm(place);
  return splice;
}

function endWithComma({ text }: Source, { end }: SyntaxNode): number {
  const comma = /^\s*,/.exec(text.slice(end, end + 100));
  return end + (comma?.[0].length ?? 0);
}
