import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { jobsNeeded } from '../../scan/conditions.ts';
import type { Job, Workflow } from '../../scan/workflow.ts';
import type { RecordedAttempt, RecordedJob } from '../history.ts';
import { createJobFinder } from '../job-names.ts';
import { type Edge, inOrderOfNeeds } from '../needs.ts';
import type { WorldChange } from './world-change.ts';

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

interface EarlierStart {
  workflow: Workflow;
  edge: Edge;
  /** A passing job of it, as it usually is; null where none is known. */
  usual: { job: RecordedJob; ms: number } | null;
}

/**
 * As if a job had not waited for another one: it is created when the others that it needs have ended, and what waits for
 * it follows, each with its lag, wait and time as recorded. Where the other one failed it would have run, for as long as
 * it usually does. Attempts of another version of the file keep their times.
 */
export function startEarlier({ workflow, edge, usual }: EarlierStart): WorldChange {
  const mapJobs = createMapper(workflow);
  const ordered = inOrderOfNeeds(workflow);
  return (attempts) =>
    attempts.map((attempt) => {
      const mapped = mapJobs(attempt);
      return mapped === null ? attempt : replay(attempt, { workflow, edge, usual, mapped, ordered });
    });
}

interface Replayed extends EarlierStart {
  mapped: MappedJobs;
  ordered: readonly Job[];
}

function replay(attempt: RecordedAttempt, { workflow, edge, usual, mapped, ordered }: Replayed): RecordedAttempt {
  const changed = new Map<Job, readonly RecordedJob[]>();
  const baseOf = (job: Job, world: MappedJobs, without: Job | null): Instant => {
    const parents = jobsNeeded(workflow, job).filter((one) => one !== without);
    return Math.max(attempt.arrivedAt, lastEnd(parents.flatMap((one) => world.get(one) ?? [])) ?? 0);
  };
  for (const job of ordered) {
    const cells = mapped.get(job) ?? [];
    const before = baseOf(job, mapped, null);
    const after = baseOf(job, changed, job === edge.job ? edge.needed : null);
    const runsNow = job === edge.job && usual !== null && wouldRun(edge, workflow, mapped);
    changed.set(
      job,
      cells.map((cell) =>
        runsNow && cell.conclusion === 'skipped' ? runUsually(cell, after, usual) : shift(cell, before, after),
      ),
    );
  }
  const jobs = [...changed.values()].flat();
  const isSame = jobs.length === (attempt.jobs ?? []).length && jobs.every((job) => attempt.jobs?.includes(job));
  return isSame ? attempt : { ...attempt, jobs, endedAt: lastEnd(jobs) ?? attempt.endedAt };
}

/** Whether it was skipped for nothing but the failure of the other one. */
export function wouldRun({ job, needed }: Edge, workflow: Workflow, mapped: MappedJobs): boolean {
  const passed = (one: Job) => (mapped.get(one) ?? []).every((cell) => getOutcome(cell) === 'pass');
  const others = jobsNeeded(workflow, job).filter((one) => one !== needed);
  return job.condition === null && !passed(needed) && others.every(passed);
}

function shift(cell: RecordedJob, before: Instant, after: Instant): RecordedJob {
  const { createdAt, startedAt, completedAt } = cell;
  if (before === after || createdAt === null || startedAt === null || completedAt === null) return cell;
  const created = after + Math.max(0, createdAt - before);
  const started = created + Math.max(0, startedAt - createdAt);
  return { ...cell, createdAt: created, startedAt: started, completedAt: started + completedAt - startedAt };
}

const runUsually = (
  cell: RecordedJob,
  at: Instant,
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
