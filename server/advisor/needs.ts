import { getAction } from '../scan/actions.ts';
import { jobsNeeded, neededBy } from '../scan/conditions.ts';
import { findDeployment } from '../scan/deploys.ts';
import { memoize } from '../scan/memoize.ts';
import { type Job, type Step, settingText, valueIn, type Workflow } from '../scan/workflow.ts';
import { textsBelow } from '../scan/yaml.ts';
import { worksOnFilesAlone } from './history-readers.ts';
import type { Change } from './patch/change.ts';

/** A job that waits for another one. */
export interface Edge {
  job: Job;
  needed: Job;
}

/**
 * The edges of `needs` that the file shows no use of, even if all of them were taken out at once: the job reads nothing
 * of the other one or of what that waits for, would not wait for it through a third, and each job behind it waits for
 * the other one as well. Contract of the advisor, section 2.10.
 */
export const listUnusedEdges = memoize((workflow: Workflow): Edge[] => {
  const unused = workflow.jobs.flatMap((job) =>
    jobsNeeded(workflow, job)
      .filter((needed) => !isUsed(workflow, { job, needed }))
      .map((needed) => ({ job, needed })),
  );
  return unused.length === 0 ? [] : unused.filter(createLossCheck(workflow, unused));
});

const isUsed = (workflow: Workflow, { job, needed }: Edge): boolean =>
  readsResults(job) ||
  mayUse(workflow, job, needed) ||
  jobsNeeded(workflow, job).some(
    (other) => other !== needed && ancestors(other, (one) => jobsNeeded(workflow, one)).has(needed),
  );

/** Whether a job may use what another one brings about. */
const mayUse = (workflow: Workflow, job: Job, other: Job): boolean =>
  [job, other].some((one) => one.uses !== null || one.environment !== null || findDeployment(workflow, one) !== null) ||
  readsContext(job, other.id) ||
  readsArtifacts(workflow, job, other) ||
  [job, other].every(usesCache);

/** Whether no job loses a gate, or what it downloads, should all of these edges go. */
function createLossCheck(workflow: Workflow, unused: readonly Edge[]): (edge: Edge) => boolean {
  const { jobs } = workflow;
  const gone = Map.groupBy(unused, ({ job }) => job);
  const isKept = (job: Job, other: Job) => (gone.get(job) ?? []).every(({ needed }) => needed !== other);
  const needed = new Map(jobs.map((job) => [job, jobsNeeded(workflow, job)]));
  const before = new Map(jobs.map((job) => [job, ancestors(job, (one) => needed.get(one) ?? [])]));
  const after = new Map(
    jobs.map((job) => [job, ancestors(job, (one) => (needed.get(one) ?? []).filter((other) => isKept(one, other)))]),
  );
  const waits = (job: Job, other: Job) => after.get(job)?.has(other) === true;
  return (edge) =>
    jobs.every((job) => job === edge.job || !before.get(job)?.has(edge.job) || waits(job, edge.needed)) &&
    [...(before.get(edge.needed) ?? [])].every((one) => waits(edge.job, one) || !mayUse(workflow, edge.job, one));
}

/** Whether its condition depends on how those that it waits for ended. */
const readsResults = ({ condition }: Job): boolean =>
  /\b(always|cancelled|failure|success)\s*\(/i.test(condition?.value ?? '');

/** Whether a text of the job may read outputs or results of the other one. */
function readsContext({ node, condition, steps }: Job, id: string): boolean {
  const conditions = [condition, ...steps.map((step) => step.condition)].flatMap((one) => one ?? []);
  const texts = [...conditions, ...textsBelow(node).filter(({ value }) => value.includes('${{'))];
  return texts.some(({ value }) =>
    [...value.matchAll(/\bneeds\b(?:\s*\.\s*([\w-]+))?/gi)].some(
      ([, read]) => read === undefined || read.toLowerCase() === id.toLowerCase(),
    ),
  );
}

/** Whether it may fetch what the other one uploads; a download without a name is one of everything. */
function readsArtifacts(workflow: Workflow, job: Job, needed: Job): boolean {
  const mayUpload = needed.steps.some(isHidden);
  const uploaded = uploadsOf(needed);
  return job.steps.some((step) => {
    if (/\bgh run download\b/.test(step.run?.value ?? '')) return true;
    const name = downloadOf(step);
    if (name === null) return isHidden(step) && (mayUpload || uploaded.length > 0);
    if (mayUpload || name === '' || [name, ...uploaded].some((one) => one.includes('${{'))) return true;
    // What no job is seen to upload, a script may.
    return uploaded.includes(name) || !uploadedIn(workflow).has(name);
  });
}

/** The names of the artifacts that a job is seen to upload. */
const uploadsOf = ({ steps }: Job): string[] =>
  steps.flatMap((step) =>
    /upload-\w*-?artifact/.test(getAction(step) ?? '') ? [settingText(step.with, 'name')?.value ?? 'artifact'] : [],
  );

const uploadedIn = memoize(({ jobs }: Workflow) => new Set(jobs.flatMap(uploadsOf)));

/** The name of the artifact that a step downloads, empty for all of them; null where it is seen to download none. */
function downloadOf(step: Step): string | null {
  const action = getAction(step) ?? '';
  if (action === 'actions/upload-artifact/merge') return '';
  return /artifact/.test(action) && !/upload/.test(action) ? (settingText(step.with, 'name')?.value ?? '') : null;
}

/** What one of two jobs puts into a cache, the other may restore. */
const usesCache = ({ steps }: Job): boolean => steps.some((step) => isCache(step) || isHidden(step));

const caching = /^(actions\/cache(\/.*)?|gradle\/actions\/setup-gradle|swatinem\/rust-cache)$/i;

function isCache(step: Step): boolean {
  const action = getAction(step) ?? '';
  if (caching.test(action)) return true;
  const isNamed = ['cache-from', 'cache-to'].some((name) => settingText(step.with, name) !== null);
  return /^docker\/build-push-action$/i.test(action) && isNamed;
}

/** Whether a step may bring to other jobs, or fetch from them, what the file does not show. */
const isHidden = (step: Step): boolean =>
  step.uses !== null && !worksOnFilesAlone(step) && !independent.test(getAction(step) ?? '');

/** Other actions that are known to hand nothing from job to job but what their inputs say. */
const independent =
  /^(actions\/(dependency-review-action|labeler|stale|upload-artifact\/merge)|codecov\/codecov-action|docker\/(build-push|metadata)-action|github\/codeql-action\/[a-z-]+|golangci\/golangci-lint-action|pre-commit\/action)$/;

/** A job with all that it waits for. */
function ancestors(job: Job, neededOf: (one: Job) => readonly Job[]): ReadonlySet<Job> {
  const found = new Set([job]);
  for (const one of found) for (const needed of neededOf(one)) found.add(needed);
  return found;
}

/** Jobs after all that they wait for. */
export function inOrderOfNeeds(workflow: Workflow): Job[] {
  const ordered = new Set<Job>();
  const open = new Set<Job>();
  const visit = (job: Job) => {
    if (ordered.has(job) || open.has(job)) return;
    open.add(job);
    for (const one of jobsNeeded(workflow, job)) visit(one);
    ordered.add(job);
  };
  for (const job of workflow.jobs) visit(job);
  return [...ordered];
}

/** The change that takes the edge out of the file; null where it stands there more than once. */
export function removeEdge({ job, needed }: Edge): Change | null {
  if (neededBy(job).filter((id) => id === needed.id).length !== 1) return null;
  const needs = valueIn(job.node, 'needs');
  if (needs?.kind !== 'list' || needs.items.length === 1) return { do: 'remove', at: ['jobs', job.id, 'needs'] };
  const index = needs.items.findIndex((one) => one.kind === 'scalar' && one.value === needed.id);
  return { do: 'remove', at: ['jobs', job.id, 'needs', index] };
}
