import type { Actor, Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Listing } from '../client/client.ts';

/** What a commit did to a workflow file; a renamed one was removed under one name and added under another. */
export interface WorkflowFileChange {
  path: string;
  change: 'added' | 'modified' | 'removed';
}

/** A commit of the default branch that changed workflow files. */
export interface WorkflowChange {
  sha: string;
  /** First line of its message. */
  message: string;
  author: Actor | null;
  /** See `Commit`. */
  isAuthorUnread?: boolean | undefined;
  authorName: string;
  committer: Actor | null;
  authoredAt: Instant;
  committedAt: Instant;
  /** Whether the platform vouches for the signature; false for an unsigned one, null when it could not be checked or read. */
  verified: boolean | null;
  /** The pull request that merged it into the branch. */
  pullRequest: number | null;
  htmlUrl: string;
  /** In the order of their paths; null when the platform does not list them. */
  files: WorkflowFileChange[] | null;
}

export interface WorkflowChangeReads {
  /**
   * The newest commits of the default branch that changed a `.yml` or `.yaml` file of `.github/workflows`, newest
   * first; deleted and renamed files included. One request, up to five where most commits touched other files of the
   * directory. `totalCount` is null while there may be more. Cached for 5 minutes. Empty for an empty repository and
   * one that never had the directory.
   */
  workflowChanges(name: RepositoryName, max: number): Promise<Listing<WorkflowChange>>;
}
