import { waitingAtMost } from '../domain/trace-counts.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import type { Database } from './database.ts';
import { holdingDestination } from './locks.ts';
import { auditDestination } from './otlp-destinations.ts';
import { outcomeStatements } from './statements.ts';

/** What waits for a destination, but for backfills; each count ends at `waitingAtMost`. */
export interface OutboxDepth {
  due: number;
  oldestDueAt: Instant | null;
  /** Jobs that are not due yet: most of them are not known. */
  waiting: number;
  /** Set aside, because the destination does not take it by itself. */
  parked: number;
  /** Sent in requests of which the destination did not take all. */
  takenInPart: number;
}

const deletedAtOnce = 5000;

/** What is done to rows of the outbox beside sending them. */
export const outboxUpkeep = (database: Database) => ({
  /** Tries again at once, with what was not taken and what was parked; answers how many rows these are. */
  resend: (destinationId: number, by: ChangedBy): Promise<number> =>
    holdingDestination(database, destinationId, async (queries) => {
      const [done] = await queries.run<{ rows: number }>(outcomeStatements.otlp_resend, {
        destination_id: destinationId,
        now: by.now,
      });
      await auditDestination(queries, 'otlp.resent', destinationId, by);
      return done?.rows ?? 0;
    }),
  /**
   * Deletes rows that were noted before then, those of jobs that nobody knows yet before `jobsBefore`, at most 5,000 of
   * them; answers how many.
   */
  drop: (destinationId: number, { before, jobsBefore }: { before: Instant; jobsBefore: Instant }): Promise<number> =>
    holdingDestination(database, destinationId, async (queries) => {
      const [done] = await queries.run<{ rows: number }>(outcomeStatements.otlp_drop, {
        destination_id: destinationId,
        before,
        jobs_before: jobsBefore,
        batch: deletedAtOnce,
      });
      return done?.rows ?? 0;
    }),
  /** Deletes some of what deleted destinations left behind; answers how many rows these were. */
  async deleteLeftovers(): Promise<number> {
    const [done] = await database.run<{ rows: number }>(outcomeStatements.otlp_delete_leftovers, {
      batch: deletedAtOnce,
    });
    return done?.rows ?? 0;
  },
  /** When the row was noted that has `rank` newer ones; null where there are not so many. */
  async createdAtRank(destinationId: number, rank: number): Promise<Instant | null> {
    const [row] = await database.run<{ createdAt: Instant }>(outcomeStatements.otlp_created_at_rank, {
      destination_id: destinationId,
      rank,
    });
    return row?.createdAt ?? null;
  },
  async depth(destinationId: number, now: Instant): Promise<OutboxDepth> {
    const [depth] = await database.run<OutboxDepth>(outcomeStatements.otlp_depth, {
      destination_id: destinationId,
      most: waitingAtMost,
      now,
    });
    if (!depth) throw new Error('A statement without a source of rows answers one.');
    return depth;
  },
});
