import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import type { ReadLog, WaitingLog } from '../store/attempt-logs.ts';
import { type AttemptContext, type AttemptReading, nothing, readAttempt } from './read-attempt.ts';

/** As many as are read in a minute. */
const atOnce = 100;

interface ReadLogs {
  /** Those that were read to their end. */
  attempts: number;
  /** Repositories, by the database's ids, of whose attempts something was read. */
  repoIds: Set<number>;
}

interface LogContext extends Omit<AttemptContext, 'commits'> {
  log: Log;
}

/**
 * Reads the logs of attempts that wait for it: two requests for each attempt and one for each of its jobs that ran; and
 * the workflow file of each, with what it uses in turn, a request for each level that was not read before. Where
 * the platform gives nothing for now, or the time is up, what was read is stored and the rest waits.
 * @throws Problem when the token is rejected.
 */
export async function readWaitingLogs(context: LogContext): Promise<ReadLogs> {
  const { store, log, signal, mayContinue } = context;
  const done: ReadLogs = { attempts: 0, repoIds: new Set() };
  let mayReadFiles = true;
  const all = await store.exposure.waitingLogs(atOnce);
  const commits = all.length === 0 ? new Map<string, string>() : await store.actionUses.commits();
  for (const [place, waiting] of all.entries()) {
    if (!mayContinue()) break;
    if (!mayReadFiles && isFileLeft(waiting)) continue;
    const found: AttemptReading | null = await readAttempt(waiting, { ...context, commits }, mayReadFiles).catch(
      passOver(log),
    );
    signal.throwIfAborted();
    if (found === null) break;
    mayReadFiles &&= !found.areFilesSpent;
    const isStuck = found.isCut && !found.hasProgress && mayReadFiles && !found.isSpent;
    if (isStuck && place > 0) break;
    // One that a whole round does not bring further is not to be in the way of all others.
    await storeReading(waiting, isStuck ? giveUp(found) : found, context);
    done.repoIds.add(waiting.repoId);
    if (!found.isCut || isStuck) done.attempts += 1;
    if (found.isSpent) break;
  }
  return done;
}

/** Whether nothing but its workflow file waits. */
const isFileLeft = ({ jobs, file }: WaitingLog): boolean =>
  file?.isCut === true && jobs?.every(({ log }) => log !== 'unread') === true;

const giveUp = ({ jobs, called, file, downloads }: AttemptReading): ReadLog => ({
  jobs: jobs?.map((job) => ({ ...job, log: job.log === 'unread' ? 'unreadable' : job.log })) ?? null,
  called,
  file: file && { ...file, isCut: false },
  downloads,
  isCut: false,
  isPartial: true,
});

async function storeReading(waiting: WaitingLog, found: ReadLog, { store, services, log }: LogContext): Promise<void> {
  const { jobs, called, file, downloads, isCut, isPartial } = found;
  const given = { jobs, called, file, downloads, isCut, isPartial };
  await store.exposure.putLog(waiting, given, services.clock.now()).catch((error: unknown) => {
    log.warn({ err: error }, 'what logs name could not be stored');
    return store.exposure.putLog(waiting, nothing, services.clock.now());
  });
}

/** Answers null where the platform gives nothing for now. */
const passOver =
  (log: Log) =>
  (error: unknown): null => {
    if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
    log.warn({ err: error }, 'logs could not be read for now');
    return null;
  };
