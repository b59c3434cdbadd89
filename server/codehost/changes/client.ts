import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { AdvisoryReads } from '../action-references/advisories.ts';
import type { ActionReferenceReads } from '../action-references/reads.ts';
import type { BillingReads } from '../billing/billing.ts';
import type { CacheReads } from '../caches/reads.ts';
import type { Codehost } from '../client/client.ts';
import type { KindTotals } from '../client/totals.ts';
import type { DeliveryReads } from '../delivery/client.ts';
import type { IssueWrites } from '../issues/writes.ts';
import type { DocumentationReads } from '../pull-requests/documentation.ts';
import type { PullRequestStateReads } from '../pull-requests/states.ts';
import type { PullRequestWrites } from '../pull-requests/writes.ts';
import type { ActionFileReads } from '../ref-targets/action-files.ts';
import type { RefTargetReads } from '../ref-targets/reads.ts';
import type { RequiredCheckReads } from '../required-checks/reads.ts';
import type { LogReads } from '../runs/logs.ts';
import type { AlertReads } from '../security-alerts/client.ts';
import type { WorkflowChangeReads } from '../workflow-changes/client.ts';
import type { WorkflowFileReads } from '../workflow-files/client.ts';
import type { WorkflowTreeReads } from '../workflow-files/trees.ts';

/** For each kind of fact: from when on changes are wanted, and for commits the head that is stored. */
export type Wanted = Partial<Record<FactKind, { since: Instant; head: string | null }>>;

/** What changed in one kind. */
export interface Change<Fact> extends KindTotals {
  items: Fact[];
  /** true when everything that changed since then was read. */
  reached: boolean;
  /** How many commits came on top of the wanted head; null where the branch does not hold it, and for other kinds. */
  added: number | null;
  asOf: Instant;
}

/** Kinds that were not wanted, or that the token may not read, are absent. */
export type Changes = { [Kind in FactKind]?: Change<FactOf[Kind]> };

export interface ChangeReads {
  /**
   * Everything that changed in a repository, in one request where at most 25 pull requests, 30 issues, 100 commits,
   * 50 deployments and 30 releases did; a kind in which more did is read on alone, 10 pages at most. Always requests the
   * platform, never a copy. A deployment changed with its newest status; one created before `since` is found among
   * the newest 50 alone. Throws `not_found` and the other problems of the platform.
   */
  changes(name: RepositoryName, wanted: Wanted): Promise<Changes>;
}

/** Everything that is read from the platform, and what is written to it. */
export type Platform = Codehost &
  DeliveryReads &
  ChangeReads &
  WorkflowFileReads &
  WorkflowTreeReads &
  ActionReferenceReads &
  AdvisoryReads &
  RefTargetReads &
  ActionFileReads &
  BillingReads &
  CacheReads &
  RequiredCheckReads &
  DocumentationReads &
  LogReads &
  AlertReads &
  WorkflowChangeReads &
  IssueWrites &
  PullRequestStateReads &
  PullRequestWrites;
