import type { Instant } from '../../metrics/kernel/facts.ts';
import { jobsNeeded } from '../../scan/conditions.ts';
import type { Job, Workflow } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
import type { Edge } from '../needs.ts';

/** An attempt with its jobs by that of the file. */
export type MappedJobs = ReadonlyMap<Job, readonly RecordedJob[]>;

/**
 * The jobs of an attempt that ran the file as it is now: every job is one of the file, and of each job without a
 * condition there is one. null for any other. Contract of the advisor, section 3.3.
 */
export function createMapper(workflow: Workflow): (attempt: RecordedAttempt) => MappedJobs | null {
  const findJob = createJobFinder(workflow);
  return ({ jobs }) => {
    if (jobs === null) return null;
    const mapped = Map.groupBy(jobs, ({ name }) => findJob(name));
    if (mapped.has(null)) return null;
    const isWhole = workflow.jobs.every((job) => job.condition !== null || mapped.has(job));
    return isWhole ? (mapped as Map<Job, RecordedJob[]>) : null;
  };
}

/** When the last of some jobs ended; null where there is none. */
export function lastEnd(jobs: readonly Pick<RecordedJob, 'completedAt'>[]): Instant | null {
  const ends = jobs.flatMap(({ completedAt }) => completedAt ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** A change of the jobs of an attempt. */
export interface NeedsReplay {
  workflow: Workflow;
  /** Each job behind those that it needs. */
  ordered: readonly Job[];
  mapped: MappedJobs;
  /** What a job no longer waits for; null where all of them wait as they did. */
  takenOut: Edge | null;
  /** The cells of a job as they would have run; they have been moved to where what it waits for ends, `at`. */
  change(cells: readonly RecordedJob[], around: { job: Job; at: Instant }): readonly RecordedJob[];
}

/**
 * An attempt with its jobs as a change leaves them, and those that wait for them, each with its lag and wait as it was;
 * the same object where nothing differs. Contract of the advisor, section 3.4.
 */
export function replayNeeds(attempt: RecordedAttempt, replay: NeedsReplay): RecordedAttempt {
  const { workflow, ordered, mapped, takenOut, change } = replay;
  const changed = new Map<Job, readonly RecordedJob[]>();
  const startOf = (needed: readonly Job[], world: MappedJobs): Instant =>
    Math.max(attempt.arrivedAt, lastEnd(needed.flatMap((one) => world.get(one) ?? [])) ?? 0);
  for (const job of ordered) {
    const waited = waitsFor(workflow, job, attempt);
    const from = startOf(waited, mapped);
    const at = startOf(job === takenOut?.job ? waited.filter((one) => one !== takenOut.needed) : waited, changed);
    const moved = (mapped.get(job) ?? []).map((cell) => move(cell, from, at));
    changed.set(job, change(moved, { job, at }));
  }
  const jobs = [...changed.values()].flat();
  const isSame = jobs.length === (attempt.jobs ?? []).length && jobs.every((job) => attempt.jobs?.includes(job));
  if (isSame && takenOut === null) return attempt;
  const withoutNeeds = [...(attempt.withoutNeeds ?? []), ...(takenOut ? [nameEdge(takenOut)] : [])];
  return { ...attempt, jobs, endedAt: lastEnd(jobs) ?? attempt.endedAt, withoutNeeds };
}

/** The jobs that a job waited for in an attempt, in which earlier changes may have taken some out. */
export const waitsFor = (workflow: Workflow, job: Job, { withoutNeeds = [] }: RecordedAttempt): Job[] =>
  jobsNeeded(workflow, job).filter((needed) => !withoutNeeds.includes(nameEdge({ job, needed })));

const nameEdge = ({ job, needed }: Edge): string => `${job.id} ${needed.id}`;

function move(cell: RecordedJob, from: Instant, to: Instant): RecordedJob {
  const { createdAt, startedAt, completedAt } = cell;
  if (from === to || createdAt === null || startedAt === null || completedAt === null) return cell;
  const created = to + Math.max(0, createdAt - from);
  const started = created + Math.max(0, startedAt - createdAt);
  return { ...cell, createdAt: created, startedAt: started, completedAt: started + completedAt - startedAt };
}
