import type { ExecutedUses } from '../../codehost/runs/logs.ts';
import type { Download } from '../../metrics/security/job-log.ts';
import type { AttemptLogRow } from '../../store/attempt-logs.ts';
import type { ExecutedFile, JobEvidence, RefFacts } from './verdict/job-evidence.ts';
import { judgeJob } from './verdict/judge-job.ts';
import type { Suspect } from './verdict/suspect.ts';
import { findWorst, type Judgement } from './verdict/verdict.ts';

/**
 * What became of the logs of an attempt. `waiting`: they are about to be read. `expired`: deleted by their age. `missing`:
 * there are none, or not any more. `unreadable`: another try may read them.
 */
export const logStates = ['kept', 'waiting', 'unread', 'expired', 'missing', 'unreadable'] as const;
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
  /** Whether the ledger knows the id of a name. */
  isKnownName(actionKey: string): boolean;
}

/** Whom a file may be shown to, and which names in it the ledger knows. */
export interface FileReader {
  /** Of a repository, by the platform's id. */
  maySee(codehostId: number): boolean;
  isKnownName(actionKey: string): boolean;
}

/** What an executed file uses, as far as whoever asks may see it: what private actions use is unknown to all others. */
export function toExecutedFile(file: ExecutedUses, { maySee, isKnownName }: FileReader): ExecutedFile {
  const isShown = ({ privateSources }: { privateSources: readonly number[] }) => privateSources.every(maySee);
  const uses = file.uses.filter(isShown);
  const unknown = file.unknown.filter(isShown);
  const isHidden = uses.length < file.uses.length || unknown.length < file.unknown.length;
  return {
    uncertain: null,
    uses: uses.map(({ actionKey, path, kind, ref, readAt }) => {
      const used = { actionKey, path, kind, ref };
      return { ...used, via: [], readAt: readAt === null ? [] : [readAt], wasSkipped: false };
    }),
    unknown: [
      ...unknown.map(({ reason }) => (reason === 'local_action' ? 'local_action_not_in_tree' : reason)),
      ...(isHidden ? (['unreadable_action'] as const) : []),
    ],
    hasUnknownNames: uses.some(({ actionKey, kind }) => kind !== 'image' && !isKnownName(actionKey)),
  };
}

/** The same file with what its jobs have in reach, as far as whoever asks may see it. */
export const toShownReach = (
  { uses }: ExecutedUses,
  { maySee }: Pick<FileReader, 'maySee'>,
): Pick<ExecutedUses, 'uses'> => ({
  uses: uses
    .filter(({ privateSources }) => privateSources.every(maySee))
    .map(({ reach, ...use }) => (reach?.privateSources.every(maySee) ? { ...use, reach } : use)),
});

export function toLogState({ row, isCurrent }: KnownLog, isExpired: boolean): LogState {
  if (row?.readAt === null) return 'waiting';
  if (row === null || !isCurrent) return isExpired ? 'expired' : 'unread';
  const states = row.jobs?.map((one) => one.log) ?? null;
  if (states === null || row.isPartial || states.includes('unreadable')) return isExpired ? 'expired' : 'unreadable';
  if (states.includes('expired')) return 'expired';
  return states.length === 0 || states.includes('missing') ? 'missing' : 'kept';
}

type LoggedJob = NonNullable<AttemptLogRow['jobs']>[number];

/** A verdict on an attempt, with the jobs that it is about; null where these cannot be told from the others. */
export interface AttemptJudgement {
  judgement: Judgement;
  jobs: LoggedJob[] | null;
}

/**
 * Judges an attempt by the log of each of its jobs, where these were read. What they prove stays proven when it goes on,
 * and when its logs are deleted.
 */
export function judgeAttempt(suspect: Suspect, known: JobEvidence, facts: RefFacts, log: KnownLog): AttemptJudgement {
  const called = log.row?.called ?? null;
  const hasUnknownCall = (called ?? []).some(({ actionKey }) => !log.isKnownName(actionKey));
  const judged = (log.row?.jobs ?? [])
    .filter(({ id }) => log.isOwn(id))
    .map((job) => {
      const hasUnknownNames = hasUnknownCall || log.hasUnknownNames(job.id);
      const evidence = toEvidence(job, { ...known, called, hasUnknownNames }, log.downloadsOf(job.id));
      return { job, judgement: withJobName(judgeJob(suspect, evidence, facts), job) };
    });
  const judgements = judged.map((one) => one.judgement);
  const worst = findWorst(judgements);
  if (worst === null || (worst.verdict === 'no' && !log.isCurrent))
    return { judgement: judgeJob(suspect, known, facts), jobs: null };
  if (worst.verdict === 'no')
    return { judgement: judgements.find((one) => 'proof' in one && one.proof.kind === 'N1') ?? worst, jobs: null };
  const jobs = judged.flatMap(({ job, judgement }) => (mayHaveRun(judgement) ? [job] : []));
  return { judgement: worst, jobs: jobs.length === 0 || !log.isCurrent ? null : jobs };
}

const mayHaveRun = ({ verdict }: Judgement): boolean => verdict === 'proven' || verdict === 'possible';

const toEvidence = (job: LoggedJob, known: JobEvidence, downloads: Download[]): JobEvidence => ({
  ...known,
  startedAt: job.startedAt ?? known.startedAt,
  completedAt: job.completedAt ?? known.completedAt,
  // Which job of the file it is, is not known: that it began proves nothing of what the file pins.
  hasBegun: job.log === 'none' ? false : null,
  log:
    job.log === 'complete' || job.log === 'cut' || downloads.length > 0
      ? { downloads, isComplete: job.log === 'complete' }
      : null,
  missingLog: missingOf[job.log] ?? known.missingLog,
});

const missingOf: Partial<Record<LoggedJob['log'], JobEvidence['missingLog']>> = {
  cut: 'log_cut',
  expired: 'log_expired',
  missing: 'log_expired',
};

/** The record of a run says of no job that it called a workflow. */
function withJobName(judgement: Judgement, { name }: LoggedJob): Judgement {
  if (judgement.verdict !== 'proven' || judgement.proof.kind !== 'log_line') return judgement;
  const { proof } = judgement;
  return { ...judgement, proof: { ...proof, detail: `Job ${name}: ${proof.detail}` } };
}
