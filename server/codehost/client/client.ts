import type {
  Instant,
  LiveWorkflowRun,
  Organization,
  Repository,
  RepositoryName,
  RepositoryState,
  Workflow,
  WorkflowJob,
} from '../../metrics/kernel/facts.ts';
import type { Problem } from '../../platform/problem.ts';
import type { Excluded } from './readable-items.ts';

/** How old an answer is. */
export interface Freshness {
  /** true when the platform could not be reached and an older copy (at most 24 h) is given instead. */
  stale: boolean;
  /** When it was read from the platform. */
  asOf: Instant;
}

/** A list read from the platform, and whether it was read to its end. */
export interface Listing<T> {
  items: T[];
  /** true when a cap stopped the reading before the end, or single sign-on keeps items from the token. */
  partial: boolean;
  /** true when a cap is the only reason for that, so that reading it again brings no more. Set by GraphQL lists. */
  capped?: boolean;
  /** true when single sign-on keeps items from the token; absent otherwise. */
  hidden?: boolean;
  /** Of which items fields could not be read, so that they were excluded or lack them; absent when there are none. */
  partialReason?: string | undefined;
  /** The platform's own count, where it gives one. */
  totalCount: number | null;
  /** true when the platform could not be reached and an older copy (at most 24 h) is given instead. */
  stale: boolean;
  /** When the oldest part of the answer was read from the platform. */
  asOf: Instant;
}

/** What is missing of a repository's state: the fields, and whether it is because the token may not read them. */
export interface Unread {
  unread: Excluded | null;
  isDenied?: boolean;
}

/** The account behind a token. */
export interface Viewer {
  id: number;
  login: string;
  name: string | null;
  avatarUrl: string;
  email: string | null;
  /** Classic token scopes; null for tokens that have none to show. */
  scopes: string[] | null;
}

export interface Quota {
  limit: number;
  remaining: number;
  /** Epoch seconds. */
  reset: number;
  used: number;
}

export interface RateLimits {
  core: Quota;
  graphql: Quota;
  search: Quota;
  /** true when the server has rate limits switched off. */
  disabled: boolean;
  checkedAt: Instant;
}

/**
 * How the account belongs to a repository: `member` stands for every repository of an organization,
 * because the list does not tell outside collaborators apart.
 */
export type RepositoryWithAffiliation = Repository & { affiliation: 'owner' | 'collaborator' | 'member' };

/** How the account belongs to an organization. `admin` are its owners. */
export interface Membership {
  state: 'active' | 'pending';
  role: string;
}

/** An account in an organization or a team. */
export interface Member {
  id: number;
  login: string;
}

/** A team of an organization. */
export interface Team {
  /** Names it in addresses. */
  slug: string;
  name: string;
}

/** One page of a repository's runs, newest first. The platform stops a filtered list at 1,000 results. */
export interface RunsPage {
  totalCount: number;
  runs: LiveWorkflowRun[];
  /** How many more are on the page, with a field that could not be read. */
  unread: number;
}

/** A completed first attempt, with the check suite that holds its jobs. */
export type SuiteOfRun = Pick<LiveWorkflowRun, 'id' | 'workflowName' | 'updatedAt'> & { checkSuiteId: string };

/** What check suites report of the jobs of runs: all but runners, labels and enqueue times. */
export interface JobsOfSuites {
  /**
   * With the id of their run. A run is absent when its suite, or a part of it, cannot be read, or when the suite does
   * not hold just those jobs: started again since, or with more than 50 jobs or 100 steps in a job.
   */
  jobs: [runId: number, jobs: WorkflowJob[]][];
  /** Why suites, or parts of them, could not be read; null where none were, or some that are missing entirely. */
  problem: Problem | null;
}

/**
 * Everything the service reads from the platform, with one caller's token.
 * Every method throws `Problem` with the codes of the upstream failure table.
 */
export interface Codehost {
  /** The account behind the token; a request each time. */
  viewer(): Promise<Viewer>;
  /** The account, if the platform named it within five minutes; sends no request. */
  knownViewer(): Viewer | null;
  /**
   * Asks once, conditionally and against no budget, whether the platform still takes the token. Throws
   * `unauthenticated` alone: where it cannot be determined, it is not called again for a moment.
   */
  confirm(): Promise<void>;
  rateLimits(): Promise<RateLimits>;
  repositories: {
    /** Repositories the token can see, newest update first; at most 30 pages of 100. */
    mine(): Promise<Listing<RepositoryWithAffiliation>>;
    /** Repositories of an organization that the token can see. 404 when the account is no organization. */
    ofOrganization(org: string): Promise<Listing<Repository>>;
    /**
     * One repository, following renames. Also the proof that the token may see it: remembered for 5 minutes,
     * an error for 30 seconds, and never answered by a stale copy.
     */
    get(name: RepositoryName): Promise<Repository>;
    /** What is known of a repository, an older copy included: for its default branch, never as a proof. */
    about(name: RepositoryName): Promise<Repository & Freshness>;
    /** Those of `mine` that were read a short while ago, without a request. */
    knownMine(): readonly Repository[];
    /** What `get` read a short while ago, without a request; null when nothing is. */
    known(name: RepositoryName): Repository | null;
    /** The name the platform redirected this one to, when a read of it was answered by a renamed repository. */
    canonical(name: RepositoryName): RepositoryName | null;
    /**
     * Head status and counts, 50 repositories a request, remembered for 5 minutes. Repositories the token cannot
     * see are excluded; of others `unread` names the fields that could not be read. A renamed one keeps the name of the
     * request; `canonical` gives the new one.
     */
    states(names: readonly RepositoryName[]): Promise<(RepositoryState & Freshness & Unread)[]>;
  };
  organizations: {
    /** Organizations of the account; `scopeHint` when the token's scopes may hide some. */
    mine(): Promise<Listing<Organization> & { scopeHint: boolean }>;
    /**
     * The account's own membership, requested each time; null when it has none that the token may see.
     * An error because of a quota, or no answer, throws.
     */
    membership(org: string): Promise<Membership | null>;
    /** Whether the account is an active member, as far as the token may see; cached for five minutes. */
    isMember(org: string): Promise<boolean>;
    /**
     * Whether another account is a member, by its number, requested each time. Throws where that is not certain: for an
     * account that is not found, and where the token's own account is no member.
     */
    hasMember(org: string, accountId: number): Promise<boolean>;
    /** Teams of an organization that the account may see; at most 10 pages of 100. */
    teams(org: string): Promise<Listing<Team>>;
    /** A team's members and those of its child teams, or everybody in the organization without one. */
    members(org: string, team: string | null): Promise<Listing<Member>>;
  };
  workflows: {
    /** All workflows of a repository, at most 10 pages of 100. */
    list(name: RepositoryName): Promise<Listing<Workflow>>;
    /** How many they are, from the first page alone; null where there are more and the platform does not count them. */
    count(name: RepositoryName): Promise<Freshness & { count: number | null }>;
  };
  runs: {
    /** Runs of one workflow, newest first, one page. */
    ofWorkflow(name: RepositoryName, workflowId: number, perPage: number): Promise<Listing<LiveWorkflowRun>>;
    /** The newest runs of one workflow on a branch, one page of 100, pull requests from branches of that name too. */
    ofBranch(name: RepositoryName, workflowId: number, branch: string): Promise<Listing<LiveWorkflowRun>>;
    /** The newest runs of a repository created at or after `since`, at most `pages` pages of 100. */
    recent(name: RepositoryName, since: Instant, pages: number): Promise<Listing<LiveWorkflowRun>>;
    /** The newest completed runs of a repository, one page of 100. */
    completed(name: RepositoryName): Promise<Listing<LiveWorkflowRun>>;
    /** How many runs of a repository were created at or after `since`, as the platform counts them; in one request. */
    countSince(name: RepositoryName, since: Instant): Promise<Freshness & { count: number }>;
    /** One page of 100 of the runs created in a window (both ends included), for sync. Never from a cache. */
    window(name: RepositoryName, from: Instant, to: Instant, page: number): Promise<RunsPage>;
    /** One run, its latest attempt; null when it is gone. Never from a cache. */
    get(name: RepositoryName, runId: number): Promise<LiveWorkflowRun | null>;
    /** An earlier attempt of a run; null when it is gone. An ended attempt never changes. */
    attempt(name: RepositoryName, runId: number, attempt: number): Promise<LiveWorkflowRun | null>;
  };
  jobs: {
    /** Jobs of one attempt (the latest by default), all pages. */
    ofRun(name: RepositoryName, runId: number, attempt?: number): Promise<Listing<WorkflowJob>>;
    /** Jobs of a completed attempt, all pages, as they are now: never a copy from when it was under way. */
    ofCompleted(name: RepositoryName, runId: number, attempt: number): Promise<Listing<WorkflowJob>>;
    /** What this token was given by `ofCompleted` before, which still holds; null when it is not remembered. */
    recallCompleted(name: RepositoryName, runId: number, attempt: number): Listing<WorkflowJob> | null;
    /** Jobs of completed first attempts, read by their check suites, ten in one request. */
    ofSuites(name: RepositoryName, runs: readonly SuiteOfRun[]): Promise<JobsOfSuites>;
  };
}
