import { getOutcome } from '../../metrics/kernel/outcome.ts';
import type { Job, Workflow } from '../../scan/workflow.ts';
import type { RecordedJob } from '../history.ts';
import { type Edge, inOrderOfNeeds } from '../needs.ts';
import { createMapper, type MappedJobs, replayNeeds, waitsFor } from './needs-replay.ts';
import type { WorldChange } from './world-change.ts';

interface EarlierStart {
  workflow: Workflow;
  edge: Edge;
  /** A passing job of it, as it usually is; null where none is known. */
  usual: { job: RecordedJob; ms: number } | null;
}

/**
 * As if a job had not waited for another one: it is created when the others that it needs have ended, and what waits for
 * it follows. Where the other one failed it would have run, for as long as it usually does. Attempts of another version
 * of the file keep their times.
 */
export function startEarlier({ workflow, edge, usual }: EarlierStart): WorldChange {
  const mapJobs = createMapper(workflow);
  const ordered = inOrderOfNeeds(workflow);
  return (attempts) =>
    attempts.map((attempt) => {
      const mapped = mapJobs(attempt);
      if (mapped === null) return attempt;
      const runsNow = usual !== null && wouldRun(edge, waitsFor(workflow, edge.job, attempt), mapped);
      return replayNeeds(attempt, {
        workflow,
        ordered,
        mapped,
        takenOut: edge,
        change: (cell, { job, at }) =>
          runsNow && job === edge.job && cell.conclusion === 'skipped' ? runUsually(cell, at, usual) : cell,
      });
    });
}

/** Whether a job that waits for these was skipped for nothing but the failure of the other one. */
export function wouldRun({ job, needed }: Edge, waited: readonly Job[], mapped: MappedJobs): boolean {
  const passed = (one: Job) => (mapped.get(one) ?? []).every((cell) => getOutcome(cell) === 'pass');
  const others = waited.filter((one) => one !== needed);
  return job.condition === null && !passed(needed) && others.every(passed);
}

const runUsually = (
  cell: RecordedJob,
  at: number,
  { job: { labels, runnerGroup }, ms }: NonNullable<EarlierStart['usual']>,
): RecordedJob => ({
  ...cell,
  conclusion: 'success',
  labels,
  runnerGroup,
  isTaken: true,
  createdAt: at,
  startedAt: at,
  completedAt: at + ms,
});
