import { median } from '../metrics/kernel/statistics.ts';
import { getSpan } from '../metrics/runs/jobs.ts';
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
export function listStepTimes({ workflow, attempts }: AdvisedFile, job: Job, step: Step): StepTime[] {
  const name = nameStep(step);
  if (name === null || job.steps.some((other) => other !== step && nameStep(other) === name)) return [];
  const findJob = createJobFinder(workflow);
  return (attempts ?? []).flatMap((attempt) =>
    (attempt.jobs ?? [])
      .filter((one) => findJob(one.name) === job)
      .flatMap(({ steps }) => steps.filter((one) => one.name === name && one.conclusion === 'success'))
      .flatMap((one) => {
        const span = getSpan(one);
        return span === null ? [] : [{ attempt, seconds: span / 1000 }];
      }),
  );
}

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
