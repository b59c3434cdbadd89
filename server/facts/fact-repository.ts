import type { KindTotals } from '../codehost/client/totals.ts';
import type { Commit, Deployment, Issue, PullRequest, Release } from '../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';

/** The kinds of facts that are stored of a repository, each with its shape. */
export interface FactOf {
  pull_requests: PullRequest;
  /** Of the default branch. */
  commits: Commit;
  issues: Issue;
  deployments: Deployment;
  releases: Release;
}

export type FactKind = keyof FactOf;

/** How far the facts of one kind have been read, and what the platform reported of the kind then. */
export interface SyncState<Kind extends FactKind = FactKind> extends KindTotals {
  kind: Kind;
  /** Every fact with an `eventTime` at this instant or later is stored, unless `capped`. */
  floor: Instant;
  /** Everything the platform held at this instant is stored. */
  through: Instant;
  /** true when a cap ended the first reading: the earliest facts after `floor` are missing. */
  capped: boolean;
}

/** What one reading returned. */
export interface FactBatch<Kind extends FactKind = FactKind> {
  syncState: SyncState<Kind>;
  items: FactOf[Kind][];
  /** Stored facts of the kind that are not among the items are deleted: the complete set was read again. */
  replaces: boolean;
}

/** Where the facts of repositories rest between readings: the database, or a bounded memory without one. */
export interface FactRepository {
  isDatabase: boolean;
  syncStates(repository: Pick<Repository, 'id'>): Promise<SyncState[]>;
  /**
   * Keeps facts and how far they reach, all or nothing. An older copy of a fact never replaces a newer one. What does
   * not replace only adds to a kind that is stored already: it moves neither `floor` nor `capped`. A reading of changes
   * that ends before `through` adds nothing: what it brings is stored already, or has vanished since.
   */
  store(repository: Repository, batches: readonly FactBatch[]): Promise<void>;
  /** Stored facts that matter at `since` or later; pull requests without their titles when read from a database. */
  facts<Kind extends FactKind>(repository: Pick<Repository, 'id'>, kind: Kind, since: Instant): Promise<FactOf[Kind][]>;
}

/**
 * The instant by which a fact belongs to a window. An open issue always matters, and so does a release of an unread time;
 * an open pull request never does here, because what is open is read from the platform itself.
 */
export const eventTime: { [Kind in FactKind]: (fact: FactOf[Kind]) => Instant | null } = {
  pull_requests: ({ state, mergedAt, closedAt }) => (state === 'open' ? null : (mergedAt ?? closedAt)),
  commits: ({ committedAt }) => committedAt,
  issues: ({ closedAt }) => closedAt ?? Number.POSITIVE_INFINITY,
  deployments: ({ createdAt }) => createdAt,
  releases: ({ publishedAt }) => publishedAt ?? Number.POSITIVE_INFINITY,
};

/** Whether a fact matters at `since` or later. */
export function isSince<Kind extends FactKind>(kind: Kind, fact: FactOf[Kind], since: Instant): boolean {
  return (eventTime[kind](fact) ?? Number.NEGATIVE_INFINITY) >= since;
}

/** Whether every part of it could be read. Only such a fact is stored: nobody would come back for the part. */
export const isComplete: { [Kind in FactKind]: (fact: FactOf[Kind]) => boolean } = {
  pull_requests: ({ labels, reviews, clock, isAuthorUnread, isMergerUnread }) =>
    labels !== null &&
    (reviews?.every(({ isCommitUnread }) => !isCommitUnread) ?? false) &&
    clock !== null &&
    !isAuthorUnread &&
    !isMergerUnread,
  commits: ({ isAuthorUnread, isChangedFilesUnread }) => !isAuthorUnread && !isChangedFilesUnread,
  issues: ({ comments, labels, assignees, closedByBot, isCloseReasonUnread }) =>
    comments !== null && labels !== null && assignees !== null && closedByBot !== null && !isCloseReasonUnread,
  deployments: ({ statuses, isCreatorUnread }) => statuses !== null && !isCreatorUnread,
  releases: ({ publishedAt }) => publishedAt !== null,
};

/** Of two copies of one fact, which is the later: the greater wins, and of equals the one that came last. */
export const getVersion: { [Kind in FactKind]: (fact: FactOf[Kind]) => number } = {
  pull_requests: ({ updatedAt }) => updatedAt,
  commits: () => 0,
  issues: ({ updatedAt }) => updatedAt,
  deployments: ({ statuses }) => statuses?.length ?? 0,
  releases: () => 0,
};
