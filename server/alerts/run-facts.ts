import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../metrics/kernel/window.ts';
import { createdIn, endedBy, type RunHistory, runHistories } from '../metrics/runs/history.ts';
import type { MeasuredRun } from '../metrics/runs/workflow-runs.ts';
import type { Store } from '../store/orm.ts';
import { type AlertFacts, type Evaluation, getWindow, type Moment, type Range, unknown } from './metric.ts';

/** What metrics of runs are judged from. */
export interface RunFacts extends AlertFacts {
  /** Oldest creation first. */
  runs: readonly RunHistory[];
  /** All runs created from then on are among them. */
  reached: Instant;
  /** Why nothing is known of what was before. */
  gap: string;
}

/** Where runs are stored. */
export interface RunSource {
  runs: {
    attempts(...query: Parameters<Store['runs']['attempts']>): Promise<MeasuredRun[]>;
    leadingUp(...query: Parameters<Store['runs']['leadingUp']>): Promise<MeasuredRun[]>;
    knownFrom: Store['runs']['knownFrom'];
  };
}

/** More attempts than this in one reading are judged by the newest of them. */
const attemptLimit = 20_000;

/** The newest runs of a workflow that a streak, or what is usual, is computed from. */
export const lookBackRuns = 100;
/** A workflow that did not run for so long has no current streak, and nothing that is usual. */
export const lookBackMs = 90 * dayMs;

/** All attempts of the runs created in any window of the range. */
export function readRuns(range: Range, source: RunSource): Promise<RunFacts> {
  return runsSince(range, range.from - range.windowHours * hourMs, source);
}

/** The same, and of each workflow the newest runs before the first window. */
export async function runsWithPast(range: Range, source: RunSource): Promise<RunFacts> {
  const since = range.from - range.windowHours * hourMs;
  const [facts, past] = await Promise.all([
    runsSince(range, since, source),
    runsBefore(range.repoId, since, null, source),
  ]);
  return { ...facts, runs: [...runHistories(past, range.until), ...facts.runs] };
}

/** Runs of the range, and of each workflow the newest ones before it on the default branch. */
export async function runsWithBranch(range: Range, source: RunSource): Promise<RunFacts> {
  const { repoId, from, defaultBranch } = range;
  const before = () => runsBefore(repoId, from, defaultBranch, source);
  const [facts, past] = await Promise.all([
    runsSince({ ...range, windowHours: 0 }, from, source),
    defaultBranch === null ? [] : before(),
  ]);
  return { ...facts, runs: [...runHistories(past, range.until), ...facts.runs] };
}

/** Measures only where every run of the window is known, and else gives the reason. */
export const whereAllAreKnown =
  <Facts extends RunFacts>(measure: (facts: Facts, at: Moment) => Evaluation) =>
  (facts: Facts, at: Moment): Evaluation => {
    return facts.reached <= getWindow(at).from ? measure(facts, at) : unknown(facts.gap);
  };

/** The runs created in the window that had ended, as they stood then. */
export function endedRuns({ runs }: RunFacts, at: Moment): MeasuredRun[] {
  const ended: MeasuredRun[] = [];
  // A plain loop: a back-test over months needs millions.
  for (const run of createdIn(runs, getWindow(at))) {
    const then = endedBy(run, at.now);
    if (then !== null) ended.push(then);
  }
  return ended;
}

async function runsSince(
  { repoId, from, until, windowHours }: Range,
  since: Instant,
  source: RunSource,
): Promise<RunFacts> {
  const [attempts, known] = await Promise.all([
    source.runs.attempts(repoId, { since, limit: attemptLimit }),
    source.runs.knownFrom(repoId),
  ]);
  const runs = runHistories(attempts, until);
  const oldest = runs[0]?.createdAt ?? until;
  // Of the oldest run within the limit some attempts may be missing.
  const truncatedAt = attempts.length < attemptLimit ? 0 : oldest + 1;
  const reached = Math.max(known ?? oldest, truncatedAt);
  const ends = runs.flatMap((run) => run.attempts.flatMap(({ endedAt }) => endedAt ?? []));
  const endings = ends.filter((end) => end >= from && end <= until);
  return {
    runs,
    reached,
    gap: gapBefore(reached, { isTruncated: reached === truncatedAt, isRead: known !== null }),
    knownFrom: reached + windowHours * hourMs,
    endings: endings.sort((a, b) => a - b),
  };
}

function gapBefore(reached: Instant, { isTruncated, isRead }: { isTruncated: boolean; isRead: boolean }): string {
  const from = new Date(reached).toISOString();
  if (isTruncated) return `Too many runs in the window; only those since ${from} are evaluated.`;
  return isRead ? `Runs are synced only since ${from}.` : 'Runs of this window have not been synced yet.';
}

const runsBefore = (repoId: number, since: Instant, branch: string | null, source: RunSource) =>
  source.runs.leadingUp(repoId, { since, from: since - lookBackMs, branch, limit: lookBackRuns });
