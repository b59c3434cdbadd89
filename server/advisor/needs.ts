import { getAction } from '../scan/actions.ts';
import { jobsNeeded, neededBy } from '../scan/conditions.ts';
import { findDeployment } from '../scan/deploys.ts';
import { memoize } from '../scan/memoize.ts';
import { type Job, settingText, valueIn, type Workflow } from '../scan/workflow.ts';
import { textsBelow } from '../scan/yaml.ts';
import type { Change } from './patch/change.ts';

/** A job that waits for another one. */
export interface Edge {
  job: Job;
  needed: Job;
}

/**
 * The edges of `needs` that the file shows no use of: the job reads nothing of the other one, and would not wait for it
 * through a third. Contract of the advisor, section 2.10.
 */
export const listUnusedEdges = memoize((workflow: Workflow): Edge[] =>
  workflow.jobs.flatMap((job) =>
    jobsNeeded(workflow, job)
      .filter((needed) => !isUsed(workflow, { job, needed }))
      .map((needed) => ({ job, needed })),
  ),
);

const isUsed = (workflow: Workflow, { job, needed }: Edge): boolean =>
  [job, needed].some(
    (one) => one.uses !== null || one.environment !== null || findDeployment(workflow, one) !== null,
  ) ||
  readsResults(job) ||
  readsContext(job, needed.id) ||
  readsArtifacts(job, needed) ||
  [job, needed].every(usesCache) ||
  jobsNeeded(workflow, job).some((other) => other !== needed && ancestors(workflow, other).has(needed));

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
function readsArtifacts(job: Job, needed: Job): boolean {
  const uploaded = needed.steps.flatMap((step) =>
    /upload-\w*-?artifact/.test(getAction(step) ?? '') ? [settingText(step.with, 'name')?.value ?? 'artifact'] : [],
  );
  return job.steps.some((step) => {
    if (/\bgh run download\b/.test(step.run?.value ?? '')) return true;
    if (!/artifact/.test(getAction(step) ?? '') || /upload/.test(getAction(step) ?? '')) return false;
    const name = settingText(step.with, 'name')?.value ?? '';
    return name === '' || [name, ...uploaded].some((one) => one.includes('${{')) || uploaded.includes(name);
  });
}

/** What one of two jobs puts into a cache, the other may restore. */
const usesCache = ({ steps }: Job): boolean => steps.some((step) => /^actions\/cache\b/.test(getAction(step) ?? ''));

/** A job with all that it waits for. */
function ancestors(workflow: Workflow, job: Job, found = new Set<Job>()): ReadonlySet<Job> {
  if (found.has(job)) return found;
  found.add(job);
  for (const one of jobsNeeded(workflow, job)) ancestors(workflow, one, found);
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
