import type { Instant } from '../../../metrics/kernel/facts.ts';
import { isAlarming, isReadable, type LedgerRow, maxGapMs } from '../../../metrics/security/ref-ledger.ts';
import { classifyCommit, type Suspect } from './suspect.ts';
import type { Likelihood, Reason } from './verdict.ts';

interface Position {
  /** null where an observation of the compromised commit covers the instant: then only the log is missing. */
  reason: Extract<Reason, 'between_observations' | 'ledger_gap'> | null;
  likelihood: Likelihood;
}

/**
 * What the observations of a ref around an instant say of where it led: never that it did not lead to a compromised
 * commit, which may have come and gone between two of them. `isOlder`: whether a commit was seen before the time of the
 * suspect.
 */
export function findPosition(
  suspect: Suspect,
  { ref, history }: { ref: string; history: readonly LedgerRow[] },
  at: Instant,
  isOlder: (commit: string) => boolean,
): Position {
  const rows = history.filter(isReadable);
  const before = rows.findLast(({ observedFrom }) => observedFrom <= at);
  const isCovered = before !== undefined && at <= before.observedTo;
  const after = isCovered ? before : rows.find(({ observedFrom }) => observedFrom > at);
  const classify = (row: LedgerRow | undefined) =>
    row?.commit
      ? classifyCommit(suspect, ref, { ...row, commit: row.commit, isOlder: isOlder(row.commit) })
      : 'unknown';
  const [earlier, later] = [classify(before), classify(after)];
  const isNear = before && after && (isCovered || after.observedFrom - before.observedTo <= maxGapMs);
  if (isCovered && earlier === 'suspect') return { reason: null, likelihood: 'likely' };
  const reason = isNear ? 'between_observations' : 'ledger_gap';
  const isMoved = !isCovered && after !== undefined && isAlarming(after) === true;
  if (earlier === 'suspect' || later === 'suspect' || isMoved) return { reason, likelihood: 'likely' };
  const isClean = isNear && earlier === 'clean' && later === 'clean';
  return { reason, likelihood: isClean ? 'unlikely' : 'open' };
}
