import type { Instant } from '../kernel/facts.ts';
import { hourMs } from '../kernel/window.ts';

/**
 * `gone`: the repository has no such ref. `repository_gone`: the repository cannot be seen any more. `unreadable`: nothing
 * is known, also of a repository that was never seen.
 */
export const refStates = ['present', 'gone', 'repository_gone', 'unreadable'] as const;
export type RefState = (typeof refStates)[number];

/**
 * How a ref moved. `forward`: the commit before is an ancestor. `rewritten`: it is not. `gone`: the ref was
 * deleted. `back`: to a commit where the ref was before.
 */
export const moveClasses = ['forward', 'rewritten', 'gone', 'back'] as const;
export type MoveClass = (typeof moveClasses)[number];

/** Where a ref led when it was looked at. */
export interface RefTarget {
  state: RefState;
  /** null where the state is not `present`. */
  commit: string | null;
  /** The id of the tag itself, where it has a message. */
  tagObject: string | null;
}

/** Where a ref led from one observation to another, with nothing else observed between the two. */
export interface LedgerRow extends RefTarget {
  observedFrom: Instant;
  observedTo: Instant;
  /** The commit before, where this row is a move; null for every other. */
  previousCommit: string | null;
  /** null also for a move of which it is not known yet. */
  moveClass: MoveClass | null;
}

/** An observation later than this after the last leaves a gap, in which the ref may have been anywhere. */
export const maxGapMs = 26 * hourMs;

/**
 * The row that an observation writes: the newest one, extended, or one more; null when it writes nothing, because it is
 * not newer. `history` are the rows of the ref, oldest first. `isOtherRepository` says that its name has passed to
 * another repository since the last row.
 */
export function recordTarget(
  history: readonly LedgerRow[],
  target: RefTarget,
  at: Instant,
  isOtherRepository: boolean,
): LedgerRow | null {
  const newest = history.at(-1);
  if (newest && at <= newest.observedTo) return null;
  if (newest && isSame(newest, target) && !isOtherRepository && at - newest.observedTo <= maxGapMs)
    return { ...newest, observedTo: at };
  const { state, commit, tagObject } = target;
  const row = { observedFrom: at, observedTo: at, state, commit, tagObject };
  const previousCommit = findPreviousCommit(history, target);
  if (previousCommit === null) return { ...row, previousCommit, moveClass: null };
  return { ...row, previousCommit, moveClass: findMoveClass(history, target, isOtherRepository) };
}

const isSame = (one: RefTarget, other: RefTarget): boolean =>
  one.state === other.state && one.commit === other.commit && one.tagObject === other.tagObject;

/** The commit that a ref has left; null where it has not, as far as it was observed. */
function findPreviousCommit(history: readonly LedgerRow[], { state, commit }: RefTarget): string | null {
  if (!isKnown({ state })) return null;
  const known = history.filter(isKnown);
  const before = known.at(-1);
  if (state === 'gone') return before?.commit ?? null;
  const { commit: last = null } = known.findLast((row) => row.state === 'present') ?? {};
  // One that returns after it was deleted has moved, wherever it leads.
  return commit === last && before?.state === 'present' ? null : last;
}

/** Whether it is known of the ref itself where it led: of a repository that cannot be seen it is not. */
const isKnown = ({ state }: Pick<RefTarget, 'state'>): boolean => state === 'present' || state === 'gone';

/** What follows from the rows alone; null where the two commits have to be compared. */
function findMoveClass(
  history: readonly LedgerRow[],
  { state, commit }: RefTarget,
  isOtherRepository: boolean,
): MoveClass | null {
  if (state !== 'present') return 'gone';
  if (isOtherRepository) return 'rewritten';
  return history.some((row) => row.commit === commit) ? 'back' : null;
}

/** What the comparison of the new commit with the one before says of a move; null where they cannot be compared. */
export const toMoveClass = (comparison: string | null): MoveClass =>
  comparison === 'ahead' || comparison === 'identical' ? 'forward' : 'rewritten';

/**
 * Whether a move is not what maintainers do: the ref was force-moved, or a tag that stands for one version moved at all.
 * null where that depends on a comparison that was not made yet. A ref that was deleted runs no other code.
 */
export function isAlarming(
  { commit, previousCommit, moveClass }: LedgerRow,
  isFullVersionTag: boolean,
): boolean | null {
  const hasMoved = previousCommit !== null && commit !== null && commit !== previousCommit;
  if (!hasMoved) return false;
  if (isFullVersionTag || moveClass === 'rewritten') return true;
  return moveClass === null ? null : false;
}

/** When nothing is known of a ref from its first readable observation until now. `rows` are oldest first. */
export function findGaps(rows: readonly LedgerRow[], now: Instant): { from: Instant; to: Instant }[] {
  const readable = rows.filter(isReadable);
  return readable.flatMap((row, index) => {
    const to = readable[index + 1]?.observedFrom ?? now;
    return to - row.observedTo <= maxGapMs ? [] : { from: row.observedTo, to };
  });
}

/** Whether an observation brought something. */
export const isReadable = ({ state }: Pick<LedgerRow, 'state'>): boolean => state !== 'unreadable';
