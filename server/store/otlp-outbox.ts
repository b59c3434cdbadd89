import type { JobDetail } from '../facts/job-repository.ts';
import type { Conclusion, Instant, WorkflowJob } from '../metrics/kernel/facts.ts';
import { dayMs, minuteMs } from '../metrics/kernel/window.ts';
import type { Database } from './database.ts';
import type { OtlpPart } from './entities/otlp.ts';
import { holdingDestination } from './locks.ts';
import { outboxUpkeep } from './otlp-upkeep.ts';
import { otlpStatements, outcomeStatements } from './statements.ts';

/** Spans of an attempt that are to be sent; instants are epoch milliseconds. */
export interface OutboxRow {
  runId: number;
  attempt: number;
  part: OtlpPart;
  createdAt: Instant;
  dueAt: Instant;
  /** The backfill that noted it; null where it was noted with the run. */
  backfillId: number | null;
  /** Until when it belongs to whoever took it. */
  leasedUntil: Instant;
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

/** A row that is taken belongs to its process for so long, and again from each renewal. */
export const leaseMs = minuteMs;

/** Jobs that turn up later than this after their attempt was noted are not sent. */
const jobsWithinMs = 7 * dayMs;

/** Jobs that are not known are looked for again after as long as they have been missing, within these limits. */
const minPauseMs = minuteMs;
const maxPauseMs = dayMs / 2;

/** For so long jobs known from events alone wait for the list that shows whether one is missing. */
const listWithinMs = 60 * minuteMs;

/** Spans that are to be sent to destinations, and the facts that they are made of. */
export const otlpOutbox = (database: Database) => ({
  ...outboxOutcomes(database),
  ...outboxUpkeep(database),
  /** Takes the rows that are due longest, past those that others have; those of backfills where there are no others. */
  async claim(destinationId: number, limit: number, now: Instant): Promise<OutboxRow[]> {
    const claimRows = (isBackfill: boolean) =>
      database.run<OutboxRow>(otlpStatements.otlp_claim, {
        destination_id: destinationId,
        is_backfill: isBackfill,
        limit,
        leased_until: now + leaseMs,
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
  /** Of the attempts of which all jobs are known; where lists are fetched, those known only from events wait an hour. */
  jobs: (
    rows: readonly OutboxRow[],
    { fetchesLists, now }: { fetchesLists: boolean; now: Instant },
  ): Promise<StoredAttemptJobs[]> =>
    database.run(otlpStatements.otlp_jobs, {
      rows: JSON.stringify(rows),
      events_until: fetchesLists ? now - listWithinMs : null,
    }),
  /**
   * Attempts noted until then whose jobs destinations wait for and want to be listed; until `endedUntil` where the jobs that
   * events have ended. The newest first.
   */
  withoutJobs: (
    { until, endedUntil }: { until: Instant; endedUntil: Instant },
    limit: number,
  ): Promise<AttemptWithoutJobs[]> =>
    database.run(otlpStatements.otlp_without_jobs, { until, ended_until: endedUntil, limit }),
});

/** What becomes of rows that were taken. Those that somebody else has by now are left to them. */
const outboxOutcomes = (database: Database) => ({
  /** Deletes what a destination accepted, and notes it. `rejected` spans and `message` are what it said about the rest. */
  accept: (
    destinationId: number,
    rows: readonly AcceptedRow[],
    { rejected, message }: { rejected: number; message: string | null },
    now: Instant,
  ): Promise<void> =>
    holdingDestination(database, destinationId, async (queries) => {
      await queries.run(outcomeStatements.otlp_accept, {
        destination_id: destinationId,
        rows: JSON.stringify(rows),
        rejected,
        message,
        batch: rejected > 0 ? now : null,
        now,
      });
    }),
  /** Keeps rows for another while; answers those that are still this process's. */
  renew: <Unit extends { row: OutboxRow }>(
    destinationId: number,
    units: readonly Unit[],
    now: Instant,
  ): Promise<Unit[]> =>
    holdingDestination(database, destinationId, async (queries) => {
      const leasedUntil = now + leaseMs;
      const renewed = await queries.run<OutboxRow>(outcomeStatements.otlp_renew, {
        destination_id: destinationId,
        rows: JSON.stringify(units.map(({ row }) => row)),
        leased_until: leasedUntil,
      });
      const keys = new Set(renewed.map(toKey));
      return units
        .filter(({ row }) => keys.has(toKey(row)))
        .map((unit) => ({ ...unit, row: { ...unit.row, leasedUntil } }));
    }),
  /** Puts jobs off that are not known yet, and gives those up that are late, or that a backfill took for known. */
  postpone: (destinationId: number, rows: readonly OutboxRow[], now: Instant): Promise<void> =>
    holdingDestination(database, destinationId, async (queries) => {
      const late = rows.filter(({ createdAt, backfillId }) => now - createdAt > jobsWithinMs || backfillId !== null);
      const waiting = rows
        .filter((row) => !late.includes(row))
        .map((row) => ({ ...row, dueAt: now + pauseOf(row, now) }));
      const destination = { destination_id: destinationId };
      await queries.run(outcomeStatements.otlp_release, { ...destination, rows: JSON.stringify(waiting) });
      await queries.run(outcomeStatements.otlp_give_up, { ...destination, rows: JSON.stringify(late) });
    }),
  /** Deletes rows of runs that are stored no longer. */
  forget: (destinationId: number, rows: readonly OutboxRow[]): Promise<void> =>
    holdingDestination(database, destinationId, async (queries) => {
      await queries.run(outcomeStatements.otlp_forget, { destination_id: destinationId, rows: JSON.stringify(rows) });
    }),
  /** Gives rows back, to be taken again. */
  release: (destinationId: number, rows: readonly OutboxRow[]): Promise<void> =>
    holdingDestination(database, destinationId, async (queries) => {
      await queries.run(outcomeStatements.otlp_release, { destination_id: destinationId, rows: JSON.stringify(rows) });
    }),
  /** Sets a row aside that a destination does not take by itself. */
  park: (
    destinationId: number,
    { runId, attempt, part, leasedUntil }: OutboxRow,
    { spans, message }: { spans: number; message: string },
    now: Instant,
  ): Promise<void> =>
    holdingDestination(database, destinationId, async (queries) => {
      await queries.run(outcomeStatements.otlp_park, {
        destination_id: destinationId,
        run_id: runId,
        attempt,
        part,
        leased_until: leasedUntil,
        spans,
        message,
        now,
      });
    }),
});

const toKey = ({ runId, attempt, part }: Pick<OutboxRow, 'runId' | 'attempt' | 'part'>) =>
  `${runId} ${attempt} ${part}`;

const toNames = (rows: readonly OutboxRow[]) => {
  const distinct = new Map(rows.map(({ runId, attempt }) => [`${runId} ${attempt}`, { runId, attempt }]));
  return JSON.stringify([...distinct.values()]);
};

const pauseOf = ({ createdAt }: OutboxRow, now: Instant) => Math.min(Math.max(now - createdAt, minPauseMs), maxPauseMs);
