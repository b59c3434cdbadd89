/**
 * Facts: one observed event each, as read from the platform or from the store.
 * Instants are epoch milliseconds (UTC); null means the platform did not report it.
 */

/** Epoch milliseconds, UTC. */
export type Instant = number;

/** A repository's address on the platform. Compared case-insensitively, shown as given. */
export interface RepositoryName {
  owner: string;
  repo: string;
}

/** An account that caused an event. A deleted account is null where an actor is expected. */
export interface Actor {
  login: string;
  avatarUrl: string;
  isBot: boolean;
}

export interface Repository extends RepositoryName {
  id: number;
  description: string | null;
  htmlUrl: string;
  language: string | null;
  private: boolean;
  visibility: 'public' | 'private' | 'internal';
  stars: number;
  archived: boolean;
  fork: boolean;
  /** Whether its issue tracker is switched on. */
  hasIssues: boolean;
  defaultBranch: string | null;
  ownerType: 'user' | 'org';
  /** null when the platform did not report it. */
  createdAt: Instant | null;
  updatedAt: Instant | null;
  pushedAt: Instant | null;
}

export type HeadStatus = 'error' | 'failure' | 'pending' | 'success';

/** What the head of the default branch looks like, read for many repositories at once. */
export interface RepositoryState extends RepositoryName {
  id: number;
  defaultBranch: string | null;
  headStatus: HeadStatus | null;
  visibility: 'public' | 'private' | 'internal';
  archived: boolean;
  fork: boolean;
  /** null when the tracker is switched off or unreadable. */
  openIssues: number | null;
  openPullRequests: number | null;
  /** Workflow files on the default branch; null when they cannot be read. */
  workflowFiles: number | null;
}

export interface Organization {
  login: string;
  avatarUrl: string;
  description: string | null;
}

export interface Workflow {
  id: number;
  name: string;
  /** Path of the workflow file; `dynamic/…` for workflows the platform makes itself. */
  path: string;
  /** `active`, `deleted`, `disabled_manually`, …: the platform's own word. */
  state: string;
  htmlUrl: string;
  badgeUrl: string;
  createdAt: Instant;
  updatedAt: Instant;
}

export const conclusions = [
  'success',
  'failure',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
  'neutral',
  'stale',
  'startup_failure',
] as const;
export type Conclusion = (typeof conclusions)[number];

export const runStatuses = ['requested', 'waiting', 'pending', 'queued', 'in_progress', 'completed'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** One attempt of a workflow run. A re-run keeps `id` and `createdAt`, and raises `attempt`. */
export interface WorkflowRun {
  id: number;
  attempt: number;
  workflowId: number;
  workflowName: string | null;
  runNumber: number;
  displayTitle: string | null;
  event: string;
  status: RunStatus;
  conclusion: Conclusion | null;
  headBranch: string | null;
  headSha: string;
  /** Who caused attempt 1. */
  actor: Actor | null;
  /** Who caused this attempt. */
  triggeringActor: Actor | null;
  createdAt: Instant;
  startedAt: Instant | null;
  updatedAt: Instant;
  htmlUrl: string;
}

/** What the platform reports about a run beyond the fact that is stored. */
export interface LiveWorkflowRun extends WorkflowRun {
  /** Path of the workflow file; null when the platform did not report it. */
  workflowPath: string | null;
  jobsUrl: string;
  /**
   * Its check suite, by which jobs of several runs can be requested together; null when the platform did not report it.
   */
  checkSuiteId: string | null;
  headCommit: { message: string; authorName: string | null } | null;
  pullRequests: { number: number; url: string; headSha: string }[];
}

export interface JobStep {
  number: number;
  name: string;
  status: string;
  conclusion: Conclusion | null;
  startedAt: Instant | null;
  completedAt: Instant | null;
}

/** One job of one attempt of a workflow run. */
export interface WorkflowJob {
  id: number;
  runId: number;
  attempt: number;
  name: string;
  workflowName: string | null;
  status: string;
  conclusion: Conclusion | null;
  createdAt: Instant | null;
  startedAt: Instant | null;
  completedAt: Instant | null;
  runnerName: string | null;
  runnerGroup: string | null;
  labels: string[];
  htmlUrl: string;
  steps: JobStep[];
}
