import type { Instant } from '../../../metrics/kernel/facts.ts';
import type { JobLog } from '../../../metrics/security/job-log.ts';
import type { LedgerRow } from '../../../metrics/security/ref-ledger.ts';
import type { UsedRef } from '../../../scan/action-uses.ts';
import type { Reason } from './verdict.ts';

/** What a job could use, with the uses that lead to it, the outermost first. */
export interface ReachedUse extends UsedRef {
  via: UsedRef[];
  /** The commits at which it was read what it uses in turn. */
  readAt: string[];
  wasSkipped: boolean;
}

/** The workflow file that ran, with what it uses in turn. */
export interface ExecutedFile {
  /** Why it is not certain that this file ran; null where it is. */
  uncertain: Reason | null;
  uses: ReachedUse[];
  /** Of what could not be followed. */
  unknown: Reason[];
  /** Whether it names repositories of which the ledger knows no id, as below. */
  hasUnknownNames: boolean;
}

/** What is known of a job, or of a whole attempt where its jobs cannot be distinguished. */
export interface JobEvidence {
  /** The repository that it ran in, as `owner/repo` in lower case. */
  repository: string;
  /** The commit that the run names: of a pull request its merge commit ran. */
  headSha: string;
  /** Of the attempt. */
  startedAt: Instant;
  /** Of the attempt; null while it runs. */
  completedAt: Instant | null;
  /** null where that is not known. */
  hasBegun: boolean | null;
  /** null where it was not read. */
  log: JobLog | null;
  /** Whether it names repositories of which the ledger knows no id: under another name they may be the suspect. */
  hasUnknownNames: boolean;
  /** Why it was not. */
  missingLog: Extract<Reason, 'log_unread' | 'log_expired' | 'log_cut'>;
  /** null where it was not read. */
  file: ExecutedFile | null;
  /** What its repository used by the readings before and after; null where there was none. */
  observed: UsedRef[] | null;
  /** The reusable workflows that the run names, with their commits; null where that was not stored. */
  called: (UsedRef & { commit: string })[] | null;
}

/** What is known of refs. */
export interface RefFacts {
  /** What was observed of a ref, oldest first; null where it is not to be shown. */
  history(used: UsedRef): readonly LedgerRow[] | null;
  /** The commit of the tag of an immutable release, and when that was seen. */
  immutable(used: UsedRef): { commit: string; seenAt: Instant } | null;
  /** Whether a commit of the suspect was seen before its time. */
  isOlder(commit: string): boolean;
  /** Whether whoever asks may see the name. */
  isShown(used: UsedRef): boolean;
}
