import { median } from '../metrics/kernel/statistics.ts';
import { getSpan } from '../metrics/runs/jobs.ts';
import { memoize } from '../scan/memoize.ts';
import { type Job, type Step, textIn } from '../scan/workflow.ts';
import type { RecordedAttempt } from './history.ts';
import { createJobFinder } from './job-names.ts';
import type { AdvisedFile, Ceiling } from './kind.ts';

/** A recorded step that passed. */
export interface StepTime {
  attempt: RecordedAttempt;
  seconds: number;
}

/** The name that runs give a step: its own, else `Run` with what it uses or its first line; null where that is not known. */
export function nameStep({ node, uses, run }: Step): string | null {
  const own = textIn(node, 'name')?.value ?? '';
  const line = uses?.value ?? run?.value.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  const name = own === '' ? `Run ${line}` : own;
  // What an expression comes to is not known, and no run has such characters in the name of a step.
  return name.includes('${{') || name.includes('\0') || !name.isWellFormed() ? null : name;
}

/** Passing executions of a step of the file; none where another step of its job has the same name. */
export function listStepTimes(file: AdvisedFile, job: Job, step: Step): readonly StepTime[] {
  const name = nameStep(step);
  if (name === null || job.steps.some((other) => other !== step && nameStep(other) === name)) return [];
  return timesByJob(file).get(job)?.get(name) ?? [];
}

/** Passing steps of recorded jobs, by the job of the file and their name; read once for all of its steps. */
const timesByJob = memoize(({ workflow, attempts }: AdvisedFile) => {
  const findJob = createJobFinder(workflow);
  const times = new Map<Job, Map<string, StepTime[]>>();
  for (const attempt of attempts ?? [])
    for (const { name: jobName, steps } of attempt.jobs ?? []) {
      const job = findJob(jobName);
      if (job === null) continue;
      const ofJob = times.get(job) ?? new Map<string, StepTime[]>();
      times.set(job, ofJob);
      for (const step of steps) {
        const span = step.conclusion === 'success' ? getSpan(step) : null;
        if (span === null) continue;
        const ofName = ofJob.get(step.name) ?? [];
        ofJob.set(step.name, ofName);
        ofName.push({ attempt, seconds: span / 1000 });
      }
    }
  return times;
});

/** Runs of which times are recorded, re-runs not counted. */
export const countRuns = (times: readonly StepTime[]): number =>
  new Set(times.map(({ attempt }) => attempt.runId)).size;

/** The median of recorded seconds; null without any. */
export const medianSeconds = (times: readonly StepTime[]): number | null => median(times.map(({ seconds }) => seconds));

/** So many executions tell how long a step takes. */
const minTimes = 20;

/** No more than the time of a step can be saved; null where too few executions are recorded. */
export function ceilingOf(step: string, times: readonly StepTime[]): Ceiling | null {
  const value = medianSeconds(times);
  return value === null || times.length < minTimes
    ? null
    : { measure: `${step}, median`, value: Math.ceil(value), unit: 's' };
}
