import type { JobDetail } from '../facts/job-repository.ts';
import type { Conclusion, Instant, WorkflowJob } from '../metrics/kernel/facts.ts';
import { dayMs, minuteMs } from '../metrics/kernel/window.ts';
import type { ChangedBy } from './audit.ts';
import type { Database } from './database.ts';
import type { OtlpPart } from './entities/otlp.ts';
import { auditDestination } from './otlp-destinations.ts';
import { otlpStatements } from './statements.ts';

/** Spans of an attempt that are to be sent; instants are epoch milliseconds. */
export interface OutboxRow {
  runId: number;
  attempt: number;
  part: OtlpPart;
  createdAt: Instant;
  dueAt: Instant;
}

/** What is stored of a completed attempt; `repoId` is the platform's id. */
export interface StoredAttempt {
  repoId: number;
  runId: number;
  attempt: number;
  owner: string;
  repo: string;
  workflowId: number;
  workflowName: string | null;
  runNumber: number;
  event: string;
  conclusion: Conclusion | null;
  headBranch: string | null;
  headSha: string;
  actor: string | null;
  createdAt: Instant;
  startedAt: Instant | null;
  completedAt: Instant;
}

/** An attempt of which jobs are to be sent and are not known; `repoId` is the platform's id. */
export interface AttemptWithoutJobs extends Pick<StoredAttempt, 'repoId' | 'owner' | 'repo' | 'runId' | 'attempt'> {}

/** All jobs of an attempt. */
export interface StoredAttemptJobs {
  runId: number;
  attempt: number;
  jobs: (WorkflowJob & { detail: JobDetail })[];
}

export interface AcceptedRow extends Pick<OutboxRow, 'runId' | 'attempt' | 'part'> {
  /** How many spans it had. */
  spans: number;
  /** How many of its jobs have none, because an earlier attempt ran them. */
  carriedOver: number;
}

/** A row that is taken belongs to its process for so long. */
export const leaseMs = minuteMs;

/** Jobs that turn up later than this after their attempt was noted are not sent. */
const jobsWithinMs = 7 * dayMs;

/** Jobs that are not known are looked for again after as long as they have been missing, within these limits. */
const minPauseMs = minuteMs;
const maxPauseMs = dayMs / 2;

const dropAtOnce = 5000;

/** Spans that are to be sent to destinations, and the facts that they are made of. */
export const otlpOutbox = (database: Database) => ({
  ...outboxUpkeep(database),
  /** Takes the rows that are due longest, past those that others have; those of backfills where there are no others. */
  async claim(destinationId: number, limit: number, now: Instant): Promise<OutboxRow[]> {
    const claimRows = (isBackfill: boolean) =>
      database.run<OutboxRow>(otlpStatements.otlp_claim, {
        destination_id: destinationId,
        is_backfill: isBackfill,
        limit,
        lease_ms: leaseMs,
        now,
      });
    const live = await claimRows(false);
    const rows = live.length > 0 ? live : await claimRows(true);
    return rows.sort(
      (a, b) => a.dueAt - b.dueAt || a.runId - b.runId || a.attempt - b.attempt || (a.part < b.part ? -1 : 1),
    );
  },
  /** The completed ones among these attempts. */
  attempts: (rows: readonly OutboxRow[]): Promise<StoredAttempt[]> =>
    database.run(otlpStatements.otlp_attempts, { attempts: toNames(rows) }),
  /** Of the attempts of which all jobs are known. */
  jobs: (rows: readonly OutboxRow[]): Promise<StoredAttemptJobs[]> =>
    database.run(otlpStatements.otlp_jobs, { attempts: toNames(rows) }),
  /** Attempts noted until then whose jobs destinations wait for and want to be read; the newest first. */
  withoutJobs: (until: Instant, limit: number): Promise<AttemptWithoutJobs[]> =>
    database.run(otlpStatements.otlp_without_jobs, { until, limit }),
  /** Deletes what a destination accepted, and notes it. `rejected` spans and `message` are what it said about the rest. */
  async accept(
    destinationId: number,
    rows: readonly AcceptedRow[],
    { rejected, message }: { rejected: number; message: string | null },
    now: Instant,
  ): Promise<void> {
    await database.run(otlpStatements.otlp_accept, {
      destination_id: destinationId,
      rows: JSON.stringify(rows),
      rejected,
      message,
      batch: rejected > 0 ? now : null,
      now,
    });
  },
  /** Puts jobs off that are not known yet, and forgets those that did not turn up in time. */
  async postpone(destinationId: number, rows: readonly OutboxRow[], now: Instant): Promise<void> {
    const late = rows.filter(({ createdAt }) => now - createdAt > jobsWithinMs);
    const waiting = rows
      .filter((row) => !late.includes(row))
      .map((row) => ({ ...row, dueAt: now + pauseOf(row, now) }));
    await database.run(otlpStatements.otlp_postpone, { destination_id: destinationId, rows: JSON.stringify(waiting) });
    await database.run(otlpStatements.otlp_forget, { destination_id: destinationId, rows: JSON.stringify(late) });
  },
  async forget(destinationId: number, rows: readonly OutboxRow[]): Promise<void> {
    await database.run(otlpStatements.otlp_forget, { destination_id: destinationId, rows: JSON.stringify(rows) });
  },
  /** Gives rows back, to be taken again. */
  async release(destinationId: number, rows: readonly OutboxRow[]): Promise<void> {
    await database.run(otlpStatements.otlp_release, { destination_id: destinationId, rows: JSON.stringify(rows) });
  },
  /** Sets a row aside that a destination does not take by itself. */
  async park(destinationId: number, row: AcceptedRow, message: string, now: Instant): Promise<void> {
    const { runId, attempt, part, spans } = row;
    await database.run(otlpStatements.otlp_park, {
      destination_id: destinationId,
      run_id: runId,
      attempt,
      part,
      spans,
      message,
      now,
    });
  },
});

/** What is done to rows beside sending them. */
const outboxUpkeep = (database: Database) => ({
  /** Tries again at once, with what was not taken and what was parked; answers how many rows these are. */
  resend: (destinationId: number, by: ChangedBy): Promise<number> =>
    database.transaction(async (queries) => {
      const [done] = await queries.run<{ rows: number }>(otlpStatements.otlp_resend, {
        destination_id: destinationId,
        now: by.now,
      });
      await auditDestination(queries, 'otlp.resent', destinationId, by);
      return done?.rows ?? 0;
    }),
  /** Deletes rows that were noted before then, at most 5,000 of them; answers how many. */
  async drop(destinationId: number, before: Instant): Promise<number> {
    const [done] = await database.run<{ rows: number }>(otlpStatements.otlp_drop, {
      destination_id: destinationId,
      before,
      batch: dropAtOnce,
    });
    return done?.rows ?? 0;
  },
  /** When the row was noted that has `rank` newer ones; null where there are not so many. */
  async createdAtRank(destinationId: number, rank: number): Promise<Instant | null> {
    const { count } = await database.db
      .selectFrom('otlp_outbox')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('destinationId', '=', destinationId)
      .executeTakeFirstOrThrow();
    if (Number(count) <= rank) return null;
    const row = await database.db
      .selectFrom('otlp_outbox')
      .select('createdAt')
      .where('destinationId', '=', destinationId)
      .orderBy('createdAt', 'desc')
      .offset(rank)
      .limit(1)
      .executeTakeFirst();
    return row?.createdAt ?? null;
  },
  /** Rows that wait for a destination, but those of backfills: how many are due, since when the first is, and how many wait for their jobs. */
  async depth(
    destinationId: number,
    now: Instant,
  ): Promise<{ due: number; oldestDueAt: Instant | null; waiting: number }> {
    const rows = await database.db
      .selectFrom('otlp_outbox')
      .select(({ fn }) => [fn.countAll<string>().as('due'), fn.min('dueAt').as('oldestDueAt')])
      .where('destinationId', '=', destinationId)
      .where('parkedAt', 'is', null)
      .where('backfillId', 'is', null)
      .where('dueAt', '<=', now)
      .executeTakeFirstOrThrow();
    const { waiting } = await database.db
      .selectFrom('otlp_outbox')
      .select(({ fn }) => fn.countAll<string>().as('waiting'))
      .where('destinationId', '=', destinationId)
      .where('parkedAt', 'is', null)
      .where('backfillId', 'is', null)
      .where('dueAt', '>', now)
      .executeTakeFirstOrThrow();
    return { due: Number(rows.due), oldestDueAt: rows.oldestDueAt, waiting: Number(waiting) };
  },
});

const toNames = (rows: readonly OutboxRow[]) => {
  const distinct = new Map(rows.map(({ runId, attempt }) => [`${runId} ${attempt}`, { runId, attempt }]));
  return JSON.stringify([...distinct.values()]);
};

const pauseOf = ({ createdAt }: OutboxRow, now: Instant) => Math.min(Math.max(now - createdAt, minPauseMs), maxPauseMs);
