import { quantile } from '../../metrics/kernel/statistics.ts';
import type { RecordedAttempt } from '../history.ts';

const longWaitMs = 60_000;
const smallShare = 0.02;

/** Whether jobs wait for runners, so that other times of some would make others wait. Contract of the advisor, 3.5. */
export function isContended(attempts: readonly RecordedAttempt[]): boolean {
  const jobs = attempts.flatMap((one) => one.jobs ?? []).filter(({ isTaken }) => isTaken);
  const pools = Map.groupBy(jobs, ({ labels, runnerGroup }) => JSON.stringify([labels.toSorted(), runnerGroup]));
  return [...pools.values()].some((pool) => {
    const waits = pool.map(({ createdAt, startedAt }) => Math.max(0, (startedAt ?? 0) - (createdAt ?? startedAt ?? 0)));
    const worked = pool.reduce((sum, one) => sum + (one.completedAt ?? 0) - (one.startedAt ?? 0), 0);
    const waited = waits.reduce((sum, one) => sum + one, 0);
    return (quantile(waits, 0.95) ?? 0) > longWaitMs && waited > smallShare * worked;
  });
}
