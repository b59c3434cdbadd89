import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { isReadable, type LedgerRow, maxGapMs } from '../../metrics/security/ref-ledger.ts';
import { isCommitId } from '../../scan/action-uses.ts';
import type { PresentUse } from '../../store/action-inventory.ts';
import type { ActionInventory } from './schema.ts';

type LedgerState = Domain<typeof ActionInventory>['ledger'];

/** How far the ledger is complete for the refs of these uses; those that the caller may not see are unreadable. */
export function summarizeLedger(uses: readonly PresentUse[], histories: ReadonlyMap<number, LedgerRow[]>): LedgerState {
  const movable = [...new Map(uses.map((use) => [use.refId, use])).values()].filter(
    ({ ref, kind }) => kind !== 'image' && !isCommitId(ref),
  );
  const hidden = movable.filter(({ isHidden }) => isHidden).length;
  const known = movable.map(({ refId }) => histories.get(refId) ?? []);
  const starts = known.flatMap((history) => history.find(isReadable)?.observedFrom ?? []);
  const unreadable = hidden + known.filter((history) => history.at(-1)?.state === 'unreadable').length;
  const ends = known.flatMap((history) => history.at(-1) ?? []).filter(isReadable);
  const isComplete = ends.length > 0 && ends.length + unreadable === movable.length;
  return {
    startedAt: starts.length === 0 ? null : Math.min(...starts),
    completeAt: isComplete ? Math.min(...ends.map(({ observedTo }) => observedTo)) : null,
    refs: movable.length,
    unreadable,
  };
}

/** Whether every ref that can be read was observed of late. */
export const isCurrent = ({ refs, completeAt }: LedgerState, now: Instant): boolean =>
  refs === 0 || (completeAt !== null && now - completeAt <= maxGapMs);
