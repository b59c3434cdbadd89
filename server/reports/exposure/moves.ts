import type { Instant } from '../../metrics/kernel/facts.ts';
import { isAlarming, type LedgerRow, type MoveAlarm, type MoveClass } from '../../metrics/security/ref-ledger.ts';

/** A ref that led to another commit than before, to another repository, or to none. */
export interface Move {
  /** When it was first seen there. */
  at: Instant;
  moveClass: MoveClass | null;
  from: string;
  to: string | null;
  /** null where that is not known yet. */
  alarming: boolean | null;
  alarm: MoveAlarm | null;
}

/** The moves of a ref, oldest first, as its observations show them. */
export const listMoves = (history: readonly LedgerRow[]): Move[] =>
  history.flatMap((row) => {
    const { observedFrom: at, previousCommit: from, commit: to, moveClass, alarm } = row;
    return from === null ? [] : [{ at, moveClass, from, to, alarming: isAlarming(row), alarm }];
  });
