import { shortestLevel } from '../kernel/change-points.ts';
import type { Instant } from '../kernel/facts.ts';
import { findLevelShifts } from '../kernel/level-shifts.ts';
import { getOutcome } from '../kernel/outcome.ts';
import { groupBySeries } from './series.ts';
import { getDuration, isDefaultBranchRun, latestAttempts, type MeasuredRun, newestFirst } from './workflow-runs.ts';

/** A workflow whose passed runs last longer than before. Medians in ms. */
export interface Slowdown {
  workflowId: number;
  /** null when the platform does not report it. */
  workflow: string | null;
  fromMs: number;
  toMs: number;
  /** When the first run of the new level was created. */
  since: Instant;
}

/** So many runs of each workflow are looked at, the newest ones. */
export const slowdownRuns = 100;
/** An older change is no news. */
export const slowdownDays = 14;

/**
 * Where the newest lasting change was upwards, among the newest 100 passed runs of each workflow on the default branch,
 * each class of events by itself: runs of one repository, in any order. null when no workflow has enough runs.
 */
export function findSlowdowns(runs: readonly MeasuredRun[], defaultBranch: string | null): Slowdown[] | null {
  const passed = latestAttempts(runs).filter(
    (run) => getOutcome(run) === 'pass' && isDefaultBranchRun(run, defaultBranch) && getDuration(run) !== null,
  );
  const latest = [...Map.groupBy(newestFirst(passed), ({ workflowId }) => workflowId).values()].map((all) =>
    changesIn(all.slice(0, slowdownRuns), defaultBranch),
  );
  return latest.every((one) => one === null) ? null : latest.flatMap((one) => one ?? []);
}

/** Those of the last 14 days, of each workflow the one that costs most time; the longest delay first. */
export function recentSlowdowns(slowdowns: readonly Slowdown[], now: Instant): Slowdown[] {
  return slowdowns
    .filter(({ since }) => since >= now - slowdownDays * dayMs)
    .sort(byDelay)
    .filter(({ workflowId }, index, all) => all.findIndex((one) => one.workflowId === workflowId) === index);
}

const dayMs = 86_400_000;
/** Fewer can hold no two levels. */
const minRuns = 2 * shortestLevel;

/** null when no class of events has runs enough. */
function changesIn(runs: readonly MeasuredRun[], defaultBranch: string | null): Slowdown[] | null {
  const shifts = findLevelShifts(runs, { metric: 'duration', getValue: (run) => getDuration(run), defaultBranch });
  const isKnown =
    shifts.length > 0 || groupBySeries(runs, defaultBranch).some(({ members }) => members.length >= minRuns);
  if (!isKnown) return null;
  const newest = new Map(shifts.toReversed().map((shift) => [shift.series, shift]));
  return [...newest.values()]
    .filter(({ direction }) => direction === 'high')
    .map(({ since, fromMs, toMs }) => ({
      workflowId: since.workflowId,
      workflow: since.workflowName,
      fromMs,
      toMs,
      since: since.createdAt,
    }));
}

const byDelay = (a: Slowdown, b: Slowdown) =>
  b.toMs - b.fromMs - (a.toMs - a.fromMs) || b.since - a.since || a.workflowId - b.workflowId;
