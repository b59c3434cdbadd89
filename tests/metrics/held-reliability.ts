import { ciRecovery, findRedPeriods } from '../../server/metrics/runs/ci-recovery.ts';
import { commitOutcomes } from '../../server/metrics/runs/flaky.ts';
import {
  averageQueueWait,
  delayedRuns,
  highQueueWait,
  queueWait,
  scopeQueueWait,
  slowQueueWait,
  wastedQueue,
} from '../../server/metrics/runs/queue-delays.ts';
import { flakyCost, rerunRate } from '../../server/metrics/runs/reruns.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { conclusive, isAfter, latest, naiveWaits, passed, roundPercent } from './naive.ts';
import { naiveFraction, naiveMean } from './naive-people.ts';
import { minute, type World } from './worlds.ts';

/** The metrics of recovery, re-runs and the queue. */
export function heldReliability({ attempts, now }: World): HeldMetrics {
  const main = attempts.filter((run) => run.headBranch === 'main' && run.event !== 'pull_request');
  const queued = queuedRuns(attempts);
  const waits = naiveWaits(latest(queued));
  const long = waits.filter((wait) => wait > 5 * minute);
  return {
    ciRecovery: [true, false].map((isComplete) =>
      held(ciRecovery, findRedPeriods(main, isComplete), naiveFraction(naiveRecoveries(main, isComplete), 1, 2, 1, 0)),
    ),
    flakyCost: [held(flakyCost, commitOutcomes(attempts, now), naiveFlakyCost(attempts, now))],
    rerunRate: [held(rerunRate, attempts, naiveRerunRate(attempts))],
    delayedRuns: [held(delayedRuns, queued, waits.length === 0 ? null : long.length)],
    wastedQueue: [held(wastedQueue, queued, waits.length === 0 ? null : total(long))],
    queueWait: [held(queueWait, queued, naiveFraction(waits, 1, 2, 1, 0))],
    scopeQueueWait: [held(scopeQueueWait, queued, naiveFraction(waits, 1, 2, 1, 0))],
    highQueueWait: [held(highQueueWait, queued, naiveFraction(waits, 9, 10, 1, 0))],
    averageQueueWait: [held(averageQueueWait, queued, naiveMean(waits, 1, 0))],
    slowQueueWait: [held(slowQueueWait, queued, naiveFraction(waits, 19, 20, 1, 0))],
  };
}

/** The same runs, created up to twelve minutes before they started. */
export const queuedRuns = (attempts: readonly MeasuredRun[]) =>
  attempts.map((run) => ({ ...run, createdAt: run.createdAt - (run.id % 7) * 2 * minute }));

/** From every failure with no failure right before it to the first pass that ended after it. */
function naiveRecoveries(runs: MeasuredRun[], isComplete: boolean): number[] {
  const known = conclusive(runs);
  const endsAfter = (run: MeasuredRun, other: MeasuredRun) =>
    isAfter({ ...run, startedAt: run.updatedAt }, { ...other, startedAt: other.updatedAt });
  return known.flatMap((bad) => {
    const before = known.filter((run) => endsAfter(bad, run));
    const rightBefore = before.find((run) => before.every((other) => other === run || endsAfter(run, other)));
    if (passed(bad) || (rightBefore ? !passed(rightBefore) : !isComplete)) return [];
    const passes = known.filter((run) => passed(run) && endsAfter(run, bad));
    return passes.length === 0 ? [] : [Math.min(...passes.map((run) => run.updatedAt)) - bad.updatedAt];
  });
}

function naiveFlakyCost(attempts: MeasuredRun[], now: number): number {
  const known = conclusive(attempts).filter((run) => run.createdAt <= now && run.createdAt >= now - 30 * 1440 * minute);
  const sameCode = (a: MeasuredRun, b: MeasuredRun) =>
    a.workflowId === b.workflowId && a.headSha === b.headSha && a.event === b.event;
  const lost = known.filter(
    (bad) => !passed(bad) && known.some((good) => passed(good) && sameCode(good, bad) && isAfter(good, bad)),
  );
  return total(lost.map((run) => run.updatedAt - (run.startedAt ?? run.updatedAt)));
}

function naiveRerunRate(attempts: MeasuredRun[]): number | null {
  const ids = [...new Set(attempts.map(({ id }) => id))];
  return roundPercent(ids.filter((id) => attempts.some((run) => run.id === id && run.attempt > 1)).length, ids.length);
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
