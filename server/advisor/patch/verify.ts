import type { Change, Patch, PatchCheck } from './change.ts';
import { applyDiff } from './diff.ts';
import { expectTree } from './expected.ts';
import { type PlannedChange, type PlannedSet, pathOf, planChange } from './planned-set.ts';
import { Refused } from './refused.ts';
import { Source } from './source.ts';
import { isSameTree } from './tree.ts';

/** What of a patch is not as it must be; null when all is. */
export function findDefect(
  source: Source,
  sets: readonly PlannedSet[],
  patch: Patch,
  check: PatchCheck,
): string | null {
  const after = new Source(patch.text);
  const planned = sets.flatMap(({ changes }) => changes);
  if (after.syntax.problem !== null || after.syntax.documents !== 1) return 'it does not parse afterwards';
  if (!hasExpectedTree(source, planned, after)) return 'other nodes than those declared differ';
  if (!hasExpectedComments(source, planned, after)) return 'other comments than those declared differ';
  if (settledPart(planned).some((change) => !isSettled(after, change))) return 'it would be changed again';
  if (applyDiff(source.text, patch.diff) !== patch.text) return 'the diff does not give the patched text';
  const open = sets.find(({ set }) => !check.isGone(patch.text, set));
  if (open) return `the finding of ${open.set.kind} is still there`;
  const [finding] = check.newFindings(source.text, patch.text);
  return finding === undefined ? null : `it has a new finding: ${finding}`;
}

function hasExpectedTree(source: Source, planned: readonly PlannedChange[], after: Source): boolean {
  const changes = planned.map(({ change }) => change);
  const [before, now] = [source.syntax.root, after.syntax.root];
  return before !== null && now !== null && isSameTree(expectTree(before, changes), now);
}

/** Whether the comments are those of before, in their order, apart from what the changes declare. */
function hasExpectedComments(source: Source, planned: readonly PlannedChange[], after: Source): boolean {
  const expected = new Map(commentsOf(source));
  for (const { offset, text } of planned.flatMap(({ comments }) => comments))
    if (text === null) expected.delete(offset);
    else expected.set(offset, text);
  const inOrder = [...expected].sort(([one], [other]) => one - other);
  const found = commentsOf(after);
  return inOrder.length === found.length && inOrder.every(([, text], index) => text === found[index]?.[1]);
}

/** Where each comment begins, and its text. */
const commentsOf = ({ text, syntax }: Source): [offset: number, text: string][] =>
  syntax.comments.map(({ start, end }) => [start, text.slice(start, end)]);

/** Changes whose paths are the same afterwards; where items are removed from lists, those behind them have moved. */
function settledPart(planned: readonly PlannedChange[]): Change[] {
  const changes = planned.map(({ change }) => change);
  const isMoved = planned.some(({ claims }) => claims.some((path) => typeof path.at(-1) === 'number'));
  return isMoved ? changes.filter((change) => !pathOf(change).some((part) => typeof part === 'number')) : changes;
}

/** Whether nothing is left to do. */
function isSettled(after: Source, change: Change): boolean {
  try {
    return planChange(after, change).splices.length === 0;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
