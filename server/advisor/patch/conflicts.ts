import { type Edit, formatPath, type YamlPath } from './change.ts';
import type { PlannedChange, PlannedSet } from './planned-set.ts';

/** Whether a change touches the nodes or the text of others. */
export const overlap = (change: PlannedChange, others: readonly PlannedChange[]): boolean =>
  others.some((other) => shareNode(change, other) || shareText(change, other));

const shareNode = (one: PlannedChange, other: PlannedChange) =>
  one.claims.some((path) => other.claims.some((claim) => isWithin(path, claim) || isWithin(claim, path)));

const isWithin = (path: YamlPath, holder: YamlPath) => holder.every((part, index) => path[index] === part);

const shareText = (one: PlannedChange, other: PlannedChange) =>
  one.splices.some((splice) => other.splices.some((next) => splice.offset < next.end && next.offset < splice.end));

/** Whether a change and others remove every entry of a map or list, which each alone does not. */
export function leaveNothing({ removesFrom }: PlannedChange, others: readonly PlannedChange[]): boolean {
  if (!removesFrom) return false;
  const holder = formatPath(removesFrom.holder);
  const same = others.filter((other) => other.removesFrom && formatPath(other.removesFrom.holder) === holder);
  return same.length > 0 && same.length + 1 >= removesFrom.size;
}

/**
 * Every edit in the order of the file. Of those at one place the one further in comes first, because it ends an inner
 * part; then that of the lower kind.
 */
export const orderEdits = (sets: readonly PlannedSet[]): Edit[] =>
  sets
    .flatMap(({ changes }) => changes.flatMap(({ edits }) => edits))
    .sort((one, other) => one.offset - other.offset || one.end - other.end || indentOf(other) - indentOf(one));

/** An item of a list is part of the key above, also where it is as far in. */
const indentOf = ({ insert }: Edit) => {
  const line = insert.replace(/^[\r\n]+/, '');
  return Math.max(0, line.search(/\S/)) + (/^ *- /.test(line) ? 0.5 : 0);
};
