import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import type { Job, Workflow } from '../../scan/workflow.ts';
import type { RecordedJob } from '../history.ts';
import { type Edge, inOrderOfNeeds } from '../needs.ts';
import { createMapper, type MappedJobs, replayNeeds, waitsFor } from './needs-replay.ts';
import type { WorldChange } from './world-change.ts';

interface EarlierStart {
  workflow: Workflow;
  edge: Edge;
  /** Attempts in which all of its cells passed, oldest first. */
  passing: readonly PassingCells[];
}

/** The cells of a job, all of which passed, with the arrival of their attempt. */
export interface PassingCells {
  arrivedAt: Instant;
  cells: readonly RecordedJob[];
}

/**
 * As if a job had not waited for another one: it is created when the others that it needs have ended, and what waits for
 * it follows. Where the other one failed it would have run, with all of its cells, for as long as when it passed last: a
 * matrix that is skipped is recorded as one job. Attempts of another version of the file keep their times.
 */
export function startEarlier({ workflow, edge, passing }: EarlierStart): WorldChange {
  const mapJobs = createMapper(workflow);
  const ordered = inOrderOfNeeds(workflow);
  return (attempts) =>
    attempts.map((attempt) => {
      const mapped = mapJobs(attempt);
      if (mapped === null) return attempt;
      const isAdded = wouldRun(edge, waitsFor(workflow, edge.job, attempt), mapped);
      const before = isAdded ? lastBefore(passing, attempt.arrivedAt) : undefined;
      return replayNeeds(attempt, {
        workflow,
        ordered,
        mapped,
        takenOut: edge,
        change(cells, { job, at }) {
          const [skipped] = cells.filter(({ conclusion }) => conclusion === 'skipped');
          return before && skipped && job === edge.job ? before.map((cell) => runAs(cell, skipped, at)) : cells;
        },
      });
    });
}

/** Whether a job that waits for these was skipped for nothing but the failure of the other one. */
export function wouldRun({ job, needed }: Edge, waited: readonly Job[], mapped: MappedJobs): boolean {
  const passed = (one: Job) => (mapped.get(one) ?? []).every((cell) => getOutcome(cell) === 'pass');
  const others = waited.filter((one) => one !== needed);
  return job.condition === null && !passed(needed) && others.every(passed);
}

/** Real durations, not their median: minutes are rounded up, and a median just above a minute would be for all of them. */
const lastBefore = (passing: readonly PassingCells[], arrivedAt: Instant): readonly RecordedJob[] | undefined =>
  (passing.findLast((one) => one.arrivedAt <= arrivedAt) ?? passing[0])?.cells;

const runAs = (
  { name, labels, runnerGroup, startedAt, completedAt }: RecordedJob,
  skipped: RecordedJob,
  at: Instant,
): RecordedJob => ({
  ...skipped,
  name,
  conclusion: 'success',
  labels,
  runnerGroup,
  isTaken: true,
  createdAt: at,
  startedAt: at,
  completedAt: at + (completedAt ?? 0) - (startedAt ?? 0),
});
