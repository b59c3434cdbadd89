import type { Services } from '../access/context.ts';
import type { Platform } from '../codehost/changes/client.ts';
import type { ReadJobLog, RunRecord } from '../codehost/runs/logs.ts';
import type { RepositoryName, WorkflowJob } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import { getRunnerKind } from '../metrics/runs/runner-labels.ts';
import { Problem } from '../platform/problem.ts';
import type { ReadLog, WaitingLog } from '../store/attempt-logs.ts';
import type { JobLogState, LoggedJob } from '../store/entities/attempt-log.ts';
import type { Store } from '../store/orm.ts';
import { type FileReading, pickFile, readExecutedFile } from './executed-file.ts';

/** The log of a job may come so long after its end. */
const comesWithinMs = hourMs;

/** What attempts are read with. */
export interface AttemptContext {
  store: Store;
  codehost: Pick<Platform, 'jobs' | 'logs' | 'actionFiles' | 'changes'>;
  services: Pick<Services, 'scanner' | 'clock'>;
  signal: AbortSignal;
  mayContinue(): boolean;
  /** Where refs of actions led when they were observed last, by `owner/repo ref`. */
  commits: ReadonlyMap<string, string>;
}

/** What was read of an attempt, and whether the platform gives more. */
export interface AttemptReading extends ReadLog {
  /** Whether something was read that was not before. */
  hasProgress: boolean;
  /** Whether the platform gives nothing more for now, or no more files. */
  isSpent: boolean;
  areFilesSpent: boolean;
}

/** Nothing, for now. */
export const nothing: ReadLog = {
  jobs: null,
  called: null,
  file: null,
  downloads: [],
  isCut: false,
  isPartial: true,
};

/** Other problems are noted with the attempt or job that has them: those behind it are read all the same. */
const passing = new Set(['unauthenticated', 'upstream_rate_limited']);

const orUnread = (error: unknown): null => {
  if (error instanceof Problem && !passing.has(error.code)) return null;
  throw error;
};

const orFailed = (error: unknown): 'failed' => orUnread(error) ?? 'failed';

/** A run that is not there has no jobs to read any more, unless its repository cannot be seen either. */
const orGone =
  (name: RepositoryName, { codehost, services: { clock } }: AttemptContext) =>
  async (error: unknown): Promise<null | 'gone'> => {
    if (!(error instanceof Problem) || error.code !== 'not_found') return orUnread(error);
    // Never answered from a copy: access may have been lost a moment ago.
    const wanted = { releases: { since: clock.now(), head: null } };
    return codehost.changes(name, wanted).then(() => 'gone' as const, orUnread);
  };

/**
 * Reads the logs, the record and the workflow file of an attempt, as far as there is time and quota: the rest is read the
 * next time. `mayReadFiles`: whether the platform gives files for now.
 * @throws Problem when the token is rejected, or the quota is spent before anything was read.
 */
export async function readAttempt(
  waiting: WaitingLog,
  context: AttemptContext,
  mayReadFiles: boolean,
): Promise<AttemptReading> {
  const { runId, attempt } = waiting;
  const { codehost } = context;
  const ended = { hasProgress: true, isSpent: false, areFilesSpent: false };
  const listing = await codehost.jobs.ofCompleted(waiting, runId, attempt).catch(orGone(waiting, context));
  if (listing === 'gone') return { ...nothing, ...ended, jobs: waiting.jobs === null ? [] : null, isPartial: false };
  const isWhole = listing !== null && !listing.partial && !listing.stale && listing.totalCount === listing.items.length;
  if (!isWhole || listing.items.some(({ status }) => status !== 'completed')) return { ...nothing, ...ended };
  const record = await codehost.logs.record(waiting, runId, attempt).catch(orFailed);
  const { jobs, downloads, isCut, isSpent, read } = await readJobs(listing.items, waiting, context);
  const known = record === 'failed' ? null : record;
  const reading = isCut
    ? awaited(waiting, known)
    : await readFile({ waiting, record: known, jobs, downloads, mayReadFiles }, context);
  return {
    jobs,
    called: known?.called ?? null,
    file: pickFile(waiting.file, reading?.file ?? null),
    downloads,
    isCut: isCut || reading?.file?.isCut === true,
    isPartial: record === 'failed' || reading?.hasFailed === true,
    hasProgress: read > 0 || (reading?.filesRead ?? 0) > 0 || (!isCut && waiting.file === null && !mayReadFiles),
    isSpent,
    areFilesSpent: reading?.isSpent === true,
  };
}

interface ReadJobs extends Pick<ReadLog, 'downloads' | 'isCut'> {
  jobs: LoggedJob[];
  isSpent: boolean;
  /** Logs that were read now, or are known not to be there. */
  read: number;
}

/** @throws Problem when the quota is spent before anything was read. */
async function readJobs(
  items: readonly WorkflowJob[],
  waiting: WaitingLog,
  context: AttemptContext,
): Promise<ReadJobs> {
  const found: ReadJobs = { jobs: [], downloads: [], isCut: false, isSpent: false, read: 0 };
  for (const job of items) {
    const { id, name, startedAt, completedAt } = job;
    const downloaded = findDownloaded(waiting, job);
    found.isCut ||= downloaded === null && !context.mayContinue();
    const log = downloaded ?? (found.isCut ? 'unread' : await readJob(waiting, job, context).catch(orSpent(found)));
    const state = typeof log === 'string' ? log : log.isComplete ? 'complete' : 'cut';
    const grants = typeof log === 'string' ? grantsBefore(waiting, id) : log.grants;
    found.jobs.push({
      id,
      name,
      startedAt,
      completedAt,
      log: state,
      runner: findRunner(job),
      ...(grants && { grants }),
    });
    if (typeof log !== 'string') found.downloads.push(...log.downloads.map((one) => ({ ...one, jobId: id })));
    if (downloaded === null && state !== 'unread' && state !== 'none') found.read += 1;
  }
  return found;
}

/** A log that was read before is not read again. */
const grantsBefore = ({ jobs }: WaitingLog, id: number) => jobs?.find((one) => one.id === id)?.grants;

/** One that is only taken for a larger runner of the platform may be a machine of the organization. */
function findRunner(job: WorkflowJob): NonNullable<LoggedJob['runner']> {
  const kind = getRunnerKind(job);
  return kind === 'self_hosted' || kind === 'hosted' ? kind : 'unknown';
}

/** What was read before the quota was spent is stored. */
const orSpent =
  (found: ReadJobs) =>
  (error: unknown): 'unread' => {
    const isSpent = error instanceof Problem && error.code === 'upstream_rate_limited';
    if (!isSpent || found.read === 0) throw error;
    found.isSpent = true;
    found.isCut = true;
    return 'unread';
  };

/**
 * What became of the log of a job before, since which that has not run again; null where another try may read more. While
 * others were not tried yet, it is not.
 */
function findDownloaded({ jobs }: WaitingLog, { id, startedAt, completedAt }: WorkflowJob): JobLogState | null {
  const before = jobs?.find((one) => one.id === id);
  if (before?.startedAt !== startedAt || before.completedAt !== completedAt) return null;
  if (before.log === 'unreadable') return jobs?.some(({ log }) => log === 'unread') ? before.log : null;
  return before.log === 'unread' || before.log === 'none' ? null : before.log;
}

async function readJob(
  name: WaitingLog,
  job: WorkflowJob,
  { codehost, services: { clock } }: AttemptContext,
): Promise<JobLogState | ReadJobLog> {
  const { id, conclusion, startedAt, completedAt, runnerName, steps } = job;
  const hadNoRunner = conclusion === 'cancelled' && runnerName === null && steps.length === 0;
  if (conclusion === 'skipped' || hadNoRunner) return 'none';
  if (startedAt === null || completedAt === null) return 'unreadable';
  const log = (await codehost.logs.ofJob(name, id, { startedAt, completedAt }).catch(orUnread)) ?? 'unreadable';
  return log === 'missing' && clock.now() - completedAt < comesWithinMs ? 'unreadable' : log;
}

interface WantedFile extends Pick<ReadLog, 'downloads'> {
  waiting: WaitingLog;
  record: RunRecord | null;
  jobs: readonly LoggedJob[];
  mayReadFiles: boolean;
}

/** null where it is not certain which file ran. */
async function readFile(
  { waiting, record, jobs, downloads, mayReadFiles }: WantedFile,
  context: AttemptContext,
): Promise<FileReading | null> {
  if (!record?.file) return null;
  if (!mayReadFiles) return awaited(waiting, record);
  // Also what logs named that were read before.
  const before = await context.store.exposure.allDownloads(jobs.map(({ id }) => id));
  const { file, called } = record;
  return readExecutedFile(
    { repository: waiting, file, called, downloads: [...before, ...downloads], commits: context.commits },
    context,
  );
}

/** A file that was not read yet stands for all that it may use. */
function awaited({ owner, repo }: WaitingLog, record: RunRecord | null): FileReading | null {
  if (!record?.file) return null;
  const { path, commit: ref } = record.file;
  const kind = 'reusable_workflow' as const;
  const root = { actionKey: `${owner}/${repo}`.toLowerCase(), path, kind, ref, privateSources: [], readAt: null };
  const unknown = [{ reason: 'unreadable_action' as const, privateSources: [] }];
  return { file: { uses: [root], unknown, isCut: true }, filesRead: 0, hasFailed: false, isSpent: false };
}
