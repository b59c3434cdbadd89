import { eventsReaching } from '../scan/conditions.ts';
import { findDeployment } from '../scan/deploys.ts';
import { memoize } from '../scan/memoize.ts';
import {
  findConditions,
  findExpressions,
  type Job,
  type Permissions,
  type Step,
  type Trigger,
  textIn,
  valueIn,
  type Workflow,
} from '../scan/workflow.ts';
import { textsBelow } from '../scan/yaml.ts';
import type { YamlPath } from './patch/change.ts';
import { type ReasonCode, reasonsWhere } from './reasons.ts';

export const hasEvent = ({ triggers }: Workflow, ...events: string[]): boolean =>
  triggers.some(({ event }) => events.includes(event));

/** The names below a key of a trigger's filter, such as its branches; null where the key is not there. */
export function filterNames({ filter }: Trigger, key: string): string[] | null {
  const value = valueIn(filter, key);
  if (value === null) return null;
  const items = value.kind === 'list' ? value.items : [value];
  return items.flatMap((one) => (one.kind === 'scalar' ? one.value : []));
}

/** Whether a workflow that is started by one of these events brings something to others, or may. */
export function mayDeploy(workflow: Workflow, events: readonly string[]): boolean {
  return workflow.jobs
    .filter((job) => eventsReaching(workflow, job, null).some((event) => events.includes(event)))
    .some(
      (job) =>
        job.environment !== null ||
        // What it calls may deploy.
        job.uses !== null ||
        findDeployment(workflow, job) !== null ||
        publishingScopes.some((scope) => mayWrite(job.permissions ?? workflow.permissions, scope)),
    );
}

/** Whether a release or a tag starts it. */
export const isForReleases = (workflow: Workflow): boolean =>
  hasEvent(workflow, 'release') ||
  workflow.triggers.some((trigger) => trigger.event === 'push' && filterNames(trigger, 'tags') !== null);

/** Whether a job may report what scans find: also where the file grants nothing, and the repository's default counts. */
export const mayScan = (workflow: Workflow): boolean =>
  workflow.jobs.some((job) => {
    const permissions = job.permissions ?? workflow.permissions;
    return permissions === null || mayWrite(permissions, 'security-events') || job.steps.some(isOfScan);
  });

const isOfScan = ({ node }: Step): boolean =>
  textsBelow(node).some(({ value }) => /^github\/codeql-action\/|sarif/i.test(value.trim()));

const publishingScopes = ['contents', 'packages', 'deployments', 'pages'];

const mayWrite = (permissions: Permissions | null, scope: string): boolean =>
  permissions?.all === 'write-all' ||
  (permissions?.scopes.some(({ key, text }) => key.value === scope && text?.value === 'write') ?? false);

/** Whether a condition or a concurrency group of the file reads one of these. */
export function readsInConditions(workflow: Workflow, path: RegExp): boolean {
  const conditions = workflow.jobs.flatMap((job) => [job.condition, ...job.steps.map(({ condition }) => condition)]);
  const groups = [workflow, ...workflow.jobs].flatMap(({ concurrency }) =>
    concurrency === null ? [] : textsBelow(concurrency),
  );
  const expressions = [...conditions.flatMap(findConditions), ...groups.flatMap(findExpressions)];
  return expressions.some(({ paths }) => paths.some((one) => path.test(one)));
}

/** Names of the workflow and of its jobs, in lower case. */
export const namesIn = ({ name, path, jobs }: Workflow): string =>
  [name ?? path, ...jobs.map((job) => `${job.id} ${job.name ?? ''}`)].join(' ').toLowerCase();

/** Why a finding of any kind is not offered in a file like this. */
export function commonReasons({ text, triggers }: Workflow): ReasonCode[] {
  const head = text.split('\n', 10).join('\n').toLowerCase();
  return reasonsWhere({
    generated_file: head.includes('generated') && head.includes('do not edit'),
    called_workflow: triggers.length > 0 && triggers.every(({ event }) => event === 'workflow_call'),
  });
}

/** Whether a job has as many steps as people write, so that each can be compared with those around it. */
export const hasUsualSteps = ({ steps }: Job): boolean => steps.length <= maxSteps;

const maxSteps = 200;

/** Steps with their jobs, of such jobs. */
export const listUsualSteps = (workflow: Workflow): { job: Job; step: Step }[] =>
  workflow.jobs.filter(hasUsualSteps).flatMap((job) => job.steps.map((step) => ({ job, step })));

/** A place of the file with its step, if it has one, as it is named instead of how many stand before it. */
export function nameSteps(path: YamlPath, workflow: Workflow): YamlPath {
  const [jobs, id, steps, index, ...rest] = path;
  if (jobs !== 'jobs' || steps !== 'steps' || typeof index !== 'number') return path;
  const job = workflow.jobs.find((one) => one.id === id);
  const name = job && stepNames(job)[index];
  return name === undefined ? path : [jobs, job?.id ?? '', steps, name, ...rest];
}

/** Of each entry of its steps: its id, its name or what it uses, and the how many-th of these it is. */
const stepNames = memoize((job: Job): string[] => {
  const steps = new Map(job.steps.map((step) => [step.node, step]));
  const list = valueIn(job.node, 'steps');
  const seen = new Map<string, number>();
  return (list?.kind === 'list' ? list.items : []).map((node) => {
    const step = node.kind === 'map' ? steps.get(node) : undefined;
    const own = step?.id ?? textIn(node, 'name')?.value ?? step?.uses?.value.split('@', 1)[0]?.trim() ?? '';
    const count = (seen.get(own) ?? 0) + 1;
    seen.set(own, count);
    return `${own} (${count})`;
  });
});

/** Where a step is in the file; null for one of a `parallel` group. */
export function stepPath(job: Job, { node }: Step): YamlPath | null {
  const steps = valueIn(job.node, 'steps');
  const index = steps?.kind === 'list' ? steps.items.indexOf(node) : -1;
  return index < 0 ? null : ['jobs', job.id, 'steps', index];
}
