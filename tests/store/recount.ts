import { runStatuses, type WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { StoredRun } from '../../server/store/stored-run.ts';
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
export const recount = (runs: StoredRun[], timezone: string): DailyCounts[] => countDays(runs, timezone, p95);

/** The same for several repositories, whose percentile is that of a histogram. */
export const recountMany = (runs: StoredRun[], timezone: string): DailyCounts[] => countDays(runs, timezone, merged95);

type Percentile = (durations: number[]) => number | null;

function countDays(runs: StoredRun[], timezone: string, percentile: Percentile): DailyCounts[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  const days = Map.groupBy(runs, (one) => format.format(one.createdAt));
  return [...days]
    .map(([date, of]) => ({ date, ...countsOf(of, percentile) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

function countsOf(runs: StoredRun[], percentile: Percentile) {
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
    p95DurationMs: percentile(durations),
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

/** The middle of the 5 % wide step that 95 of 100 do not exceed. */
function merged95(values: number[]): number | null {
  const steps = values.map((one) => Math.floor(Math.log(one) / Math.log(1.05))).sort((a, b) => a - b);
  const step = steps[Math.ceil((steps.length * 19) / 20) - 1];
  return step === undefined ? null : Math.round(Math.exp((step + 0.5) * Math.log(1.05)));
}
