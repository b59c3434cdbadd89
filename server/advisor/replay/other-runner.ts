import { getOutcome } from '../../metrics/kernel/outcome.ts';
import type { Workflow } from '../../scan/workflow.ts';
import type { RecordedJob } from '../history.ts';
import { inOrderOfNeeds } from '../needs.ts';
import { createMapper, replayNeeds } from './needs-replay.ts';
import type { WorldChange } from './world-change.ts';

interface OtherRunner {
  workflow: Workflow;
  /** The label of the other runner. */
  label: string;
  /** Time there as a share of what a job took; null for a job that stays where it ran. */
  ratioOf(job: RecordedJob): number | null;
}

/**
 * As if jobs had run on another runner: those that passed or failed take another time, and what waits for them follows.
 * One that was cancelled ends when it did. Attempts of another version of the file keep their runner.
 */
export function onOtherRunner({ workflow, label, ratioOf }: OtherRunner): WorldChange {
  const mapJobs = createMapper(workflow);
  const ordered = inOrderOfNeeds(workflow);
  const change = (cell: RecordedJob): RecordedJob => {
    const ratio = ratioOf(cell);
    return ratio === null ? cell : { ...resize(cell, ratio), labels: [label], runnerGroup: null };
  };
  return (attempts) =>
    attempts.map((attempt) => {
      const mapped = attempt.jobs?.some((job) => ratioOf(job) !== null) ? mapJobs(attempt) : null;
      return mapped === null
        ? attempt
        : replayNeeds(attempt, { workflow, ordered, mapped, takenOut: null, change: (cells) => cells.map(change) });
    });
}

function resize(cell: RecordedJob, ratio: number): RecordedJob {
  const { startedAt, completedAt } = cell;
  const outcome = getOutcome(cell);
  if (startedAt === null || completedAt === null || (outcome !== 'pass' && outcome !== 'fail')) return cell;
  return { ...cell, completedAt: startedAt + Math.round((completedAt - startedAt) * ratio) };
}
