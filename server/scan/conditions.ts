import type { Expr } from '@actions/expressions/ast';
import { type Doer, evaluate, isFalse, type World } from './evaluation.ts';
import { memoize } from './memoize.ts';
import { isOfPullRequest } from './triggers.ts';
import { findConditions, isTextAround, type Job, type Step, type Trigger, valueIn, type Workflow } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

/** The events under which conditions, also those of needed jobs, may let a job or a step run. */
export function eventsReaching(
  workflow: Workflow,
  job: Job,
  step: Step | null,
  doer: Doer = 'anyone',
): readonly string[] {
  const known = reached(step?.condition ? step : job);
  const before = known.get(doer);
  if (before) return before;
  const mayStart = (event: string) =>
    mayRun(workflow, job, { event, doer }, new Set()) && !(doer === 'outsider' && isOfMembers(workflow, event));
  const events = step?.condition
    ? eventsReaching(workflow, job, null, doer).filter((event) => mayHold(step.condition, { event, doer }))
    : listEvents(workflow).filter(mayStart);
  known.set(doer, events);
  return events;
}

/** The events that start each job, and each step with a condition, as far as requested. */
const reached = memoize((_: Job | Step) => new Map<Doer, readonly string[]>());

/** Each event once; where more are named than the platform has, only those it has. */
const listEvents = memoize(({ triggers }: Workflow) => {
  const events = [...new Set(triggers.map(({ event }) => event))];
  return events.length > platformEvents.size ? events.filter((event) => platformEvents.has(event)) : events;
});

/** As the platform's own parser of workflow files knows them. */
const platformEvents = new Set(
  [
    'branch_protection_rule check_run check_suite create delete deployment deployment_status discussion',
    'discussion_comment fork gollum image_version issue_comment issues label member merge_group milestone page_build',
    'project project_card project_column public pull_request pull_request_comment pull_request_review',
    'pull_request_review_comment pull_request_target push registry_package release repository_dispatch schedule status',
    'watch workflow_call workflow_dispatch workflow_run',
  ].flatMap((line) => line.split(' ')),
);

/** Whether only what takes a role makes an event start the workflow, such as giving a label. */
export const isOfMembers = ({ triggers }: Workflow, event: string): boolean =>
  isOfPullRequest(event) && triggers.every((one) => one.event !== event || isLimitedToMembers(one));

/** For pull requests alone: templates give labels to issues of anyone. */
function isLimitedToMembers({ filter }: Trigger): boolean {
  const types = valueIn(filter, 'types');
  const named = types?.kind === 'list' ? types.items : [types];
  return named.length > 0 && named.every((one) => one?.kind === 'scalar' && ofMembers.test(one.value));
}

const ofMembers = /^((un)?(labeled|assigned|locked)|(de)?milestoned)$/;

/** The ids of the jobs that a job waits for. */
export const neededBy = memoize(readNeeds);

function readNeeds({ node }: Job): readonly string[] {
  const needs = valueIn(node, 'needs');
  return (needs?.kind === 'list' ? needs.items : [needs]).flatMap((one) => (one?.kind === 'scalar' ? one.value : []));
}

/** The jobs that a job waits for. */
export const jobsNeeded = (workflow: Workflow, job: Job): Job[] =>
  neededBy(job).flatMap((id) => jobsById(workflow).get(id) ?? []);

const jobsById = memoize((workflow: Workflow) => new Map(workflow.jobs.map((job) => [job.id, job])));

function mayRun(workflow: Workflow, job: Job, world: World, seen: Set<string>): boolean {
  if (seen.has(job.id) || seen.size > 40) return true;
  seen.add(job.id);
  if (!mayHold(job.condition, world)) return false;
  return (
    (job.condition !== null && runsAnyway(job.condition)) ||
    jobsNeeded(workflow, job).every((one) => mayRun(workflow, one, world, seen))
  );
}

const runsAnyway = memoize(({ value }: YamlScalar) => /\b(always|failure|cancelled)\s*\(/i.test(value));

/** Whether an input of an action, which is read without spaces around it, may be true under an event. */
export const mayHoldFor = (input: YamlScalar | null, event: string): boolean =>
  mayBeTrue(input, { event, doer: 'anyone' });

const mayHold = (condition: YamlScalar | null, world: World): boolean =>
  condition === null || isTextAround(condition) || mayBeTrue(condition, world);

function mayBeTrue(condition: YamlScalar | null, world: World): boolean {
  const [only, ...others] = condition ? findConditions(condition) : [];
  if (!only?.tree || others.length > 0) return true;
  const known = judged(only.tree);
  const key = `${world.doer} ${world.event}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const { tree } = only;
  const holds = worldsOf(world).some((one) => !isFalse(evaluate(tree, one)));
  known.set(key, holds);
  return holds;
}

/** A comment is on an issue or on a pull request, of which not the same is known. */
const worldsOf = (world: World): World[] =>
  world.doer === 'outsider' && world.event === 'issue_comment'
    ? [true, false].map((isOnPullRequest) => ({ ...world, isOnPullRequest }))
    : [world];

/** Whether each condition may hold, as far as requested. */
const judged = memoize((_: Expr) => new Map<string, boolean>());
