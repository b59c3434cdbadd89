import { isCheckout } from '../../scan/actions.ts';
import { type Step, settingText, type Workflow } from '../../scan/workflow.ts';
import { mayReadHistory } from '../history-readers.ts';
import { type Finding, kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { ceilingOf, countRuns, listStepTimes, medianSeconds, type StepTime } from '../step-times.ts';
import { listUsualSteps, stepPath } from '../traits.ts';

/** Contract of the advisor, section 2.13. */
export const shallowCheckout = kind({
  id: 'ADV-11',
  title: 'Check out the newest commit alone',
  certainty: 'compared',
  definition:
    'The checkout fetches the complete history, takes 20 seconds or more in half of its runs, and no later step of its job is known to read the history.',
  *watches(workflow) {
    for (const { step } of completeCheckouts(workflow)) yield step;
  },
  *find(file) {
    for (const { job, step, depth } of completeCheckouts(file.workflow)) {
      const path = stepPath(job, step);
      if (!path) continue;
      const times = listStepTimes(file, job, step);
      const isTooSmall = countRuns(times) < minRuns;
      if (!isTooSmall && (medianSeconds(times) ?? 0) < minSeconds) continue;
      yield {
        anchor: [...path, 'with', 'fetch-depth'],
        offset: depth.offset,
        ...(file.attempts === null
          ? withoutHistory(`The checkout of “${job.id}” fetches the complete history.`)
          : describe(job.id, times)),
        reasons: reasonsWhere({
          reads_history: mayReadHistory(file.workflow, job, step),
          history_absent: file.attempts === null,
          sample_too_small: file.attempts !== null && isTooSmall,
        }),
        changes: [{ do: 'remove', at: [...path, 'with', 'fetch-depth'], orEmptyParent: true }],
        counterfactual: null,
        ceiling: ceilingOf('checkout step', times),
      };
    }
  },
});

const minRuns = 30;
const minSeconds = 20;

/** Checkouts with `fetch-depth: 0`, each with that value. */
function* completeCheckouts(workflow: Workflow) {
  for (const { job, step } of listUsualSteps(workflow)) {
    const depth = isCheckout(step) ? fetchDepth(step) : null;
    if (depth?.value === '0') yield { job, step, depth };
  }
}

const fetchDepth = (step: Step) => settingText(step.with, 'fetch-depth');

function describe(jobId: string, times: readonly StepTime[]) {
  const runs = countRuns(times);
  const typical = medianSeconds(times);
  const evidence = new Map(
    times.map(({ attempt, seconds }) => [attempt, { attempt, why: `the checkout took ${seconds} s` }]),
  );
  return {
    text:
      typical === null
        ? `The checkout of “${jobId}” fetches the complete history; its time is not recorded.`
        : `The checkout of “${jobId}” fetches the complete history, which takes ${Math.ceil(typical)} s (median of ${runs} runs).`,
    sample: runs,
    facts: [
      { label: 'Runs with the checkout', value: String(runs), unit: null },
      ...(typical === null ? [] : [{ label: 'Median of the step', value: String(Math.ceil(typical)), unit: 's' }]),
    ],
    evidence: [...evidence.values()],
    risks: [],
  } satisfies Partial<Finding>;
}
