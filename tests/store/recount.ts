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
      // Whoever awaits approval has not ended.
      const ended = states.filter((one) => one.status === 'completed' && one.conclusion !== 'action_required');
      const completions = ended.map((one) => one.updatedAt);
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
    ...typical(durations, percentile(durations)),
  };
}

const average = (values: number[]) =>
  values.length === 0 ? null : Math.round(values.reduce((sum, one) => sum + one, 0) / values.length);

const p95 = (values: number[]): number | null => between(values, 0.95);

/** Between the two neighbours, as percentile_cont does. */
function between(values: number[], q: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return null;
  return Math.round(below + (above - below) * (place - Math.floor(place)));
}

/** The middle of the 5 % wide step that 95 of 100 do not exceed; a single value is itself. */
function merged95(values: number[]): number | null {
  if (values.length === 1) return values[0] ?? null;
  const steps = values.map(stepOf).sort((a, b) => a - b);
  const step = steps[Math.ceil((steps.length * 19) / 20) - 1];
  return step === undefined ? null : Math.round(middleOf(step));
}

/** Quantiles of the middles of steps, a single value as it is; none is above the next. */
function typical(values: number[], p95DurationMs: number | null) {
  const middles = values.length === 1 ? values : values.map((one) => middleOf(stepOf(one)));
  const of = (q: number) => between(middles, q) ?? Number.NaN;
  if (p95DurationMs === null) return { medianDurationMs: null, p90DurationMs: null, p95DurationMs };
  const p90DurationMs = Math.min(of(0.9), p95DurationMs);
  return { medianDurationMs: Math.min(of(0.5), p90DurationMs), p90DurationMs, p95DurationMs };
}

const stepOf = (value: number) => Math.floor(Math.log(value) / Math.log(1.05));
const middleOf = (step: number) => Math.exp((step + 0.5) * Math.log(1.05));
