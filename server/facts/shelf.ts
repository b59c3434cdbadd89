import type { Standing } from '../codehost/standing.ts';
import type { Commit, Deployment, Issue, PullRequest, Release } from '../metrics/delivery-facts.ts';
import type { Instant, Repository } from '../metrics/facts.ts';

/** The kinds of facts that are kept of a repository, each with its shape. */
export interface FactOf {
  pull_requests: PullRequest;
  /** Of the default branch. */
  commits: Commit;
  issues: Issue;
  deployments: Deployment;
  releases: Release;
}

export type FactKind = keyof FactOf;

/** How far the facts of one kind have been read, and what the platform told of the kind then. */
export interface Ledger<Kind extends FactKind = FactKind> extends Standing {
  kind: Kind;
  /** Every fact that `mattersAt` this instant or later is kept, unless `capped`. */
  floor: Instant;
  /** Everything the platform held at this instant is kept. */
  through: Instant;
  /** true when a cap ended the first reading: the earliest facts after `floor` are missing. */
  capped: boolean;
}

/** What one reading brought. */
export interface Brought<Kind extends FactKind = FactKind> {
  ledger: Ledger<Kind>;
  items: FactOf[Kind][];
  /** Kept facts of the kind that are not among the items go: the whole set was read again. */
  replaces: boolean;
}

/** Where the facts of repositories rest between readings: the database, or a bounded memory without one. */
export interface FactShelf {
  isDatabase: boolean;
  ledgers(repository: Pick<Repository, 'id'>): Promise<Ledger[]>;
  /**
   * Keeps facts and how far they reach, all or nothing. An older copy of a fact never replaces a newer one. What does
   * not replace only adds to a kind that is kept already: it moves neither `floor` nor `capped`. A reading of changes
   * that ends before `through` adds nothing: what it brings is kept already, or has vanished since.
   */
  keep(repository: Repository, brought: readonly Brought[]): Promise<void>;
  /** Kept facts that matter at `since` or later; pull requests without their titles when read from a database. */
  facts<Kind extends FactKind>(repository: Pick<Repository, 'id'>, kind: Kind, since: Instant): Promise<FactOf[Kind][]>;
}

/**
 * The instant by which a fact belongs to a window. An open issue always matters; an open pull request never does here,
 * because what is open is read from the platform itself.
 */
export const mattersAt: { [Kind in FactKind]: (fact: FactOf[Kind]) => Instant | null } = {
  pull_requests: ({ state, mergedAt, closedAt }) => (state === 'open' ? null : (mergedAt ?? closedAt)),
  commits: ({ committedAt }) => committedAt,
  issues: ({ closedAt }) => closedAt ?? Number.POSITIVE_INFINITY,
  deployments: ({ createdAt }) => createdAt,
  releases: ({ publishedAt }) => publishedAt,
};

/** Whether a fact matters at `since` or later. */
export function isSince<Kind extends FactKind>(kind: Kind, fact: FactOf[Kind], since: Instant): boolean {
  return (mattersAt[kind](fact) ?? Number.NEGATIVE_INFINITY) >= since;
}

export const identityOf: { [Kind in FactKind]: (fact: FactOf[Kind]) => string | number } = {
  pull_requests: ({ number }) => number,
  commits: ({ sha }) => sha,
  issues: ({ number }) => number,
  deployments: ({ id }) => id,
  releases: ({ tag }) => tag,
};

/** Whether every part of it could be read. Only such a fact is kept: nobody would come back for the part. */
export const isWhole: { [Kind in FactKind]: (fact: FactOf[Kind]) => boolean } = {
  pull_requests: ({ reviews, clock }) => reviews !== null && clock !== null,
  commits: () => true,
  issues: ({ comments }) => comments !== null,
  deployments: ({ statuses }) => statuses !== null,
  releases: () => true,
};

/** Of two copies of one fact, which is the later: the greater wins, and of equals the one that came last. */
export const versionOf: { [Kind in FactKind]: (fact: FactOf[Kind]) => number } = {
  pull_requests: ({ updatedAt }) => updatedAt,
  commits: () => 0,
  issues: ({ updatedAt }) => updatedAt,
  deployments: ({ statuses }) => statuses?.length ?? 0,
  releases: () => 0,
};
