import type { Conclusion, WorkflowJob, WorkflowRun } from '../kernel/facts.ts';
import { getOutcome, isConclusive } from '../kernel/outcome.ts';
import {
  type DurationFigures,
  durationFigures,
  getSpan,
  type JobFigures,
  jobFigures,
  jobQueueWait,
  jobsInOrder,
} from './jobs.ts';

export interface NamedJobFigures extends JobFigures {
  /** Full name: jobs of a matrix stand apart. */
  name: string;
  /** What the jobs of a matrix have in common. */
  group: string;
}

/** What the jobs of each name amount to, the longest on average first. */
export function jobsByName(jobs: readonly WorkflowJob[]): NamedJobFigures[] {
  return [...Map.groupBy(jobs, ({ name }) => name)]
    .map(([name, ofName]) => ({ name, group: matrixGroup(name), ...jobFigures(ofName) }))
    .sort((a, b) => longestFirst(a, b) || byText(a.name, b.name));
}

/** The name of a job without the parameters that a matrix puts in brackets at its end: `test (22, linux)` is `test`. */
export function matrixGroup(name: string): string {
  return name.split(' (', 1)[0] || name;
}

export interface StepFigures extends DurationFigures {
  job: string;
  step: string;
  number: number;
  /** success + failure. */
  runs: number;
  success: number;
  failure: number;
}

/** What the steps of each job, name and number amount to, the longest on average first. */
export function stepsByName(jobs: readonly WorkflowJob[]): StepFigures[] {
  const all = jobs.flatMap((job) => job.steps.map((step) => ({ job: job.name, step })));
  const groups = Map.groupBy(all, ({ job, step }) => JSON.stringify([job, step.name, step.number]));
  return [...groups.values()]
    .flatMap(([first, ...rest]) => (first ? stepFigures(first, [first, ...rest]) : []))
    .sort((a, b) => longestFirst(a, b) || byText(a.job, b.job) || a.number - b.number || byText(a.step, b.step));
}

interface StepOfJob {
  job: string;
  step: WorkflowJob['steps'][number];
}

function stepFigures({ job, step }: StepOfJob, all: readonly StepOfJob[]): StepFigures {
  const steps = all.map((one) => one.step);
  const success = steps.filter((one) => getOutcome(one) === 'pass').length;
  const failure = steps.filter((one) => getOutcome(one) === 'fail').length;
  const durations = steps.filter(isConclusive).map(getSpan);
  return {
    job,
    step: step.name,
    number: step.number,
    runs: success + failure,
    success,
    failure,
    ...durationFigures(durations.filter((duration) => duration !== null)),
  };
}

export interface WaterfallJob {
  name: string;
  conclusion: Conclusion | null;
  /** From the start of the attempt, in ms; a little below 0 where clocks differ. */
  startOffsetMs: number;
  durationMs: number;
  queueWaitMs: number | null;
}

/**
 * The jobs of one attempt on a line of time, by start. Excluded are jobs without known times, and those that had ended
 * before the attempt began: a re-run takes what passed over from the attempt before.
 */
export function toWaterfall(run: WorkflowRun, jobs: readonly WorkflowJob[]): WaterfallJob[] {
  const ran = jobsInOrder(jobs).flatMap((job) => {
    const span = getSpan(job);
    return job.startedAt === null || span === null ? [] : [{ job, startedAt: job.startedAt, span }];
  });
  const start = run.startedAt ?? ran[0]?.startedAt ?? run.createdAt;
  return ran
    .filter(({ startedAt, span }) => startedAt + span >= start)
    .map(({ job, startedAt, span }) => ({
      name: job.name,
      conclusion: job.conclusion,
      startOffsetMs: startedAt - start,
      durationMs: span,
      queueWaitMs: jobQueueWait(job),
    }));
}

function longestFirst({ avgMs: a }: DurationFigures, { avgMs: b }: DurationFigures): number {
  return (b ?? -1) - (a ?? -1);
}

const byText = (a: string, b: string) => Number(a > b) - Number(a < b);
