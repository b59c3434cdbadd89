import { runStatuses, type WorkflowRun } from '../../server/metrics/facts.ts';
import type { StoredRun } from '../../server/store/run-columns.ts';
import type { DailyCounts } from '../../server/store/trends.ts';

/** The plain reading of what the store must hold of every attempt: latest state, first completion. */
export function expectedAttempts(seen: WorkflowRun[]) {
  const rank = (one: WorkflowRun) => [one.updatedAt, runStatuses.indexOf(one.status)] as const;
  const attempts = Map.groupBy(seen, (one) => `${one.id}/${one.attempt}`);
  return [...attempts.values()]
    .map((states) => {
      const last = states.toSorted((a, b) => rank(b)[0] - rank(a)[0] || rank(b)[1] - rank(a)[1])[0] as WorkflowRun;
      const completions = states.filter((one) => one.status === 'completed').map((one) => one.updatedAt);
      return {
        id: last.id,
        attempt: last.attempt,
        status: last.status,
        updatedAt: last.updatedAt,
        completedAt: completions.length > 0 ? Math.min(...completions) : null,
      };
    })
    .sort((a, b) => a.id - b.id || a.attempt - b.attempt);
}

/** Counts runs by their local day, the slow way. */
export function recount(runs: StoredRun[], timezone: string): DailyCounts[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  const days = Map.groupBy(runs, (one) => format.format(one.createdAt));
  return [...days].map(([date, of]) => ({ date, ...countsOf(of) })).sort((a, b) => (a.date < b.date ? -1 : 1));
}

function countsOf(runs: StoredRun[]) {
  const ended = (...as: string[]) => runs.filter((one) => as.includes(one.conclusion ?? '')).length;
  const durations = runs.flatMap((one) => ((one.durationMs ?? 0) > 0 ? [one.durationMs as number] : []));
  const waits = runs.flatMap((one) => (one.queueWaitMs === null ? [] : [one.queueWaitMs]));
  const success = ended('success');
  const failure = ended('failure', 'timed_out', 'startup_failure');
  const cancelled = ended('cancelled');
  return {
    total: runs.length,
    success,
    failure,
    cancelled,
    other: runs.length - success - failure - cancelled,
    avgDurationMs: average(durations),
    avgQueueMs: average(waits),
    p95DurationMs: p95(durations),
  };
}

const average = (values: number[]) =>
  values.length === 0 ? null : Math.round(values.reduce((sum, one) => sum + one, 0) / values.length);

/** Between the two neighbours, as percentile_cont does. */
function p95(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const place = 0.95 * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return null;
  return Math.round(below + (above - below) * (place - Math.floor(place)));
}
