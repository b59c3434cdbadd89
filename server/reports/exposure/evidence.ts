import type { Context } from '../../access/context.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { Download } from '../../metrics/security/job-log.ts';
import type { SeenRelease } from '../../store/action-ledger.ts';
import type { AttemptLogRow } from '../../store/attempt-logs.ts';
import type { ExposedAttempt, Stretch } from '../../store/exposed-runs.ts';
import type {
  Days,
  FoundRepository,
  SeenCommit,
  SeenNames,
  UseOnDays,
  UsesRequested,
} from '../../store/exposed-uses.ts';
import type { Store } from '../../store/orm.ts';
import { sampleEvidence } from './demo-evidence.ts';

/** What shows whether repositories used something; they are named by the platform's ids. */
export interface EvidenceSource {
  /** Attempts that ran then, newest first, the superseded ones behind the latest; at most `limit`. */
  attempts(repositoryIds: readonly number[], stretch: Stretch, limit: number): Promise<ExposedAttempt[]>;
  /** Those of which every attempt of that time is known. */
  completeRepositories(repositoryIds: readonly number[], stretch: Stretch): Promise<Set<number>>;
  usesOnDays(repositoryIds: readonly number[], requested: UsesRequested): Promise<UseOnDays[]>;
  daysRead(repositoryIds: readonly number[], days: Days): Promise<{ repositoryId: number; day: string }[]>;
  /** `found`: the repository that has the name now, or that was renamed from it, where that was requested. */
  namesOf(actionKey: string, repositoryIds: readonly number[], found: FoundRepository | null): Promise<SeenNames>;
  /**
   * Of these SHAs, those that the ledger saw as commits of an action or as its tags, with the commits of the tags; and the
   * tags that lead to one of them.
   */
  commitsOf(
    shas: readonly string[],
    actionKeys: readonly string[],
    repositoryIds: readonly number[],
  ): Promise<SeenCommit[]>;
  usedSince(repositoryIds: readonly number[], actionKeys: readonly string[]): Promise<{ ref: string; day: string }[]>;
  releases(actionKeys: readonly string[]): Promise<SeenRelease[]>;
  /** Runs that may have run then of which logs were read or are to be, at most so many. */
  loggedRuns(repositoryIds: readonly number[], stretch: Stretch, limit: number): Promise<Set<number>>;
  /** What logs gave of the attempts of these runs. */
  logsOf(runIds: readonly number[]): Promise<AttemptLogRow[]>;
  /** Of these SHAs, those that a log or the record of a run names as commits. */
  recordedCommits(shas: readonly string[], repositoryIds: readonly number[]): Promise<Set<string>>;
  /** What these jobs downloaded of these actions, or at one of these commits, as their logs name it. */
  downloads(
    jobIds: readonly number[],
    wanted: Pick<UsesRequested, 'actionKeys' | 'commits'>,
  ): Promise<(Download & { jobId: number })[]>;
  /** Names of repositories of which the ledger knows the id. */
  knownNames(): Promise<Set<string>>;
  /** Those of the jobs that downloaded under a name, other than these, of which the ledger knows no id. */
  jobsOfUnknownNames(jobIds: readonly number[], actionKeys: readonly string[]): Promise<Set<number>>;
}

/** What is stored; of the sample organization what it has of its own. */
export async function findEvidence(repositories: readonly Repository[], context: Context): Promise<EvidenceSource> {
  if (context.isDemo) return sampleEvidence(repositories, context);
  return storedEvidence(context.store);
}

/** What is stored. */
export const storedEvidence = ({ exposure, actionLedger }: Store): EvidenceSource => ({
  ...exposure,
  releases: actionLedger.releases,
});
