import type { Deployment, DeploymentState } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant, WorkflowJob } from '../metrics/kernel/facts.ts';
import { day, minute } from './calendar.ts';
import { createAttemptJobs } from './jobs.ts';
import type { WorldPullRequest } from './pull-requests.ts';
import type { AttemptSketch } from './runs.ts';

/** The deployments of deploy jobs: one for each that began, with all its statuses, newest first. */
export function createDeployments(attempts: AttemptSketch[], firstId: number): Deployment[] {
  const begun = attempts
    .flatMap((one) => createAttemptJobs(one).map((job) => ({ job, run: one.run })))
    .filter(({ job }) => job.name.startsWith('deploy to ') && job.startedAt !== null && job.conclusion !== 'skipped')
    .sort((one, other) => createdAt(one.job) - createdAt(other.job) || one.job.id - other.job.id);
  return superseded(
    begun.map(({ job, run }, index) => ({
      id: firstId + index,
      environment: job.name.replace('deploy to ', ''),
      createdAt: createdAt(job),
      sha: run.headSha,
      ref: 'main',
      creator: run.triggeringActor,
      statuses: createStatuses(job),
      url: '#',
    })),
  );
}

const createdAt = (job: WorkflowJob): Instant => job.createdAt ?? job.startedAt ?? 0;

function createStatuses({ startedAt, completedAt, conclusion }: WorkflowJob): Deployment['statuses'] {
  const begun = { state: 'in_progress' as const, at: startedAt ?? 0 };
  const state = conclusion === null ? null : finalStates[conclusion];
  return state && completedAt !== null ? [begun, { state, at: completedAt }] : [begun];
}

const finalStates: Record<string, DeploymentState> = {
  success: 'success',
  failure: 'failure',
  timed_out: 'failure',
  cancelled: 'error',
};

/** A success makes the one before it inactive. Takes them oldest first, gives them newest first. */
function superseded(deployments: Deployment[]): Deployment[] {
  const active = new Map<string, Deployment>();
  const ended = deployments
    .flatMap((one) => ({ one, at: one.statuses?.find(({ state }) => state === 'success')?.at ?? null }))
    .filter(({ at }) => at !== null)
    .sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  for (const { one, at } of ended) {
    active.get(one.environment)?.statuses?.push({ state: 'inactive', at: at ?? 0 });
    active.set(one.environment, one);
  }
  return [...deployments].reverse();
}

/** Deployments that came to an end two months ago. */
export function staleDeployments(creator: Actor | null, shas: string[], now: Instant, firstId: number): Deployment[] {
  const deployments = Array.from({ length: 36 }, (_, index): Deployment => {
    const at = now - (58 + (35 - index)) * day;
    const statuses = [{ state: index % 9 === 4 ? ('failure' as const) : ('success' as const), at: at + 6 * minute }];
    const sha = shas[index % Math.max(1, shas.length)] ?? '0'.repeat(40);
    return {
      id: firstId + index,
      environment: 'app-store',
      createdAt: at,
      sha,
      ref: null,
      creator,
      statuses,
      url: null,
    };
  });
  return superseded(deployments);
}

/** A passing environment for each of some pull requests. */
export const previewDeployments = (pulls: WorldPullRequest[], firstId: number): Deployment[] =>
  pulls.map((pull, index) => {
    const statuses: Deployment['statuses'] = [{ state: 'success', at: pull.createdAt + 4 * minute }];
    if (pull.closedAt !== null) statuses.push({ state: 'inactive', at: pull.closedAt });
    return {
      id: firstId + index,
      environment: `preview-${pull.number}`,
      createdAt: pull.createdAt + 2 * minute,
      sha: pull.headSha ?? '',
      ref: pull.headBranch,
      creator: pull.author,
      statuses,
      url: '#',
    };
  });
