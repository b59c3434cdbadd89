import type { Instant } from '../../metrics/kernel/facts.ts';
import { isAlarming, type LedgerRow, type MoveClass } from '../../metrics/security/ref-ledger.ts';
import { isFullVersion } from '../../scan/action-versions.ts';
import type { PresentUse } from '../../store/action-inventory.ts';

/** A ref that led to another commit than before, or to none. */
export interface Move {
  /** When it was first seen there. */
  at: Instant;
  moveClass: MoveClass | null;
  from: string;
  to: string | null;
  /** null where it was not compared yet. */
  alarming: boolean | null;
}

/** The moves of a ref, oldest first, as its observations show them. */
export const listMoves = (ref: NamedRef, history: readonly LedgerRow[]): Move[] =>
  history.flatMap((row) => {
    const { observedFrom: at, previousCommit: from, commit: to, moveClass } = row;
    return from === null ? [] : [{ at, moveClass, from, to, alarming: isAlarmingFor(ref, row) }];
  });

/** A ref as written, and whether it is a branch where that is known. */
type NamedRef = Pick<PresentUse, 'ref' | 'isBranch'>;

/** Whether a row of a ref is a move that maintainers do not make; null where it was not compared yet. */
export const isAlarmingFor = ({ ref, isBranch }: NamedRef, row: LedgerRow): boolean | null =>
  isAlarming(row, isBranch !== true && isFullVersion(shortName(ref)));

/** A ref without what tells tags and branches apart. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(?:tags|heads)\//, '');
