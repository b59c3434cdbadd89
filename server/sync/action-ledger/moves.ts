import { dayMs } from '../../metrics/kernel/window.ts';
import { findAlarm, type LedgerRow, toMoveClass } from '../../metrics/security/ref-ledger.ts';
import { shortRefName } from '../../scan/action-uses.ts';
import { isFullVersion } from '../../scan/action-versions.ts';
import type { UnjudgedMove } from '../../store/action-ledger.ts';
import { passOver } from './problems.ts';
import type { LedgerContext } from './run.ts';

/** As long as pages and alerts count moves; what could not be compared by then is not tried again. */
const triedForMs = 90 * dayMs;

export interface MovesResult {
  /** Moves of which it is now known whether they are alarming. */
  compared: number;
  /** Moves of which it could not be found out this time. */
  notCompared: number;
  /** false when the time was up before all were compared. */
  complete: boolean;
}

/**
 * Finds out of each move of so long that is not judged yet how the ref moved and whether that is alarming, and stores it; what
 * cannot be found out is tried again with the next reading.
 */
export async function judgeMoves(context: LedgerContext, withinMs = triedForMs): Promise<MovesResult> {
  const { store, services, signal, mayContinue } = context;
  const result: MovesResult = { compared: 0, notCompared: 0, complete: true };
  const moves = await store.actionLedger.unjudgedMoves(services.clock.now() - withinMs);
  const releases = await store.actionLedger.releases([...new Set(moves.map(({ actionKey }) => actionKey))]);
  // A later move may go back to a commit of an earlier one.
  const judged = new Map<string, LedgerRow>();
  const toKey = (id: number, { observedFrom }: LedgerRow) => `${id} ${observedFrom}`;
  for (const move of moves) {
    if (!mayContinue()) return { ...result, complete: false };
    const wasImmutable = releases.some(
      ({ actionKey, tag, commit, immutable }) =>
        immutable === true &&
        actionKey === move.actionKey &&
        tag === shortRefName(move.ref) &&
        commit === move.row.previousCommit,
    );
    const before = move.before.map((row) => judged.get(toKey(move.id, row)) ?? row);
    const row = await judge(context, { ...move, before }, wasImmutable);
    signal.throwIfAborted();
    if (row.moveClass !== null) await store.actionLedger.judge(move, row.moveClass, row.alarm, services.clock.now());
    judged.set(toKey(move.id, row), row);
    if (row.alarm === null) result.notCompared += 1;
    else result.compared += 1;
  }
  return result;
}

async function judge(context: LedgerContext, move: UnjudgedMove, wasImmutable: boolean): Promise<LedgerRow> {
  const moveClass = move.row.moveClass ?? (await compare(context, move));
  const row = { ...move.row, moveClass };
  const facts = { wasImmutable, isFullVersionTag: move.isBranch !== true && isFullVersion(shortRefName(move.ref)) };
  const alarm = findAlarm(row, move.before, { ...facts, isOnBranch: move.isBranch === true ? true : null });
  if (alarm !== null || moveClass !== 'forward') return { ...row, alarm };
  return { ...row, alarm: findAlarm(row, move.before, { ...facts, isOnBranch: await findBranch(context, move) }) };
}

const toName = ({ actionKey }: UnjudgedMove) => {
  const [owner = '', repo = ''] = actionKey.split('/');
  return { owner, repo };
};

/** null where it could not be found out this time. */
async function compare({ codehost }: LedgerContext, move: UnjudgedMove) {
  const { commit, previousCommit } = move.row;
  if (commit === null || previousCommit === null) return null;
  return codehost.compareCommits(toName(move), previousCommit, commit).then(toMoveClass, nothing);
}

const findBranch = async ({ codehost }: LedgerContext, move: UnjudgedMove) =>
  move.row.commit === null ? null : codehost.isOnBranch(toName(move), move.row.commit).catch(nothing);

/** @throws what ends the reading. */
function nothing(error: unknown): null {
  passOver(error);
  return null;
}
