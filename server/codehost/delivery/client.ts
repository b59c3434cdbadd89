import type { PullRequestSigns } from '../../metrics/ai-authorship/classify.ts';
import type {
  Commit,
  Deployment,
  Issue,
  OpenPullRequest,
  PullRequest,
  PullRequestCommit,
  Release,
} from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Freshness, Listing } from '../client/client.ts';
import type { MergeQueue } from './merge-queue.ts';

/** How many issues or pull requests there are of some kind, counted by the platform itself. */
export interface IssueCounts {
  openCount: number;
  openedInPeriod: number;
  closedInPeriod: number;
  closedNotPlanned: number;
  staleCount: number;
  unlabelledCount: number;
  unassignedCount: number;
  unansweredCount: number;
  /** Open by age: under a week, 7–30, 30–90, over 90 days. */
  ages: [number, number, number, number];
  oldestOpen: Issue | null;
}

/** The instants by which issues are counted. */
export interface IssueWindow {
  since: Instant;
  now: Instant;
}

/** Contributions of an account over 52 weeks and what they went to. */
export interface Contributions {
  account: {
    /** The platform's own id in GraphQL, for `historiesBy`. */
    id: string;
    login: string;
    name: string | null;
    avatarUrl: string;
    bio: string | null;
    company: string | null;
    location: string | null;
    htmlUrl: string;
    isBot: boolean;
  };
  /** Days that have contributions, in the platform's own calendar. */
  days: { date: string; count: number }[];
  /** Contributions the viewer may not see in detail. */
  restricted: number;
  repositories: { name: RepositoryName; defaultBranch: string | null; language: string | null; commits: number }[];
  /** See `Listing`. */
  partialReason?: string | undefined;
}

export interface PullRequestWithRepository extends PullRequest {
  repository: RepositoryName;
}

export interface CommitWithRepository extends Commit {
  repository: RepositoryName;
}

/** Commits with the directories each touched, by sha. */
export interface CommitDirectories extends Listing<Commit> {
  /**
   * Directories without a slash at the end, '' for the root. A file counts for the directory it lies in, but not
   * deeper than two levels, or one below `below`. Generated files and vendored directories count for none.
   */
  touched: Map<string, string[]>;
  /** The directories that were looked at, touched or not. */
  known: string[];
  /** true when some commits may have touched more: too many directories, no answer, or directories that are gone. */
  undecided: boolean;
  /** true when an answer did not come, so that a later question may bring more. */
  unanswered: boolean;
}

/** Pull requests from an instant until now. */
export interface PullRequestWindow extends Freshness {
  /** Created in it, whatever became of them, counted by the platform itself. */
  opened: number;
  /** Merged in it, counted likewise. */
  merged: number;
  /** Created in it and still open, newest first, at most 1,000. */
  stillOpen: Pick<PullRequest, 'number' | 'author' | 'createdAt'>[];
  /** true when not all of those were read. */
  partial: boolean;
  /** See `Listing`. */
  partialReason?: string | undefined;
}

/** A page of the pull requests that were closed or merged, the newest update first. */
export interface EndedPage {
  items: PullRequest[];
  /** The oldest update of the page; null when it is empty. */
  oldestUpdate: Instant | null;
  /** Where the next page begins; null after the last. It may be used in another process, and days later. */
  next: string | null;
}

/** A pull request with what of it can carry a mark of an agent; held in memory only. */
export interface SignedPullRequest {
  number: number;
  title: string;
  body: string;
  updatedAt: Instant;
  isMerged: boolean;
  /** The commit by which it was merged; null where it was not. */
  mergeSha: string | null;
  signs: PullRequestSigns;
}

/** A page of them, the newest update first, open ones among them; otherwise as `EndedPage`. */
export interface SignedPage extends Omit<EndedPage, 'items'> {
  items: SignedPullRequest[];
}

/** How a pull request was opened. */
export interface Opening {
  createdAt: Instant;
  /** The slug of the app through which it was; null where there is none. */
  app: string | null;
}

/** Commits of a pull request in the order of its branch. */
export interface PullRequestCommits {
  commits: PullRequestCommit[];
  /** true when it has more than were read. */
  truncated: boolean;
}

/** What the platform reports of pull requests, commits, issues, releases and deployments. */
export interface DeliveryReads {
  pullRequests: {
    /**
     * Merged in a window, newest merge first, at most 2,000. A search holds 1,000: the window is halved where it has
     * more, `slices` is how many. When partial, `totalCount` counts from the start of the first day on.
     */
    merged(name: RepositoryName, since: Instant, until: Instant): Promise<Listing<PullRequest> & { slices: number }>;
    /** The newest closed or merged ones by closing time, exactly `count` where there are as many. Ask for 450 at most. */
    lastClosed(name: RepositoryName, count: number): Promise<Listing<PullRequest>>;
    /** Closed or merged since then, newest first; read as `merged`. */
    closed(name: RepositoryName, since: Instant): Promise<Listing<PullRequest>>;
    /**
     * Reads closed and merged ones page by page: 50 at once, fewer from where a page was too heavy. Never a copy. null
     * when the platform does not know the place (any more). A page with gaps throws `upstream_unavailable`.
     */
    endedPages(name: RepositoryName): (after: string | null) => Promise<EndedPage | null>;
    /**
     * The commits of at most 10, in one request where none has more than 100, and at most 500 of each. Never a copy.
     * null for those that the token cannot see (any more); those that the platform failed to report are excluded, unless
     * that is all of them: then it throws `upstream_unavailable`.
     */
    readCommits(name: RepositoryName, numbers: readonly number[]): Promise<Map<number, PullRequestCommits | null>>;
    /**
     * Reads what of them can carry a mark of an agent, 25 at once with 30 commits of each, and one request more for each
     * hundred of further commits, at most 250. Never a copy. null as `endedPages`, and a page with gaps throws; further
     * commits that could not be read are incomplete.
     */
    signPages(name: RepositoryName): (after: string | null) => Promise<SignedPage | null>;
    /** How a pull request was opened, in one REST request; null where the platform does not know it any more. */
    opening(name: RepositoryName, number: number): Promise<Opening | null>;
    /** Open ones, oldest first, at most 300; `totalCount` is exact. Cached for five minutes, but not for `always`. */
    open(name: RepositoryName, options?: { always?: boolean }): Promise<Listing<OpenPullRequest>>;
    /**
     * The merge queue of a branch, or of the default branch; null where it has none. Cached for a minute.
     * `isSupported` is false on a host that knows no queues.
     */
    queue(
      name: RepositoryName,
      branch: string | null,
    ): Promise<{ queue: MergeQueue | null; defaultBranch: string | null; isSupported: boolean } & Freshness>;
    /** What was created and merged since then; one request where at most a hundred are still open. Cached 30 minutes. */
    window(name: RepositoryName, since: Instant): Promise<PullRequestWindow>;
    /** Titles by number, for pull requests that were stored without; those that are not found are excluded. */
    titles(name: RepositoryName, numbers: readonly number[]): Promise<Map<number, string>>;
    /** Exact numbers merged into a branch in each span (its end excluded), in one request. */
    mergedCounts(name: RepositoryName, branch: string, spans: { from: Instant; to: Instant }[]): Promise<number[]>;
    /** By an account in the repositories of an owner, created, merged or closed since then, newest first. */
    authoredBy(owner: string, login: string, since: Instant): Promise<Listing<PullRequestWithRepository>>;
    /** Of others, reviewed by an account, updated since then. */
    reviewedBy(owner: string, login: string, since: Instant): Promise<Listing<PullRequestWithRepository>>;
  };
  commits: {
    /**
     * Commits of the default branch since then, newest first, at most `most`. `head` is the one it ends in, however
     * old. Empty and null for an empty repository.
     */
    history(name: RepositoryName, since: Instant, max: number): Promise<Listing<Commit> & { head: string | null }>;
    /** The newest 100 of an account in each of up to 20 repositories, in one request. `authorId` is `account.id`. */
    historiesBy(
      names: readonly RepositoryName[],
      authorId: string,
      since: Instant,
    ): Promise<Listing<CommitWithRepository>>;
    /**
     * The newest `most` commits with the directories they touched, cached for 6 hours. Without `below` two levels from
     * the root; with it the next level below that directory, for splitting it up: a commit's `below` is then to be
     * replaced by what this gives for it. Up to ten requests for 300 commits, two or three more for each `below`.
     */
    directories(name: RepositoryName, since: Instant, max: number, below?: string): Promise<CommitDirectories>;
  };
  releases: {
    /** Published since then; `total` counts the published ones of all time, drafts among the newest 30 excluded. */
    since(name: RepositoryName, since: Instant): Promise<Listing<Release> & { total: number | null }>;
  };
  deployments: {
    /** Newest first down to `since`, at most 500; `totalCount` is the all-time count. */
    since(name: RepositoryName, since: Instant): Promise<Listing<Deployment> & { newestAt: Instant | null }>;
    /** Environments of the newest 100 deployments that the platform itself marks as production. */
    productionEnvironments(name: RepositoryName): Promise<string[]>;
  };
  issues: {
    /** Exact counts in one request; throws `issues_disabled` when the tracker is off. */
    counts(name: RepositoryName, window: IssueWindow): Promise<IssueCounts>;
    /** Open ones, at most 1,000. */
    open(name: RepositoryName): Promise<Listing<Issue>>;
    /** Closed since then, at most 1,000; `allTime` counts all closed ones there are. */
    closed(name: RepositoryName, since: Instant): Promise<Listing<Issue> & { allTime: number | null }>;
  };
  people: {
    /**
     * `not_found` when there is no such account. `organization` restricts what is counted; the name of a person
     * there restricts nothing. A bot has no days and no repositories.
     */
    contributions(login: string, organization: string | null, now: Instant): Promise<Contributions & Freshness>;
  };
}
