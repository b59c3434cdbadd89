import type { PullRequestState } from '../codehost/pull-requests/states.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import type { Claims, Wanted } from '../platform/claims.ts';
import type { ProposedChange } from './verdict/proposed.ts';

/** A pull request that somebody opened from here. */
export interface OpenedPullRequest {
  number: number;
  htmlUrl: string;
  createdAt: Instant;
  branch: string;
  baseBranch: string;
  /** The commit of the default branch that it was made of. */
  baseCommit: string;
  /** The commit with the changes. */
  commit: string;
  isDraft: boolean;
  title: string;
  /** Recommendations whose changes are in it. */
  ids: readonly string[];
  /** What was predicted of them. */
  proposed: readonly ProposedChange[];
}

/** With what was last seen of it on the platform. */
export interface TrackedPullRequest extends OpenedPullRequest, PullRequestState {}

/** A pull request that somebody wants to open. */
export interface WantedPullRequest extends Wanted {
  repository: Repository;
  login: string;
  /** Recommendations whose changes are in it. */
  ids: readonly string[];
  /** Ids of the contents that are changed, by path. */
  baseBlobs: Readonly<Record<string, string>>;
}

/** Who opens which pull request at the moment, and what was opened. */
export interface AdvisorPullRequests extends Claims<OpenedPullRequest, WantedPullRequest> {
  /** The newest of each recommendation, by its id. The repository is known by the platform's id. */
  list(repositoryId: number): Promise<ReadonlyMap<string, TrackedPullRequest>>;
}
