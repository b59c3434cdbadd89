import type { Instant } from '../kernel/facts.ts';
import { hourMs } from '../kernel/window.ts';

/**
 * `gone`: the repository has no such ref. `repository_gone`: the repository cannot be seen any more. `unreadable`: nothing
 * is known, also of a repository that was never seen.
 */
export const refStates = ['present', 'gone', 'repository_gone', 'unreadable'] as const;
export type RefState = (typeof refStates)[number];

/**
 * How a ref moved. `forward`: the previous commit is an ancestor. `rewritten`: it is not. `gone`: the ref was
 * deleted. `back`: to a commit where the ref was before.
 */
export const moveClasses = ['forward', 'rewritten', 'gone', 'back'] as const;
export type MoveClass = (typeof moveClasses)[number];

/**
 * Why a move is not what maintainers do; `none` for one that is. `other_repository`: the name passed to another
 * repository. `immutable_release`: the tag was that of an immutable release. `full_version`: a tag that stands for one
 * version moved. `rewritten`: the previous commit is not an ancestor. `returned`: returned to a commit that an alarming
 * move led to. `on_no_branch`: no branch leads to the new commit.
 */
export const moveAlarms = [
  'none',
  'other_repository',
  'immutable_release',
  'full_version',
  'rewritten',
  'returned',
  'on_no_branch',
] as const;
export type MoveAlarm = (typeof moveAlarms)[number];

/** Where a ref led when it was observed. */
export interface RefTarget {
  state: RefState;
  /** null where the state is not `present`. */
  commit: string | null;
  /** The id of the tag itself, where it has a message. */
  tagObject: string | null;
  /** The platform's id of the repository that had the name; null where it was not read. */
  codehostId: number | null;
  /** The name of that repository in lower case: another than the written one where it was renamed. */
  repository: string | null;
}

/** Where a ref led from one observation to another, with nothing else observed between the two. */
export interface LedgerRow extends RefTarget {
  observedFrom: Instant;
  observedTo: Instant;
  /** The commit before, where this row is a move; null for every other. */
  previousCommit: string | null;
  /** null also for a move of which it is not known yet. */
  moveClass: MoveClass | null;
  /** null also for a move of which it is not known yet. */
  alarm: MoveAlarm | null;
  /** When it became known whether the move is alarming; null while it is not known, and for what is no move. */
  judgedAt: Instant | null;
}

/** An observation later than this after the last leaves a gap, in which the ref may have been anywhere. */
export const maxGapMs = 26 * hourMs;

/**
 * The row that an observation writes: the newest one, extended, or one more; null when it writes nothing, because it is
 * not newer. `history` are the newest rows of the ref, oldest first.
 */
export function recordTarget(history: readonly LedgerRow[], target: RefTarget, at: Instant): LedgerRow | null {
  const newest = history.at(-1);
  if (newest && at <= newest.observedTo) return null;
  if (newest && isSame(newest, target) && at - newest.observedTo <= maxGapMs) return { ...newest, observedTo: at };
  const previousCommit = findPreviousCommit(history, target);
  const moveClass = previousCommit === null ? null : findMoveClass(history, target);
  return { ...target, observedFrom: at, observedTo: at, previousCommit, moveClass, alarm: null, judgedAt: null };
}

const isSame = (one: RefTarget, other: RefTarget): boolean =>
  one.state === other.state &&
  one.commit === other.commit &&
  one.tagObject === other.tagObject &&
  one.codehostId === other.codehostId &&
  one.repository === other.repository;

/** The commit that a ref has left; null where it has not, as far as it was observed. */
function findPreviousCommit(history: readonly LedgerRow[], target: RefTarget): string | null {
  if (!isKnown(target)) return null;
  const before = history.findLast(isKnown);
  if (target.state === 'gone') return before?.commit ?? null;
  const { commit: last = null } = history.findLast(isPresent) ?? {};
  // One that returns after it was deleted has moved, wherever it leads; one of another repository has too.
  const hasStayed = target.commit === last && before?.state === 'present' && !isOfOther(history, target);
  return hasStayed ? null : last;
}

const isPresent = ({ state }: Pick<RefTarget, 'state'>): boolean => state === 'present';

/** Whether the name passed to another repository since the ref was last there. */
function isOfOther(history: readonly LedgerRow[], { codehostId }: RefTarget): boolean {
  const before = history.findLast(isPresent)?.codehostId ?? null;
  return codehostId !== null && before !== null && codehostId !== before;
}

/** Whether it is known of the ref itself where it led: of a repository that cannot be seen it is not. */
const isKnown = ({ state }: Pick<RefTarget, 'state'>): boolean => state === 'present' || state === 'gone';

/** What follows from the rows alone; null where the two commits have to be compared. */
function findMoveClass(history: readonly LedgerRow[], target: RefTarget): MoveClass | null {
  if (target.state !== 'present') return 'gone';
  if (isOfOther(history, target)) return 'rewritten';
  return history.some((row) => row.commit === target.commit) ? 'back' : null;
}

/** What the comparison of the new commit with the one before says of a move; null where they cannot be compared. */
export function toMoveClass(comparison: string | null): MoveClass | null {
  if (comparison === null) return null;
  return comparison === 'ahead' || comparison === 'identical' ? 'forward' : 'rewritten';
}

/** What is known of a ref and of its move beside the rows. */
export interface MoveFacts {
  isFullVersionTag: boolean;
  /** Whether the commit before was that of an immutable release of this tag. */
  wasImmutable: boolean;
  /** Whether a branch leads to the new commit; null where that is not known. */
  isOnBranch: boolean | null;
}

/**
 * Why a move is alarming; null where that depends on something that is not known yet. A ref that was deleted runs no
 * other code. `before` are the newest rows before the move, oldest first.
 */
export function findAlarm(row: LedgerRow, before: readonly LedgerRow[], facts: MoveFacts): MoveAlarm | null {
  const { commit, previousCommit, moveClass } = row;
  if (commit === null || previousCommit === null) return 'none';
  if (isOfOther(before, row)) return 'other_repository';
  if (commit === previousCommit) return 'none';
  if (facts.wasImmutable) return 'immutable_release';
  if (facts.isFullVersionTag) return 'full_version';
  if (moveClass === 'rewritten') return 'rewritten';
  if (moveClass === 'back') return findAlarmOfReturn(commit, before);
  if (moveClass === null || facts.isOnBranch === null) return null;
  return facts.isOnBranch ? 'none' : 'on_no_branch';
}

/** A return is as bad as the move that led to the commit first. */
function findAlarmOfReturn(commit: string, before: readonly LedgerRow[]): MoveAlarm | null {
  const moves = before.filter((row) => row.commit === commit && row.previousCommit !== null);
  if (moves.some(isAlarming)) return 'returned';
  return moves.some(({ alarm }) => alarm === null) ? null : 'none';
}

/** Whether a row is a move that maintainers do not make; null where that is not known yet. */
export const isAlarming = ({ previousCommit, alarm }: Pick<LedgerRow, 'previousCommit' | 'alarm'>): boolean | null =>
  previousCommit === null ? false : alarm === null ? null : alarm !== 'none';

/** When nothing is known of a ref from its first readable observation until now. `rows` are oldest first. */
export function findGaps(rows: readonly LedgerRow[], now: Instant): { from: Instant; to: Instant }[] {
  const readable = rows.filter(isReadable);
  return readable.flatMap((row, index) => {
    const to = readable[index + 1]?.observedFrom ?? now;
    return to - row.observedTo <= maxGapMs ? [] : { from: row.observedTo, to };
  });
}

/** Whether an observation found something. */
export const isReadable = ({ state }: Pick<LedgerRow, 'state'>): boolean => state !== 'unreadable';
