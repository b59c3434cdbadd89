import type { FactKind, FactOf } from '../facts/shelf.ts';
import type { Instant, RepositoryName } from '../metrics/facts.ts';
import type { Codehost } from './client.ts';
import type { DeliveryReads } from './delivery-client.ts';

/** For each kind of fact: from when on changes are wanted, and from when on the platform shall count. */
export type Wanted = Partial<Record<FactKind, { since: Instant; floor: Instant }>>;

/** What changed in one kind. */
export interface Change<Fact> {
  items: Fact[];
  /** true when everything that changed since then was read. */
  reached: boolean;
  /** The platform's own count: all-time deployments, open issues, commits since `floor`; null for the others. */
  total: number | null;
  /** Of the newest one there is, for deployments. */
  newestAt: Instant | null;
  asOf: Instant;
}

/** Kinds that were not wanted, or that the token may not read, are absent. */
export type Changes = { [Kind in FactKind]?: Change<FactOf[Kind]> };

export interface ChangeReads {
  /**
   * Everything that changed in a repository, in one request where at most 25 pull requests, 30 issues, 100 commits,
   * 50 deployments and 30 releases did; a kind in which more did is read on alone, 10 pages at most. Always asks the
   * platform, never a copy. A deployment changed with its newest status; one created before `since` is found among
   * the newest 50 alone. Throws `not_found` and the other problems of the platform.
   */
  changes(name: RepositoryName, wanted: Wanted): Promise<Changes>;
}

/** Everything that is read from the platform. */
export type Platform = Codehost & DeliveryReads & ChangeReads;
