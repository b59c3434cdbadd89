import type { RecordedAttempt } from '../../advisor/history.ts';
import { dayOf } from '../../advisor/replay/days.ts';
import { coveredDaysBetween } from '../../advisor/usable-window.ts';
import { measureDays } from '../../advisor/verdict/measured-days.ts';
import { type Measure, unitsOf } from '../../advisor/verdict/measures.ts';
import { baselineOf, hasDenominator, isMeasured, type ProposedChange } from '../../advisor/verdict/proposed.ts';
import {
  advance,
  afterFrom,
  beginPresence,
  beginVerdict,
  checkPresence,
  isGain,
  unknownVerdict,
  type Verdict,
  type Withdrawal,
} from '../../advisor/verdict/verdict.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { StoredVerdict } from '../../store/advisor-verdicts.ts';

/** The result of a change that was merged, with what was measured before; `together` are the changes made with it. */
export function beginOf(
  change: ProposedChange,
  recorded: Parameters<typeof baselineOf>[1],
  together: readonly ProposedChange[],
): Verdict {
  const { startAt } = recorded;
  if (!isMeasured(change)) return beginPresence(startAt);
  const baseline = baselineOf(change, recorded);
  if (!baseline) return unknownVerdict(startAt, change.promised, 'history_too_short');
  return hasDenominator(change, together, recorded)
    ? beginVerdict(startAt, change.promised, baseline)
    : unknownVerdict(startAt, change.promised, 'no_denominator');
}

/** What is known when a change is looked at. */
interface Seen {
  /** All that are known since the change, of all workflows of the repository. */
  attempts: readonly RecordedAttempt[];
  /** Why the change is not in place any more; null where it is. */
  withdrawn: Withdrawal | null;
  now: Instant;
  defaultBranch: string;
}

/** A gain that was kept is measured on through later edits, so that one that takes it back shows as a loss. */
const endsFollowing = ({ state }: Verdict, withdrawn: Withdrawal | null): boolean =>
  isGain(state) ? withdrawn === 'disabled' : withdrawn !== null;

/** Makes the looks at a merged change that are due by now. */
export function lookAt(
  { change, verdict }: Pick<StoredVerdict, 'change' | 'verdict'>,
  { attempts, withdrawn, now, defaultBranch }: Seen,
): Verdict {
  const { baseline } = verdict;
  if (baseline === null || endsFollowing(verdict, withdrawn)) return checkPresence(verdict, withdrawn, now);
  const from = afterFrom(verdict.startAt);
  const days = coveredDaysBetween(attempts, from, now);
  const covered = new Set(days);
  const within = attempts.filter((one) => one.jobs !== null && covered.has(dayOf(one)));
  const recorded = { attempts: within, days, defaultBranch };
  const measured = (measure: Measure) => measureDays(unitsOf(measure, recorded), recorded.days);
  const aftermath = {
    own: measured(baseline.measure),
    control: baseline.control && measured(baseline.control.measure),
  };
  // Those that are judged together draw the same.
  const judged = [change, ...(change.others ?? [])].map(({ id }) => id).sort();
  return advance({ ...verdict, baseline }, aftermath, now, judged);
}
