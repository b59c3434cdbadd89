import type { Services } from '../access/context.ts';
import type { Platform } from '../codehost/changes/client.ts';
import type { WorkflowJob } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import type { JobLog } from '../metrics/security/job-log.ts';
import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import type { ReadLog, WaitingLog } from '../store/attempt-logs.ts';
import type { JobLogState, LoggedJob } from '../store/entities/attempt-log.ts';
import type { Store } from '../store/orm.ts';
import { readExecutedFile } from './executed-file.ts';

/** As many as are read in a minute. */
const atOnce = 100;
/** The log of a job may come so long after its end. */
const comesWithinMs = hourMs;

interface LogContext {
  store: Store;
  codehost: Pick<Platform, 'jobs' | 'logs' | 'actionFiles'>;
  services: Pick<Services, 'scanner' | 'clock'>;
  log: Log;
  signal: AbortSignal;
  mayContinue(): boolean;
}

/**
 * Reads the logs of attempts that wait for it: two requests for each attempt and one for each of its jobs that ran; and
 * the workflow file of each, with what it uses in turn, a request for each level that was not read before. Where
 * the platform gives nothing for now, the rest waits. Answers how many were read.
 * @throws Problem when the token is rejected.
 */
export async function readWaitingLogs(context: LogContext): Promise<number> {
  const { store, services, log, signal, mayContinue } = context;
  const { clock } = services;
  let read = 0;
  const all = await store.exposure.waitingLogs(atOnce);
  const commits = all.length === 0 ? new Map<string, string>() : await store.actionUses.commits();
  for (const waiting of all) {
    if (!mayContinue()) break;
    const found = await readAttempt(waiting, commits, context).catch(passOver(log));
    signal.throwIfAborted();
    // One that takes longer than a round is stored as far as it was read, or it would be in the way of all others.
    if (found === null || (found.isCutShort && read > 0)) break;
    await store.exposure.putLog(waiting, found, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'what logs name could not be stored');
      return store.exposure.putLog(waiting, nothing, clock.now());
    });
    read += 1;
  }
  return read;
}

/** Answers null where the platform gives nothing for now. */
const passOver =
  (log: Log) =>
  (error: unknown): null => {
    if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
    log.warn({ err: error }, 'logs could not be read for now');
    return null;
  };

/** Other problems are noted with the attempt or job that has them: those behind it are read all the same. */
const passing = new Set(['unauthenticated', 'upstream_rate_limited']);

const orUnread = (error: unknown): null => {
  if (error instanceof Problem && !passing.has(error.code)) return null;
  throw error;
};

/** A run that is not there has no jobs to read any more. */
const orGone = (error: unknown): null | 'gone' =>
  error instanceof Problem && error.code === 'not_found' ? 'gone' : orUnread(error);

/** `isCutShort`: there was no time for all jobs. */
async function readAttempt(
  waiting: WaitingLog,
  commits: ReadonlyMap<string, string>,
  context: LogContext,
): Promise<ReadLog & { isCutShort: boolean }> {
  const { runId, attempt } = waiting;
  const { codehost, mayContinue } = context;
  const listing = await codehost.jobs.ofCompleted(waiting, runId, attempt).catch(orGone);
  if (listing === 'gone') return { ...nothing, jobs: waiting.jobs === null ? [] : null, isCutShort: false };
  const isWhole = listing !== null && !listing.partial && !listing.stale && listing.totalCount === listing.items.length;
  if (!isWhole || listing.items.some(({ status }) => status !== 'completed')) return { ...nothing, isCutShort: false };
  const record = await codehost.logs.record(waiting, runId, attempt).catch(orUnread);
  const jobs: LoggedJob[] = [];
  const downloads: ReadLog['downloads'] = [];
  let isCutShort = false;
  for (const job of listing.items) {
    const { id, name, startedAt, completedAt } = job;
    const kept = findKept(waiting, job);
    isCutShort ||= kept === null && !mayContinue();
    const log = kept ?? (isCutShort ? 'unreadable' : await readJob(waiting, job, context));
    const state = typeof log === 'string' ? log : log.isComplete ? 'complete' : 'cut';
    jobs.push({ id, name, startedAt, completedAt, log: state });
    if (typeof log !== 'string') downloads.push(...log.downloads.map((one) => ({ ...one, jobId: id })));
  }
  const file = record && (await readExecutedFile({ repository: waiting, record, downloads, commits }, context));
  return { jobs, called: record?.called ?? null, file, downloads, isCutShort };
}

/** What became of the log of a job before, since which that has not run again; null where another try may read more. */
function findKept({ jobs }: WaitingLog, { id, startedAt, completedAt }: WorkflowJob): JobLogState | null {
  const before = jobs?.find((one) => one.id === id);
  if (before?.startedAt !== startedAt || before.completedAt !== completedAt) return null;
  return before.log === 'unreadable' || before.log === 'none' ? null : before.log;
}

const nothing: ReadLog = { jobs: null, called: null, file: null, downloads: [] };

async function readJob(
  name: WaitingLog,
  job: WorkflowJob,
  { codehost, services: { clock } }: LogContext,
): Promise<JobLogState | JobLog> {
  const { id, conclusion, startedAt, completedAt, runnerName, steps } = job;
  const hadNoRunner = conclusion === 'cancelled' && runnerName === null && steps.length === 0;
  if (conclusion === 'skipped' || hadNoRunner) return 'none';
  if (startedAt === null || completedAt === null) return 'unreadable';
  const log = (await codehost.logs.ofJob(name, id, { startedAt, completedAt }).catch(orUnread)) ?? 'unreadable';
  return log === 'missing' && clock.now() - completedAt < comesWithinMs ? 'unreadable' : log;
}
