import type { WorkflowJob, WorkflowRun } from '../kernel/facts.ts';
import { filterJobs, jobQueueWait } from './jobs.ts';
import type { MeasuredRun } from './workflow-runs.ts';

/** How long a run's attempt waited for a runner, and what that was read from. */
export interface QueueWait {
  ms: number | null;
  source: 'jobs' | 'run' | null;
}

/**
 * The shortest wait of the attempt's first jobs; without job data, creation to start of a first attempt. A re-run keeps
 * the creation time of its run, so without job data its wait is unknown. Contract-codehost §1.7.
 */
export function getQueueWait(run: MeasuredRun, jobs: readonly WorkflowJob[] = []): QueueWait {
  const fromJobs = firstJobsWait(run, jobs) ?? run.jobWaitMs ?? null;
  if (fromJobs !== null) return { ms: fromJobs, source: 'jobs' };
  if (run.attempt > 1 || run.startedAt === null || !begun.has(run.status)) return unknown;
  const ms = run.startedAt - run.createdAt;
  return ms < 0 ? unknown : { ms, source: 'run' };
}

/**
 * How to read waits that are compared with each other: where jobs tell those of some runs, only these. What runs tell by
 * themselves is next to nothing, and a change from the one to the other is none of the queue.
 */
export function comparableWait(runs: readonly MeasuredRun[]): (run: MeasuredRun) => number | null {
  const isToldByJobs = runs.some((run) => getQueueWait(run).source === 'jobs');
  return (run) => {
    const { ms, source } = getQueueWait(run);
    return isToldByJobs && source !== 'jobs' ? null : ms;
  };
}

const unknown: QueueWait = { ms: null, source: null };
const begun: ReadonlySet<string> = new Set(['in_progress', 'completed']);
const startToleranceMs = 5_000;

/** Jobs created later than the attempt waited for other jobs (`needs`), which is no queue. */
function firstJobsWait(run: WorkflowRun, jobs: readonly WorkflowJob[]): number | null {
  const waits = filterJobs(run, jobs)
    .filter((job) => isFirst(job, run))
    .map(jobQueueWait)
    .filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.min(...waits);
}

function isFirst(job: WorkflowJob, run: WorkflowRun): boolean {
  if (job.createdAt === null || run.startedAt === null) return false;
  return Math.abs(job.createdAt - run.startedAt) <= startToleranceMs;
}
