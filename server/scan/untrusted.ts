import { getAction } from './actions.ts';
import type { Expression } from './expressions.ts';
import { type Flow, findFlows } from './flows.ts';
import { memoize } from './memoize.ts';
import { findExpressions, findVariable, type Job, type Step, type Workflow } from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

interface Source {
  /** `*` is any element. */
  path: string;
  /** Whose payload has it. */
  events: readonly string[];
  /** It can hold several lines. */
  isMultiline?: boolean;
}

const requests = ['pull_request', 'pull_request_target'];
const requestsAndReviews = [...requests, 'pull_request_review', 'pull_request_review_comment'];
const issues = ['issues', 'issue_comment'];
const discussions = ['discussion', 'discussion_comment'];
const comments = ['issue_comment', 'discussion_comment', 'commit_comment', 'pull_request_review_comment'];

/** Texts that anyone can choose, as the platform's guide to script injections lists them. */
const sources: readonly Source[] = [
  { path: 'github.head_ref', events: requests },
  ...below('issue', issues, ['title'], ['body']),
  ...below('pull_request', requestsAndReviews, ['title', 'head.ref', 'head.label'], ['body']),
  ...below('pull_request', requestsAndReviews, ['head.repo.default_branch'], []),
  ...below('comment', comments, [], ['body']),
  ...below('review', ['pull_request_review'], [], ['body']),
  ...below('review_comment', comments, [], ['body']),
  ...below('discussion', discussions, ['title'], ['body']),
  ...below('pages.*', ['gollum'], ['page_name'], []),
  ...below('commits.*', ['push'], ['author.name', 'author.email'], ['message']),
  ...below('head_commit', ['push'], ['author.name', 'author.email'], ['message']),
  ...below('workflow_run', ['workflow_run'], ['head_branch', 'display_title', 'pull_requests.*.head.ref'], []),
  ...below('workflow_run.head_commit', ['workflow_run'], ['author.name', 'author.email'], ['message']),
];

function below(
  object: string,
  events: readonly string[],
  lines: readonly string[],
  texts: readonly string[],
): Source[] {
  const source = (name: string, isMultiline: boolean) => ({
    path: `github.event.${object}.${name}`,
    events,
    isMultiline,
  });
  return [...lines.map((name) => source(name, false)), ...texts.map((name) => source(name, true))];
}

/** Whether anyone can choose the text at a path. */
export const isUntrusted = (path: string): boolean => sources.some((source) => isAt(source.path, path));

/** The events whose payload holds what anyone can choose at a path, or below it. */
export const eventsWith = (path: string): string[] => [
  ...new Set(sources.flatMap((source) => (isAt(source.path, path) || isBelow(source.path, path) ? source.events : []))),
];

/** Whether it may hold several lines, and so leave the line it is put into. */
export const isMultiline = (path: string): boolean =>
  sources.some((source) => source.isMultiline === true && isAt(source.path, path));

/** What anyone can choose and an expression passes on; complete objects only where they are written out as JSON. */
export const untrustedIn = (expression: Expression): readonly string[] => untrustedAmong(findFlows(expression));

const untrustedAmong = memoize((flows: readonly Flow[]) =>
  listPaths(flows, ({ path, isJson }) => isUntrusted(path) || (isJson && eventsWith(path).length > 0)),
);

/** What only people who may start or push something can choose, also through the `env` context. */
export function semiTrustedAt(workflow: Workflow, job: Job, step: Step, expression: Expression): string[] {
  const passed = findFlows(expression).flatMap(({ path }) => {
    const value = path.startsWith('env.') ? findVariable(workflow, job, step, path.slice('env.'.length)) : null;
    return value ? findExpressions(value).flatMap(semiTrustedIn) : [];
  });
  return [...new Set([...semiTrustedIn(expression), ...passed])];
}

const semiTrustedIn = (expression: Expression): readonly string[] => semiTrustedAmong(findFlows(expression));

const semiTrustedAmong = memoize((flows: readonly Flow[]) =>
  listPaths(flows, ({ path }) =>
    /^(inputs\..|github\.event\.inputs\..|github\.ref_name$|github\.event\.client_payload\b)/.test(path),
  ),
);

/** The same as `untrustedIn`, also through the `env` context and actions that put out what a change is called. */
export function untrustedAt(workflow: Workflow, job: Job, step: Step, expression: Expression): string[] {
  const direct = untrustedIn(expression);
  const passed = findFlows(expression).flatMap(({ path }) => [
    ...(path.startsWith('env.') ? untrustedVariable(workflow, job, step, path.slice('env.'.length)) : []),
    ...(eventsPuttingOut(job, path).length > 0 ? [path] : []),
  ]);
  return [...new Set([...direct, ...passed])];
}

/** What anyone can choose in a variable of the environment of a step. */
export function untrustedVariable(workflow: Workflow, job: Job, step: Step, name: string): string[] {
  const value = findVariable(workflow, job, step, name);
  if (value === null) return [];
  const read = findExpressions(value).flatMap((expression) => findFlows(expression));
  const putOut = read.flatMap(({ path }) => (eventsPuttingOut(job, path).length > 0 ? [path] : []));
  return [...untrustedInText(value), ...putOut];
}

const untrustedInText = memoize((scalar: YamlScalar) => [
  ...new Set(findExpressions(scalar).flatMap((expression) => untrustedIn(expression))),
]);

/** Actions with outputs that repeat the names of branches or of changed files as they are, and under which events. */
const echoing: Record<string, { outputs: RegExp; events: readonly string[] }> = {
  'jitterbit/get-changed-files': { outputs: /./, events: requestsAndReviews },
  'trilom/file-changes-action': { outputs: /./, events: requestsAndReviews },
  'xt0rted/pull-request-comment-branch': { outputs: /^head_ref$/, events: ['issue_comment', ...requestsAndReviews] },
  'tj-actions/branch-names': {
    outputs: /^(current_branch|head_ref_branch|ref_branch)$/,
    events: requestsAndReviews,
  },
};

const stepsById = memoize(
  ({ steps }: Job) => new Map(steps.toReversed().map((step) => [step.id?.toLowerCase(), step])),
);

/** The events under which an output of a step of a job is a name that anyone can choose; none for anything else. */
export function eventsPuttingOut(job: Job, path: string): readonly string[] {
  const [context, id, , output = ''] = path.split('.');
  const step = context === 'steps' && id !== undefined ? stepsById(job).get(id) : undefined;
  const names = step && echoing[getAction(step) ?? ''];
  return names?.outputs.test(output) ? names.events : [];
}

function isAt(source: string, path: string): boolean {
  const star = source.indexOf('*');
  if (star < 0) return source === path;
  if (!path.startsWith(source.slice(0, star))) return false;
  const [wanted, given] = [source.split('.'), path.split('.')];
  return wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index]);
}

const isBelow = (source: string, path: string) => source[path.length] === '.' && source.startsWith(path);

function listPaths(flows: readonly Flow[], isMeant: (flow: Flow) => boolean): string[] {
  return [...new Set(flows.flatMap((flow) => (isMeant(flow) ? [flow.path] : [])))];
}
