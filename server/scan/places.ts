import type { Expression } from './expressions.ts';
import { memoize } from './memoize.ts';
import { commandAt, getShell, isInComment, type RunText, readRun } from './shell.ts';
import type { Command } from './shell-commands.ts';
import { findExpressions, type Job, placeIn, type Step, type Workflow } from './workflow.ts';
import { textsBelow, type YamlNode, type YamlScalar } from './yaml.ts';

/** Where in a workflow something is. */
export interface Owner {
  job?: Job;
  step?: Step;
}

/** A text with the job and step it belongs to. */
export interface Placed extends Owner {
  scalar: YamlScalar;
}

/** Every text of a workflow once, keys included. */
export const placedTexts = memoize((workflow: Workflow): Placed[] => [...textsIn(workflow)]);

function* textsIn({ root, jobs }: Workflow): Generator<Placed> {
  const seen = new Set<YamlNode>();
  for (const job of jobs) {
    for (const step of job.steps) for (const scalar of textsBelow(step.node, seen)) yield { scalar, job, step };
    for (const scalar of textsBelow(job.node, seen)) yield { scalar, job };
  }
  if (root) for (const scalar of textsBelow(root, seen)) yield { scalar };
}

/** Every expression between `${{` and `}}`. */
export const placedExpressions = memoize((workflow: Workflow): (Placed & { expression: Expression })[] =>
  placedTexts(workflow).flatMap((placed) =>
    findExpressions(placed.scalar).map((expression) => ({ ...placed, expression })),
  ),
);

/** A step that runs commands, with what could be read of them. */
export interface RunStep {
  job: Job;
  step: Step;
  scalar: YamlScalar;
  run: RunText;
}

export const listRunSteps = memoize((workflow: Workflow): RunStep[] =>
  workflow.jobs.flatMap((job) =>
    job.steps.flatMap((step) => (step.run ? { job, step, scalar: step.run, run: runIn(workflow, job, step) } : [])),
  ),
);

/** What could be read of a step's commands; nothing when it runs none. */
export const readRunText = (workflow: Workflow, step: Step): RunText =>
  readings(workflow).get(step) ?? readRun('', 'other');

const readings = memoize((workflow: Workflow) => new Map(listRunSteps(workflow).map(({ step, run }) => [step, run])));

/** The commands of a step; none when it runs none. */
export const listCommands = (workflow: Workflow, step: Step): Command[] => readRunText(workflow, step).commands;

/** Whether a step runs commands of a shell that is not read, such as Python. */
export const runsUnread = (workflow: Workflow, step: Step): boolean =>
  step.run !== null && readRunText(workflow, step).shell === 'other';

const runIn = (workflow: Workflow, job: Job, step: Step) =>
  readRun(step.run?.value ?? '', getShell(workflow, job, step));

/** An expression in a run text, with the innermost command around it. */
export interface RunExpression extends RunStep {
  expression: Expression;
  command: Command | null;
  isInComment: boolean;
}

export const listRunExpressions = memoize((workflow: Workflow): RunExpression[] =>
  listRunSteps(workflow).flatMap((one) =>
    findExpressions(one.scalar).map((expression) => {
      const command = commandAt(one.run, expression.at);
      return { ...one, expression, command, isInComment: isInComment(one.run, expression.at) };
    }),
  ),
);

/** A hit at a place of a text. */
export const hitAt = (workflow: Workflow, { scalar, job, step }: Placed, at: number) => ({
  offset: placeIn(workflow, scalar, at),
  job,
  step,
});
