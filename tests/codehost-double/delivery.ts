import type {
  Commit,
  Deployment,
  Issue,
  MergeQueueEvent,
  OpenPullRequest,
  Release,
  Review,
  ReviewClockEvent,
} from '../../server/metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../../server/metrics/kernel/facts.ts';

/** A file a commit changed. */
export interface DoubleFile {
  path: string;
  additions: number;
  deletions: number;
  /** The commit took the file away. */
  removed?: true;
}

/** A commit with what its detail and its git author tell. */
export interface DoubleCommit extends Pick<Commit, 'sha' | 'author' | 'authorName' | 'authoredAt' | 'committedAt'> {
  message: string;
  /** Minutes the author's clock was ahead of UTC. */
  offset: number;
  /** Two or more for a merge. */
  parents: number;
  files: DoubleFile[];
  /** The address that git has of the author; one that follows from the name when not said. */
  authorEmail?: string;
  /** Who its `Co-authored-by` trailers name. The platform links no bot among them. */
  coAuthors?: { name: string; email: string }[];
  /** The author, when not said. */
  committer?: Actor;
  /** How the platform judges its signature; unsigned when not said. */
  signature?: 'VALID' | 'INVALID' | 'UNKNOWN_KEY' | 'GPGVERIFY_UNAVAILABLE';
}

/** A review that was begun and not sent. Only its author sees it. */
export interface PendingReview {
  id: string;
  reviewer: Actor;
}

type Derived =
  | 'isRevert'
  | 'mergeQueue'
  | 'commitCount'
  | 'firstCommitAt'
  | 'reviewsTruncated'
  | 'lastPushAt'
  | 'htmlUrl';

export type DoubleReview = Review & { comments: number };

/** A pull request. A `pushed` event of its clock is a forced push; usual pushes show in its commits alone. */
export interface DoublePullRequest extends Omit<OpenPullRequest, Derived> {
  title: string;
  /** Its text, where one was given. */
  body?: string;
  /** The slug of the app through which it was opened. */
  app?: string;
  /** Its branch is one of a fork. */
  isFromFork?: true;
  reviews: DoubleReview[];
  clock: ReviewClockEvent[];
  /** What merge queues did with it, in any order. */
  queueEvents: MergeQueueEvent[];
  /** Oldest first. */
  commits: DoubleCommit[];
  pending: PendingReview[];
  mergeSha: string | null;
  /** Comments of its conversation, without those inside of reviews. */
  comments: number;
}

export interface DoubleIssue
  extends Omit<Issue, 'htmlUrl' | 'closedByBot' | 'title' | 'closeReason' | 'labels' | 'assignees'> {
  labels: NonNullable<Issue['labels']>;
  assignees: string[];
  title: string;
  comments: number;
  closeReason: Issue['closeReason'] | 'duplicate';
  closedBy: Actor | null;
  /** Its text, where one was given. */
  body?: string | null;
}

export interface DoubleRelease extends Omit<Release, 'publishedAt' | 'htmlUrl'> {
  id: number;
  createdAt: Instant;
  /** null for a draft. */
  publishedAt: Instant | null;
  author: Actor;
  /** Its tag can neither be moved nor deleted. */
  isImmutable?: true;
}

export interface DoubleDeployment extends Omit<Deployment, 'url' | 'statuses'> {
  statuses: NonNullable<Deployment['statuses']>;
  /** Whether it was created with the flag for production. */
  production: boolean;
  /** Address of what was deployed, reported by its statuses. */
  url: string | null;
}

/** What people did to a repository beside its workflow runs. */
export interface DoubleDelivery {
  /** The default branch, in any order. */
  commits: DoubleCommit[];
  pullRequests: DoublePullRequest[];
  issues: DoubleIssue[];
  releases: DoubleRelease[];
  deployments: DoubleDeployment[];
  /** Environments that were set up, whether anything was deployed to them or not. */
  environments: string[];
}

export type ReviewParts = Partial<DoubleReview> & Pick<DoubleReview, 'reviewer' | 'state' | 'submittedAt'>;

/** Open ones of a repository; none where the tracker is off. */
export const openOf = ({ issues, pullRequests }: DoubleDelivery, issuesEnabled: boolean) => ({
  issues: issuesEnabled ? issues.filter((one) => one.closedAt === null).length : 0,
  pullRequests: pullRequests.filter((one) => one.state === 'open').length,
});

/** Of one instant, the one that came last is the newest. */
export const newestFirst = (commits: DoubleCommit[]) =>
  commits.toReversed().sort((one, other) => other.committedAt - one.committedAt);

/** Whether a commit changed a file, or a file below a directory. */
export const touches = ({ files }: DoubleCommit, path: string) =>
  files.some((file) => file.path === path || file.path.startsWith(`${path}/`));

/** Parents are not stored: they are the commits before it. */
export function parentsOf(commits: DoubleCommit[], given: DoubleCommit): DoubleCommit[] {
  const older = newestFirst(commits).filter((one) => one.committedAt < given.committedAt);
  return older.slice(0, given.parents);
}
