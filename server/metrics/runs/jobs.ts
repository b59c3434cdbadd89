import type { Instant, JobStep, WorkflowJob, WorkflowRun } from '../kernel/facts.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import { isLowSample, mean, quantiles, roundTo } from '../kernel/statistics.ts';

/** Started to completed, in ms. Jobs that neither passed nor failed have none: their time has no meaning. */
export function jobDuration(
  job: Pick<WorkflowJob, 'status' | 'conclusion' | 'startedAt' | 'completedAt'>,
): number | null {
  return isConclusive(job) ? getSpan(job) : null;
}

/** Started to completed, in ms, whatever it came to; null when either is not known or the end lies before the start. */
export function getSpan({ startedAt, completedAt }: Pick<JobStep, 'startedAt' | 'completedAt'>): number | null {
  return between(startedAt, completedAt);
}

/**
 * Enqueued to picked up by a runner, in ms. The platform has been seen to report the enqueue time as the start, so the
 * first step's start counts when it is later. A job no runner took has no wait.
 */
export function jobQueueWait(job: WorkflowJob): number | null {
  if (job.status !== 'in_progress' && job.status !== 'completed') return null;
  const firstStep = stepsInOrder(job)[0]?.startedAt ?? null;
  if (firstStep === null && getOutcome(job) === 'void') return null;
  if (job.startedAt === null) return null;
  return between(job.createdAt, Math.max(job.startedAt, firstStep ?? job.startedAt));
}

/** The jobs of this attempt of the run. */
export function filterJobs(run: WorkflowRun, jobs: readonly WorkflowJob[]): WorkflowJob[] {
  return jobs.filter((job) => job.runId === run.id && job.attempt === run.attempt);
}

/**
 * true for a job of an earlier attempt that a later one lists with its old times, because only others were run again
 * (contract-open §4.2).
 */
export const isCarriedOver = (
  { attempt, startedAt }: Pick<WorkflowRun, 'attempt' | 'startedAt'>,
  { completedAt }: Pick<WorkflowJob, 'completedAt'>,
): boolean => attempt > 1 && startedAt !== null && completedAt !== null && completedAt < startedAt;

/** Those jobs that were run in the attempt. */
export const listOwnJobs = <Job extends Pick<WorkflowJob, 'completedAt'>>(
  run: Pick<WorkflowRun, 'attempt' | 'startedAt'>,
  jobs: readonly Job[],
): Job[] => jobs.filter((job) => !isCarriedOver(run, job));

/** The end of the attempt's last job; null without jobs or while one of them is open. */
export function attemptEnd(run: WorkflowRun, jobs: readonly WorkflowJob[]): Instant | null {
  let end: Instant | null = null;
  for (const { completedAt } of filterJobs(run, jobs)) {
    if (completedAt === null) return null;
    end = end === null ? completedAt : Math.max(end, completedAt);
  }
  return end;
}

/** By start, jobs that have not started last. */
export function jobsInOrder(jobs: readonly WorkflowJob[]): WorkflowJob[] {
  return jobs.toSorted((a, b) => compareInstants(a.startedAt, b.startedAt) || a.id - b.id);
}

export function stepsInOrder(job: WorkflowJob): JobStep[] {
  return job.steps.toSorted((a, b) => a.number - b.number);
}

/** Times in ms, rounded; null when nothing counts. */
export interface DurationFigures {
  /** Durations behind the figures. */
  sample: number;
  lowSample: boolean;
  avgMs: number | null;
  p50Ms: number | null;
  p90Ms: number | null;
  p95Ms: number | null;
  maxMs: number | null;
}

export function durationFigures(durations: readonly number[]): DurationFigures {
  const [p50Ms = null, p90Ms = null, p95Ms = null, maxMs = null] = quantiles(durations, [0.5, 0.9, 0.95, 1]).map(
    roundMs,
  );
  const sample = durations.length;
  return { sample, lowSample: isLowSample(sample), avgMs: roundMs(mean(durations)), p50Ms, p90Ms, p95Ms, maxMs };
}

export interface JobFigures extends DurationFigures {
  /** success + failure. */
  runs: number;
  success: number;
  failure: number;
  cancelled: number;
  skipped: number;
  /** Waits behind the two figures after it. */
  queueSample: number;
  queueP50Ms: number | null;
  queueP95Ms: number | null;
}

/** What a set of jobs, usually those of one name, amounts to. */
export function jobFigures(jobs: readonly WorkflowJob[]): JobFigures {
  const outcomes = jobs.map(getOutcome);
  const success = outcomes.filter((outcome) => outcome === 'pass').length;
  const failure = outcomes.filter((outcome) => outcome === 'fail').length;
  const durations = jobs.map(jobDuration).filter((duration) => duration !== null);
  const waits = jobs.map(jobQueueWait).filter((wait) => wait !== null);
  const [queueP50Ms = null, queueP95Ms = null] = quantiles(waits, [0.5, 0.95]).map(roundMs);
  return {
    runs: success + failure,
    success,
    failure,
    cancelled: jobs.filter((job) => job.conclusion === 'cancelled').length,
    skipped: jobs.filter((job) => job.conclusion === 'skipped').length,
    ...durationFigures(durations),
    queueSample: waits.length,
    queueP50Ms,
    queueP95Ms,
  };
}

function between(start: Instant | null, end: Instant | null): number | null {
  return start === null || end === null || end < start ? null : end - start;
}

function compareInstants(a: Instant | null, b: Instant | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

function roundMs(value: number | null): number | null {
  return value === null ? null : roundTo(value, 0);
}
