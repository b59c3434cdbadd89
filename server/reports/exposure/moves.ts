import type { Instant } from '../../metrics/kernel/facts.ts';
import { isAlarming, type LedgerRow, type MoveClass } from '../../metrics/security/ref-ledger.ts';
import { isFullVersion } from '../../scan/action-versions.ts';

/** A ref that led to another commit than before, or to none. */
export interface Move {
  /** When it was first seen there. */
  at: Instant;
  moveClass: MoveClass | null;
  from: string;
  to: string | null;
  alarming: boolean;
}

/** The moves of a ref, oldest first, as its observations show them. */
export const listMoves = (ref: string, history: readonly LedgerRow[]): Move[] =>
  history.flatMap((row) => {
    const { observedFrom: at, previousCommit: from, commit: to, moveClass } = row;
    return from === null ? [] : [{ at, moveClass, from, to, alarming: isAlarmingFor(ref, row) }];
  });

/** Whether a row of a ref is a move that maintainers do not make. */
export const isAlarmingFor = (ref: string, row: LedgerRow): boolean => isAlarming(row, isFullVersion(shortName(ref)));

/** A ref without what tells tags and branches apart. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(?:tags|heads)\//, '');
