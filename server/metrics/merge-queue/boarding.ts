import { getDeploymentResult } from '../delivery/deployments.ts';
import type { Deployment } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import type { Batch } from './batches.ts';
import type { QueuedPullRequest } from './entries.ts';

/** What is known of the deployments by which merges reach production. */
export interface DeployedFacts {
  /** To production alone. */
  deployments: readonly Deployment[];
  /** All are known that were created between these instants. */
  knownFrom: Instant;
  knownTo: Instant;
  /** Whether a commit that no pull request tells of is of this branch: that of the default branch mostly is. */
  isDefaultBranch: boolean;
}

/** The first successful production deployment with all that a batch merged. */
export interface Ride {
  deployment: Deployment;
  /** When it had succeeded. */
  deployedAt: Instant;
  /** `commits`: its commit is a merge that is known. `time`: it is not, and the deployment began after the merge. */
  basis: 'commits' | 'time';
}

/**
 * `waiting`: none yet, as far as deployments were read. `unknown`: they were not read so far, or not their results, or one
 * is of a commit that may be of another branch.
 */
export type Boarding = Ride | 'waiting' | 'unknown';

/** Answers by which deployment each batch of a branch reached production. */
export function boardingFinder(
  branch: string,
  pullRequests: readonly QueuedPullRequest[],
  facts: DeployedFacts | null,
): (batch: Batch) => Boarding {
  if (facts === null) return () => 'unknown';
  const merges = listMerges(pullRequests);
  const byNumber = new Map(pullRequests.map(({ number, mergedAt }) => [number, mergedAt]));
  const byCreation = facts.deployments.toSorted((a, b) => a.createdAt - b.createdAt);
  const unplacedAt = findLastUnplaced(byCreation, merges, facts);
  return (batch) => {
    const mergedAt = Math.max(...batch.entries.map(({ number }) => byNumber.get(number) ?? batch.leftAt));
    if (mergedAt < facts.knownFrom) return 'unknown';
    let first: Ride | null = null;
    for (const deployment of byCreation) {
      if (deployment.createdAt < mergedAt) continue;
      if (first && deployment.createdAt >= first.deployedAt) break;
      const basis = findBasis(deployment, { batch, mergedAt, branch, merges, facts });
      if (basis === null) continue;
      const { outcome, at } = getDeploymentResult(deployment);
      // It may be the one.
      if (outcome === null) return 'unknown';
      if (outcome === 'success' && at !== null && (first === null || at < first.deployedAt))
        first = { deployment, deployedAt: at, basis };
    }
    return (
      first ?? (mergedAt > facts.knownTo || (unplacedAt !== null && mergedAt <= unplacedAt) ? 'unknown' : 'waiting')
    );
  };
}

/** When the last deployment was created that did not fail, as far as is known, and of which nothing tells the branch. */
function findLastUnplaced(
  byCreation: readonly Deployment[],
  merges: ReadonlyMap<string, Merge>,
  { isDefaultBranch }: DeployedFacts,
): Instant | null {
  if (isDefaultBranch) return null;
  const last = byCreation.findLast((deployment) => {
    const { outcome } = getDeploymentResult(deployment);
    return !merges.has(deployment.sha) && (outcome === 'success' || outcome === null);
  });
  return last?.createdAt ?? null;
}

interface Merge {
  branch: string;
  mergedAt: Instant;
}

/** By the commits of merges. */
const listMerges = (pullRequests: readonly QueuedPullRequest[]): ReadonlyMap<string, Merge> =>
  new Map(
    pullRequests.flatMap(({ mergeQueue, mergedAt, baseBranch }) =>
      mergeQueue?.mergeSha && mergedAt !== null ? [[mergeQueue.mergeSha, { branch: baseBranch, mergedAt }]] : [],
    ),
  );

interface Candidate {
  batch: Batch;
  mergedAt: Instant;
  branch: string;
  merges: ReadonlyMap<string, Merge>;
  facts: DeployedFacts;
}

/** By what a deployment has all of a batch; null where it has not. */
function findBasis({ sha }: Deployment, { batch, mergedAt, branch, merges, facts }: Candidate): Ride['basis'] | null {
  const merge = merges.get(sha);
  if (!merge) return facts.isDefaultBranch ? 'time' : null;
  if (merge.branch !== branch) return null;
  const place = batch.entries.findIndex(({ mergeSha }) => mergeSha === sha);
  // A commit in the middle of a batch has only what was merged before it.
  if (place >= 0) return place === batch.entries.length - 1 ? 'commits' : null;
  return merge.mergedAt >= mergedAt ? 'commits' : null;
}
