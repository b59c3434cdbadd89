import { jobsNeeded } from './conditions.ts';
import type { Job, Permissions, Trigger, Workflow } from './workflow.ts';

/** Whether an event of outsiders starts the workflow with the repository's own secrets and rights. */
export const isPrivileged = (event: string): boolean =>
  /^(pull_request_target|workflow_run|issue_comment|issues|discussion|discussion_comment|repository_dispatch)$/.test(
    event,
  );

/** The same without `repository_dispatch`, which only those with a right to write can send. */
export const takesChanges = (event: string): boolean => isPrivileged(event) && event !== 'repository_dispatch';

export const privilegedTriggers = ({ triggers }: Workflow): Trigger[] =>
  triggers.filter(({ event }) => isPrivileged(event));

/** Whether a job's token may change something; null when the repository's setting decides. */
export function hasWriteToken(workflow: Workflow, job: Job): boolean | null {
  const permissions = job.permissions ?? workflow.permissions;
  return permissions === null ? null : grantsWriting(permissions);
}

function grantsWriting({ all, scopes }: Permissions): boolean {
  return all === 'write-all' || scopes.some(({ text }) => text?.value === 'write');
}

/** A job and the jobs it waits for, near and far, as many as people write. */
export function withNeeded(workflow: Workflow, job: Job): readonly Job[] {
  const known = needed.get(job);
  if (known) return known;
  const found = new Set([job]);
  for (const one of found) if (found.size < 100) for (const next of jobsNeeded(workflow, one)) found.add(next);
  const all = [...found].slice(0, 100);
  needed.set(job, all);
  return all;
}

const needed = new WeakMap<Job, readonly Job[]>();
