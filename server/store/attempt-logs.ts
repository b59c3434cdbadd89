import type { CalledWorkflow, ExecutedUses } from '../codehost/runs/logs.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Download } from '../metrics/security/job-log.ts';
import { type Database, jsonb, type Queries } from './database.ts';
import type { LoggedJob } from './entities/attempt-log.ts';
import { reRunReachMs, type Stretch } from './exposed-runs.ts';

/** An attempt whose logs are to be read. */
export interface WantedLog {
  runId: number;
  attempt: number;
  endedAt: Instant;
}

/** One that waits, with the name of its repository. */
export interface WaitingLog extends WantedLog {
  repoId: number;
  owner: string;
  repo: string;
  /** What was read of it before. */
  jobs: LoggedJob[] | null;
  called: CalledWorkflow[] | null;
  file: ExecutedUses | null;
}

/** What the logs of an attempt gave; null for what could not be read. */
export interface ReadLog {
  jobs: LoggedJob[] | null;
  called: CalledWorkflow[] | null;
  file: ExecutedUses | null;
  downloads: (Download & { jobId: number })[];
  /** Whether there was no time for the rest, or no quota: the attempt goes on waiting. */
  isCut: boolean;
  /** Whether another try may read more of its record, or of its workflow file. */
  isPartial: boolean;
}

/** An attempt whose logs were read, or wait to be. */
export interface AttemptLogRow extends WantedLog {
  readAt: Instant | null;
  jobs: LoggedJob[] | null;
  called: CalledWorkflow[] | null;
  file: ExecutedUses | null;
  isPartial: boolean;
}

/** So many downloads are written at once: a statement has room for 65,535 values. */
const downloadsAtOnce = 500;

/** What logs of run attempts name as downloaded. Repositories are named by the platform's ids. */
export const attemptLogs = (database: Database) => ({
  /**
   * Has attempts of a repository read, also once more; what was read of them before stays until then. `requestedAt`: null
   * where nobody requested it.
   */
  async wantLogs(repositoryId: number, wanted: readonly WantedLog[], requestedAt: Instant | null): Promise<void> {
    const repo = await database.db
      .selectFrom('repos')
      .select('id')
      .where('codehostRepoId', '=', repositoryId)
      .executeTakeFirst();
    if (!repo || wanted.length === 0) return;
    const rows = wanted.map(({ runId, attempt, endedAt }) => ({
      runId,
      runAttempt: attempt,
      repoId: repo.id,
      endedAt,
      requestedAt,
      readAt: null,
      jobs: null,
      called: null,
      file: null,
      isPartial: false,
    }));
    await database.db
      .insertInto('attempt_logs')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['runId', 'runAttempt']).doUpdateSet(({ ref }) => ({
          endedAt: ref('excluded.endedAt'),
          requestedAt: ref('excluded.requestedAt'),
          readAt: null,
        })),
      )
      .execute();
  },
  /** Those that wait: the ones of which nothing was read first, and of these the one whose logs expire first. */
  async waitingLogs(limit: number): Promise<WaitingLog[]> {
    return database.db
      .selectFrom('attempt_logs as log')
      .innerJoin('repos', 'repos.id', 'log.repoId')
      .select(['log.runId', 'log.runAttempt as attempt', 'log.endedAt', 'log.repoId', 'log.jobs', 'log.called'])
      .select(['log.file', 'repos.owner', 'repos.name as repo'])
      .where('log.readAt', 'is', null)
      .orderBy(({ eb }) => eb('log.jobs', 'is not', null))
      .orderBy('log.endedAt')
      .orderBy('log.runId')
      .limit(limit)
      .execute();
  },
  /** How many wait. */
  async countWaitingLogs(): Promise<number> {
    const { waiting } = await database.db
      .selectFrom('attempt_logs')
      .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('waiting'))
      .where('readAt', 'is', null)
      .executeTakeFirstOrThrow();
    return waiting;
  },
  /** When requests were made of which attempts of an owner still wait, the oldest first. */
  async runningRequests(owner: string): Promise<Instant[]> {
    const rows = await database.db
      .selectFrom('attempt_logs as log')
      .innerJoin('repos', 'repos.id', 'log.repoId')
      .select('log.requestedAt')
      .distinct()
      .where('log.readAt', 'is', null)
      .where('log.requestedAt', 'is not', null)
      .where(({ eb, fn }) => eb(fn<string>('lower', ['repos.owner']), '=', owner.toLowerCase()))
      .orderBy('log.requestedAt')
      .execute();
    return rows.flatMap(({ requestedAt }) => requestedAt ?? []);
  },
  /** Stores what was read; what could not be read now stays as it was read before. */
  putLog: (log: WaitingLog, read: ReadLog, now: Instant): Promise<void> =>
    database.transaction((queries) => putLog(queries, log, read, now)),
  /** Runs of which attempts are among them that may have run in a stretch of time, at most so many. */
  async loggedRuns(repositoryIds: readonly number[], { from, to }: Stretch, limit: number): Promise<Set<number>> {
    const rows = await database.db
      .selectFrom('attempt_logs as log')
      .innerJoin('repos', 'repos.id', 'log.repoId')
      .select('log.runId')
      .distinct()
      .where(({ eb, fn, val }) => eb('repos.codehostRepoId', '=', fn.any(val(repositoryIds))))
      .where('log.endedAt', '>=', from)
      .where('log.endedAt', '<=', to + reRunReachMs)
      .limit(limit)
      .execute();
    return new Set(rows.map(({ runId }) => runId));
  },
  /** Those of the attempts of these runs. */
  async logsOf(runIds: readonly number[]): Promise<AttemptLogRow[]> {
    return database.db
      .selectFrom('attempt_logs')
      .select(['runId', 'runAttempt as attempt', 'endedAt', 'readAt', 'jobs', 'called', 'file', 'isPartial'])
      .where(({ eb, fn, val }) => eb('runId', '=', fn.any(val(runIds))))
      .execute();
  },
});

async function putLog(
  { db }: Queries,
  log: WaitingLog,
  { jobs, called, file, downloads, isCut, isPartial }: ReadLog,
  now: Instant,
): Promise<void> {
  const { runId, attempt, repoId, endedAt } = log;
  await db
    .updateTable('attempt_logs')
    .set({
      readAt: isCut ? null : now,
      isPartial,
      ...(jobs && { jobs: jsonb(jobs) as never }),
      ...(called && { called: jsonb(called) as never }),
      ...(file && { file: jsonb(file) as never }),
      // Whether these were all of its jobs is not known of one that went on since.
      ...(jobs === null && log.jobs?.some(hasEnded) && { endedAt: toLastEnd(log.jobs) }),
    })
    .where('runId', '=', runId)
    .where('runAttempt', '=', attempt)
    .where('endedAt', '=', endedAt)
    .execute();
  for (let start = 0; start < downloads.length; start += downloadsAtOnce)
    await db
      .insertInto('action_downloads')
      .values(downloads.slice(start, start + downloadsAtOnce).map((one) => ({ ...one, repoId, readAt: now })))
      .onConflict((conflict) => conflict.columns(['jobId', 'actionKey', 'ref', 'commit', 'isInStep']).doNothing())
      .execute();
}

const hasEnded = ({ completedAt }: LoggedJob) => completedAt !== null;

const toLastEnd = (jobs: readonly LoggedJob[]): Instant =>
  jobs.reduce((last, { completedAt }) => Math.max(last, completedAt ?? 0), 0);
