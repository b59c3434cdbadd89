import { Binary, type Expr, FunctionCall, Grouping, Literal, Logical, Unary } from '@actions/expressions/ast';
import { getLiteral, getPath } from './expressions.ts';
import { memoize } from './memoize.ts';
import { isOfPullRequest } from './triggers.ts';
import { findConditions, isTextAround, type Job, type Step, type Trigger, valueIn, type Workflow } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

/**
 * Whose doing starts the workflow: anyone's, as far as is known; that of somebody with a fork; or that of an outsider,
 * to whom nobody has given a label or a role.
 */
export type Doer = 'anyone' | 'fork' | 'outsider';

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

/** Whether who acts is compared with the name of a bot, which anyone can make true. */
export function isBotComparison({ left, operator, right }: Binary): boolean {
  const [path, name] = [getPath(left) ?? getPath(right), getLiteral(left) ?? getLiteral(right)];
  return operator.lexeme === '==' && triggering.test(path ?? '') && (name ?? '').endsWith('[bot]');
}

interface World {
  event: string;
  doer: Doer;
}

/** A value; undefined when it is not known. */
type Known = string | boolean | undefined;

/** Values that equal no text a condition could name, and differ from each other. */
const [own, foreign] = ['\u0000own', '\u0000foreign'];

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
  const value = evaluate(only.tree, world);
  const holds = value !== false && value !== '';
  known.set(key, holds);
  return holds;
}

/** Whether each condition may hold, as far as requested. */
const judged = memoize((_: Expr) => new Map<string, boolean>());

function evaluate(expr: Expr, world: World): Known {
  const literal = getLiteral(expr);
  if (literal !== null) return literal;
  if (expr instanceof Literal) return truths[expr.token.lexeme.toLowerCase()];
  if (expr instanceof Grouping) return evaluate(expr.group, world);
  if (expr instanceof Unary) return negated(evaluate(expr.expr, world));
  if (expr instanceof Logical) return joined(expr, world);
  if (expr instanceof Binary) return compared(expr, world);
  if (expr instanceof FunctionCall) return called(expr, world);
  const path = getPath(expr);
  return path === null ? undefined : getFact(path, world);
}

const truths: Record<string, boolean> = { true: true, false: false };

const negated = (value: Known): Known => (value === undefined ? undefined : value === false || value === '');

function joined({ operator, args }: Logical, world: World): Known {
  const values = args.map((arg) => evaluate(arg, world));
  const decisive = values.find((value) => negated(value) === (operator.lexeme === '&&'));
  if (decisive !== undefined) return decisive;
  return values.includes(undefined) ? undefined : values.at(-1);
}

function compared(comparison: Binary, world: World): Known {
  if (isBotComparison(comparison)) return undefined;
  const { left, operator, right } = comparison;
  const isEqual = areEqual(evaluate(left, world), evaluate(right, world));
  if (operator.lexeme === '==') return isEqual;
  return operator.lexeme === '!=' ? negated(isEqual) : undefined;
}

function areEqual(one: Known, other: Known): boolean | undefined {
  if (one === undefined || other === undefined || typeof one !== typeof other) return undefined;
  // A repository that a condition calls by its name may be this one.
  if (one !== other && [one, other].includes(own) && ![one, other].includes(foreign)) return undefined;
  return String(one).toLowerCase() === String(other).toLowerCase();
}

function called({ functionName, args: [first, second] }: FunctionCall, world: World): Known {
  const name = functionName.lexeme.toLowerCase();
  if (name === 'always') return true;
  if (!first || !second || !/^(contains|startswith|endswith)$/.test(name)) return undefined;
  const [text, part] = [evaluate(first, world), evaluate(second, world)];
  if (text === foreign && part !== '') return false;
  if (typeof part !== 'string') return undefined;
  const given = parseList(first);
  if (given && name === 'contains') return given.some((one) => one.toLowerCase() === part.toLowerCase());
  if (typeof text !== 'string' || text === own || part === own) return undefined;
  const [searched, piece] = [text.toLowerCase(), part.toLowerCase()];
  if (name === 'startswith') return searched.startsWith(piece);
  return name === 'endswith' ? searched.endsWith(piece) : searched.includes(piece);
}

/** The texts of a list written as `fromJSON('[…]')`. */
function parseList(expr: Expr): string[] | null {
  if (!(expr instanceof FunctionCall) || expr.functionName.lexeme.toLowerCase() !== 'fromjson') return null;
  try {
    const list: unknown = JSON.parse(getLiteral(expr.args[0]) ?? '');
    return Array.isArray(list) ? list.map(String) : null;
  } catch {
    return null;
  }
}

const ownRepository = /^github\.(repository|repository_owner|event\.repository\.(full_name|owner\.login|id))$/;
const baseRepository = /^github\.event\.pull_request\.base\.repo\.(full_name|owner\.login|id)$/;
const headRepository =
  /^github\.event\.(pull_request\.head\.repo|workflow_run\.head_repository)\.(full_name|owner\.login|id)$/;
const headOwner = /^github\.event\.pull_request\.head\.user\.login$/;
const isFork = /^github\.event\.(pull_request\.head\.repo|workflow_run\.head_repository)\.fork$/;
const labels = /^github\.event\.(label|pull_request\.labels\.\*|issue\.labels\.\*)\.name$/;
const people = /^github\.event\.(sender|(pull_request|issue|comment|review)\.user|workflow_run\.actor)\.login$/;
const triggering = /^github\.(actor|triggering_actor)$/;

function getFact(path: string, { event, doer }: World): Known {
  if (path === 'github.event_name') return event;
  if (ownRepository.test(path) || baseRepository.test(path)) return own;
  if (path === 'github.ref_type' && event.startsWith('pull_request')) return 'branch';
  if (path === 'github.ref' && /^pull_request(_review|_review_comment)?$/.test(event)) return 'refs/pull/1/merge';
  if (doer === 'anyone') return undefined;
  if (headRepository.test(path) || headOwner.test(path)) return foreign;
  if (isFork.test(path)) return true;
  if (path === 'github.event.workflow_run.event') return 'pull_request';
  if (path === 'github.event.pull_request.merged') return false;
  if (doer === 'fork') return undefined;
  if (path.endsWith('.author_association')) return 'NONE';
  return labels.test(path) || people.test(path) || triggering.test(path) ? foreign : undefined;
}
