import type { Instant } from '../kernel/facts.ts';
import { metric } from '../kernel/metric.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import { median } from '../kernel/statistics.ts';
import { distinctAttempts, type MeasuredRun } from './workflow-runs.ts';

/** A time in which the newest result of a branch was a failure. */
export interface RedPeriod {
  failed: MeasuredRun;
  /** The end of the first failure. */
  failedAt: Instant;
  /** Failed attempts in it. */
  failures: number;
  /** null while nothing passed since. */
  recovered: MeasuredRun | null;
  recoveredAt: Instant | null;
  /** Nothing that passed is known before it, so that it may have begun earlier. */
  mayBeLonger: boolean;
}

/**
 * The failing periods of one branch from every known attempt of its runs, oldest first. `isComplete`: there are no
 * older runs.
 */
export function findRedPeriods(attempts: readonly MeasuredRun[], isComplete: boolean): RedPeriod[] {
  const ended = distinctAttempts(attempts).filter(isConclusive).sort(byEnd);
  const periods: RedPeriod[] = [];
  let open: RedPeriod | null = null;
  for (const [index, run] of ended.entries()) {
    const at = getRunEnd(run);
    if (getOutcome(run) === 'pass') {
      if (open) Object.assign(open, { recovered: run, recoveredAt: at });
      open = null;
    } else if (open) {
      open.failures += 1;
    } else {
      const mayBeLonger = index === 0 && !isComplete;
      open = { failed: run, failedAt: at, failures: 1, recovered: null, recoveredAt: null, mayBeLonger };
      periods.push(open);
    }
  }
  return periods;
}

/** From the end of the first failure to the end of the next pass. */
export const ciRecovery = metric<RedPeriod>({
  key: 'ci_recovery',
  label: 'Time to recovery',
  unit: 'milliseconds',
  better: 'lower',
  source: 'failing periods of the default branch that ended',
  definition:
    'Median time from the end of the first failure on the default branch to the end of the next run that passed. ' +
    'Cancelled and skipped runs are ignored.',
  counts: ({ recoveredAt, mayBeLonger }) => {
    if (recoveredAt === null) return 'not recovered yet';
    return mayBeLonger ? 'started with or before the oldest loaded run' : true;
  },
  value: (periods) => median(periods.flatMap(getRecoveryTimes)),
});

/** Milliseconds; none while it lasts. */
export function getRecoveryTimes({ failedAt, recoveredAt }: RedPeriod): number[] {
  return recoveredAt === null ? [] : [recoveredAt - failedAt];
}

/** When a completed attempt ended, as well as it is known. */
export function getRunEnd(run: MeasuredRun): Instant {
  return run.completedAt ?? run.updatedAt;
}

function byEnd(a: MeasuredRun, b: MeasuredRun): number {
  return getRunEnd(a) - getRunEnd(b) || a.id - b.id || a.attempt - b.attempt;
}
