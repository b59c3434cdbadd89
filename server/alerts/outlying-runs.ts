import type { Instant } from '../metrics/kernel/facts.ts';
import { isOutlier, outlierPast } from '../metrics/kernel/outliers.ts';
import { endedBy, type RunHistory, settledAt } from '../metrics/runs/history.ts';
import { getQueueWait } from '../metrics/runs/queue-wait.ts';
import { getDuration, type MeasuredRun } from '../metrics/runs/workflow-runs.ts';
import type { Range } from './metric.ts';
import { lookBackMs, lookBackRuns, type RunFacts, type RunSource, runsWithPast } from './run-facts.ts';

/** Runs together with what they are held against. */
export interface OutlierFacts extends RunFacts {
  /** By the run's id. */
  places: ReadonlyMap<number, Place>;
}

/** A run among those of its workflow. */
interface Place {
  run: RunHistory;
  /** The runs before it, oldest first, as far as they are looked at. */
  before: readonly RunHistory[];
  /** From then on the verdict stays as it is. */
  settledAt: Instant;
  settled: boolean | null;
}

/** Runs of a range, each with the runs of its workflow that came before it. */
export async function runsWithPlaces(range: Range, source: RunSource): Promise<OutlierFacts> {
  const facts = await runsWithPast(range, source);
  const workflows = Map.groupBy(facts.runs, ({ workflowId }) => workflowId);
  const places = [...workflows.values()].flatMap(toPlaces);
  return { ...facts, places: new Map(places.map((place) => [place.run.id, place])) };
}

/**
 * Whether a run that had ended by then is an outlier in its duration or, upwards, in its wait for a runner, beside the
 * twenty runs of its workflow before it that took time. null when too little is known of them.
 */
export function isOutlying({ places }: OutlierFacts, { id }: MeasuredRun, at: Instant): boolean | null {
  const place = places.get(id);
  if (!place) return null;
  return at < place.settledAt ? verdictOn(place, at) : place.settled;
}

function toPlaces(runs: readonly RunHistory[]): Place[] {
  const settled = runs.map(settledAt);
  return runs.map((run, index) => {
    const first = firstWithin(runs, index);
    const before = runs.slice(first, index);
    const at = Math.max(...settled.slice(first, index + 1));
    return { run, before, settledAt: at, settled: verdictOn({ run, before }, at) };
  });
}

/** Where the runs begin that the one at this place is held against. */
function firstWithin(runs: readonly RunHistory[], index: number): number {
  const from = (runs[index] as RunHistory).createdAt - lookBackMs;
  let first = Math.max(0, index - lookBackRuns);
  while ((runs[first] as RunHistory).createdAt < from) first++;
  return first;
}

function verdictOn({ run, before }: Pick<Place, 'run' | 'before'>, at: Instant): boolean | null {
  const ended = endedBy(run, at);
  if (ended === null) return null;
  const isFar = (measureMs: (run: MeasuredRun) => number | null, sides: 'both' | 'high') => {
    const value = measureMs(ended);
    return value === null ? null : isOutlier(value, collectPast(before, at, measureMs), sides);
  };
  const { source } = getQueueWait(ended);
  const measureWait = (each: MeasuredRun) => {
    const wait = getQueueWait(each);
    return wait.source === source ? wait.ms : null;
  };
  const verdicts = [isFar(getDuration, 'both'), isFar(measureWait, 'high')];
  const known = verdicts.filter((verdict) => verdict !== null);
  return known.length === 0 ? null : known.includes(true);
}

/** The newest values above 0 of runs that had ended. */
function collectPast(
  before: readonly RunHistory[],
  at: Instant,
  measureMs: (run: MeasuredRun) => number | null,
): number[] {
  const past: number[] = [];
  for (let index = before.length - 1; index >= 0 && past.length < outlierPast.max; index--) {
    const ended = endedBy(before[index] as RunHistory, at);
    const value = ended && measureMs(ended);
    if (value) past.push(value);
  }
  return past;
}
