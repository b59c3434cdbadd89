import type { Download } from '../../metrics/security/job-log.ts';
import type { AttemptLogRow } from '../../store/attempt-logs.ts';
import { type JobEvidence, judgeJob, type RefFacts } from './verdict/judge-job.ts';
import type { Suspect } from './verdict/suspect.ts';
import { findWorst, type Judgement } from './verdict/verdict.ts';

/** What became of the logs of an attempt. `waiting`: they are about to be read. */
export const logStates = ['kept', 'waiting', 'unread', 'expired', 'unreadable'] as const;
export type LogState = (typeof logStates)[number];

/** What is known of the logs of an attempt that ended at an instant. */
export interface KnownLog {
  row: AttemptLogRow | null;
  /** false where they were not read since then: it went on after it was read. */
  isCurrent: boolean;
  /** Whether a job ran in this attempt: of those that a re-run took over, the attempt in which they ran counts. */
  isOwn(jobId: number): boolean;
  downloadsOf(jobId: number): Download[];
  /** Whether a job downloaded under a name of which the ledger knows no id. */
  hasUnknownNames(jobId: number): boolean;
}

export function toLogState({ row, isCurrent }: KnownLog, isExpired: boolean): LogState {
  if (row?.readAt === null) return 'waiting';
  if (row === null || !isCurrent) return isExpired ? 'expired' : 'unread';
  const states = row.jobs?.map((one) => one.log) ?? [];
  if (states.includes('expired')) return 'expired';
  return states.length === 0 || states.includes('unreadable') ? 'unreadable' : 'kept';
}

type LoggedJob = NonNullable<AttemptLogRow['jobs']>[number];

/**
 * Judges an attempt by the log of each of its jobs, where these were read. What they prove stays proven when it goes on,
 * and when its logs are deleted.
 */
export function judgeAttempt(suspect: Suspect, known: JobEvidence, facts: RefFacts, log: KnownLog): Judgement {
  const called = log.row?.called ?? null;
  const judged = (log.row?.jobs ?? [])
    .filter(({ id }) => log.isOwn(id))
    .map((job) => {
      const hasUnknownNames = log.hasUnknownNames(job.id);
      const evidence = toEvidence(job, { ...known, called, hasUnknownNames }, log.downloadsOf(job.id));
      return withJobName(judgeJob(suspect, evidence, facts), job);
    });
  const worst = findWorst(judged);
  if (worst === null || (worst.verdict === 'no' && !log.isCurrent)) return judgeJob(suspect, known, facts);
  if (worst.verdict !== 'no') return worst;
  return judged.find((one) => 'proof' in one && one.proof.kind === 'N1') ?? worst;
}

const toEvidence = (job: LoggedJob, known: JobEvidence, downloads: Download[]): JobEvidence => ({
  ...known,
  startedAt: job.startedAt ?? known.startedAt,
  completedAt: job.completedAt ?? known.completedAt,
  hasBegun: job.log !== 'none',
  log:
    job.log === 'complete' || job.log === 'cut' || downloads.length > 0
      ? { downloads, isComplete: job.log === 'complete' }
      : null,
  missingLog: job.log === 'cut' ? 'log_cut' : job.log === 'expired' ? 'log_expired' : known.missingLog,
});

function withJobName(judgement: Judgement, { name }: LoggedJob): Judgement {
  if (judgement.verdict !== 'proven') return judgement;
  const { proof } = judgement;
  return { ...judgement, proof: { ...proof, detail: `Job ${name}: ${proof.detail}` } };
}
