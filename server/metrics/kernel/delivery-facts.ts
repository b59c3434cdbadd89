import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import type { Actor, Instant } from './facts.ts';

export type ReviewState = 'approved' | 'changes_requested' | 'commented' | 'dismissed';

/** A submitted review. Pending ones are visible to their author only and are never read. */
export interface Review {
  id: string;
  /** null for a deleted account. */
  reviewer: Actor | null;
  state: ReviewState;
  submittedAt: Instant;
  /** The head commit that was reviewed; null where the platform has it no more, and where it could not be read. */
  commitSha: string | null;
  /** Set where it could not be read. A pull request with such a review is never stored. */
  isCommitUnread?: boolean | undefined;
  /** Inline comments in it; null where they could not be read. */
  comments: number | null;
}

/**
 * Something that moved the review clock of a pull request; `earlier_unread` where there was more than was read, all of it at
 * that instant or before.
 */
export interface ReviewClockEvent {
  kind: 'ready_for_review' | 'converted_to_draft' | 'review_requested' | 'pushed' | 'earlier_unread';
  at: Instant;
  /** Login of the requested person, for `review_requested`; null for a team. */
  login: string | null;
}

/** A pull request entered a merge queue, or left one. */
export interface MergeQueueEvent {
  kind: 'added' | 'removed';
  at: Instant;
  /** Whether a bot added it. */
  isByBot: boolean;
  /** Of a removal, in the platform's words and lower case; null where it gives none. */
  reason: string | null;
  /** The head of the pull request when it was removed; null where that is not known. */
  headSha: string | null;
}

/** What merge queues did with a pull request. */
export interface MergeQueueHistory {
  /** The newest 20, oldest first. */
  events: MergeQueueEvent[];
  /** The commit by which it was merged, and the first parent of that. */
  mergeSha: string | null;
  parentSha: string | null;
}

/** A pull request as it is now, with what its metrics need. Titles are live only and never stored. */
export interface PullRequest {
  number: number;
  title: string | null;
  /** true when its title names a revert; titles themselves are not stored. */
  isRevert: boolean;
  /** null for a deleted account, and where it could not be read. */
  author: Actor | null;
  /** Set where it could not be read. Such a pull request is never stored. */
  isAuthorUnread?: boolean | undefined;
  state: 'open' | 'merged' | 'closed';
  isDraft: boolean;
  createdAt: Instant;
  updatedAt: Instant;
  closedAt: Instant | null;
  mergedAt: Instant | null;
  /** null where nobody merged it, for a deleted account, and where it could not be read. */
  mergedBy: Actor | null;
  /** Set where it could not be read. Such a pull request is never stored. */
  isMergerUnread?: boolean | undefined;
  baseBranch: string;
  headBranch: string;
  headSha: string | null;
  /** null where they could not be read. */
  labels: string[] | null;
  additions: number;
  deletions: number;
  changedFiles: number;
  commitCount: number;
  /** Author time of its first commit; exact also beyond 250 commits. */
  firstCommitAt: Instant | null;
  /** null where they, or who gave one of them, could not be read. */
  reviews: Review[] | null;
  /** true when it had more reviews than were read, or none could be read. */
  reviewsTruncated: boolean;
  /** null where it could not be read. */
  clock: ReviewClockEvent[] | null;
  /** null where it was not read, and on hosts without merge queues. */
  mergeQueue: MergeQueueHistory | null;
  htmlUrl: string;
}

/** What an open pull request has beside the fact. */
export interface OpenPullRequest extends PullRequest {
  mergeable: 'mergeable' | 'conflicting' | 'unknown';
  reviewDecision: 'approved' | 'changes_requested' | 'review_required' | null;
  requestedReviewers: string[];
  requestedTeams: string[];
  lastPushAt: Instant | null;
}

/** A commit of the default branch. Messages are never stored. */
export interface Commit {
  sha: string;
  /** null when the commit belongs to no account, and where that could not be read. */
  author: Actor | null;
  /** Set where neither the account nor a name that stands for it could be read. Such a commit is never stored. */
  isAuthorUnread?: boolean | undefined;
  /** The git author's name; a person's key where there is no account. Never an email address. */
  authorName: string;
  /** Git author time, UTC. */
  authoredAt: Instant;
  committedAt: Instant;
  parents: number;
  additions: number | null;
  deletions: number | null;
  /** null also where the platform does not count them. */
  changedFiles: number | null;
  /** Set where it could not be read. Such a commit is never stored. */
  isChangedFilesUnread?: boolean | undefined;
}

/** A commit of a pull request, as the branch had it when it was merged. Messages are never stored. */
export type PullRequestCommit = Omit<Commit, 'committedAt'>;

export interface Release {
  tag: string;
  /** null where it could not be read. */
  publishedAt: Instant | null;
  isPrerelease: boolean;
  isDraft: boolean;
  htmlUrl: string;
}

export type DeploymentState =
  | 'error'
  | 'failure'
  | 'in_progress'
  | 'inactive'
  | 'pending'
  | 'queued'
  | 'waiting'
  | 'success';

/** A deployment with its complete status history, oldest first: the newest status alone does not decide. */
export interface Deployment {
  id: number;
  environment: string;
  createdAt: Instant;
  sha: string;
  ref: string | null;
  /** null for a deleted account, and where it could not be read. */
  creator: Actor | null;
  /** Set where it could not be read. Such a deployment is never stored. */
  isCreatorUnread?: boolean | undefined;
  /** null where they could not be read. */
  statuses: { state: DeploymentState; at: Instant }[] | null;
  url: string | null;
}

export interface Issue {
  number: number;
  title: string | null;
  createdAt: Instant;
  updatedAt: Instant;
  closedAt: Instant | null;
  closeReason: 'completed' | 'not_planned' | null;
  /** Set where the reason could not be read. Such an issue is never stored. */
  isCloseReasonUnread?: boolean | undefined;
  /** null where it could not be read who closed it. */
  closedByBot: boolean | null;
  author: Actor | null;
  /** null where they could not be read. */
  labels: { name: string; color: string }[] | null;
  /** null where they could not be read. */
  assignees: string[] | null;
  /** null where they could not be read. */
  comments: number | null;
  htmlUrl: string;
}

/** The key that distinguishes the facts of one kind of a repository. */
export const factKeys: { [Kind in FactKind]: (fact: FactOf[Kind]) => string | number } = {
  pull_requests: ({ number }) => number,
  commits: ({ sha }) => sha,
  issues: ({ number }) => number,
  deployments: ({ id }) => id,
  releases: ({ tag }) => tag,
};
