import { storedAtMost } from '../domain/trace-counts.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import type { OtlpBackfillState } from './entities/otlp.ts';
import { holdingDestination, lock, lockDestination } from './locks.ts';
import { auditDestination } from './otlp-destinations.ts';
import { backfillStatements } from './statements.ts';

/** Stored attempts that are sent to a destination once more, or for the first time. */
export interface StoredBackfill {
  id: number;
  destinationId: number;
  /** Created from then on and before then. */
  from: Instant;
  to: Instant;
  /** `owner/name` in lower case; null for all repositories. */
  repo: string | null;
  again: boolean;
  done: number;
  total: number;
  /** Spans that the receiver did not take. */
  rejected: number;
  state: OtlpBackfillState;
  startedBy: string;
  startedAt: Instant;
  finishedAt: Instant | null;
  /** When it was started or resumed last, and what was done by then. */
  resumedAt: Instant;
  resumedDone: number;
}

export interface BackfillRequest extends Pick<StoredBackfill, 'destinationId' | 'from' | 'to' | 'repo' | 'again'> {}

export type BackfillAction = 'pause' | 'resume' | 'cancel';

/** From which states an action leads to which. */
const changes = {
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  cancel: { from: ['running', 'paused'], to: 'cancelled' },
} as const;

/** So many of the newest are listed. */
const maxListed = 20;

export const otlpBackfills = (database: Database) => ({
  /** Begins one, with its entry of the audit log; null where one is running for the destination, or that is gone. */
  start: (request: BackfillRequest, by: ChangedBy): Promise<number | null> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const { destinationId, from, to, repo, again } = request;
      const [started] = await queries.run<{ id: number }>(backfillStatements.otlp_backfill_start, {
        destination_id: destinationId,
        from,
        to,
        repo_key: repo,
        again,
        started_by: by.actor?.login ?? null,
        now: by.now,
      });
      if (started) await auditDestination(queries, 'otlp.backfill_started', destinationId, by);
      return started?.id ?? null;
    }),
  list: (): Promise<StoredBackfill[]> => readList(database, null),
  find: async (id: number): Promise<StoredBackfill | null> => (await readList(database, id))[0] ?? null,
  /** Attempts that are stored, and those of them with jobs; each count ends at `storedAtMost`. */
  async stored(now: Instant): Promise<{ attempts: number; withJobs: number }> {
    const [stored] = await database.run<{ attempts: number; withJobs: number }>(
      backfillStatements.otlp_backfill_stored,
      { now, most: storedAtMost },
    );
    return stored ?? { attempts: 0, withJobs: 0 };
  },
  /**
   * Changes nothing where it is in another state; what waits for a cancelled one is deleted, and was not done. Answers
   * false where it cannot be resumed, because another one of its destination is running.
   */
  change: (id: number, action: BackfillAction, by: ChangedBy): Promise<boolean> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const destinationId = await findDestination(queries, id);
      if (destinationId === undefined) return true;
      await lockDestination(queries, destinationId);
      if (action === 'resume' && (await isAnotherRunning(queries, id))) return false;
      const { from, to } = changes[action];
      const changed = await queries.db
        .updateTable('otlp_backfills')
        .set({ state: to })
        .$if(action === 'resume', (update) => update.set((eb) => ({ resumedAt: by.now, resumedDone: eb.ref('done') })))
        .$if(action === 'cancel', (update) => update.set({ finishedAt: by.now }))
        .where('id', '=', id)
        .where('state', 'in', [...from])
        .returning('id')
        .executeTakeFirst();
      if (!changed || action !== 'cancel') return true;
      await deleteWaiting(queries, id);
      await auditDestination(queries, 'otlp.backfill_cancelled', destinationId, by);
      return true;
    }),
  /** Those that may go on now. */
  due: (now: Instant): Promise<{ id: number; destinationId: number }[]> =>
    database.run(backfillStatements.otlp_backfill_due, { now }),
  /**
   * Walks past the next attempts, at most `limit` of them, notes what is to be sent of them, and goes on after as long as `perSecond` allows.
   * Answers of how many something is to be sent; null where nothing is left.
   */
  step: (
    { id, destinationId }: Pick<StoredBackfill, 'id' | 'destinationId'>,
    { limit, perSecond }: { limit: number; perSecond: number },
    now: Instant,
  ): Promise<number | null> =>
    holdingDestination(database, destinationId, async (queries) => {
      const [step] = await queries.run<{ noted: number }>(backfillStatements.otlp_backfill_step, {
        id,
        limit,
        per_second: perSecond,
        now,
      });
      return step?.noted ?? null;
    }),
  /** Ends one of which everything was sent or set aside. */
  async end(id: number, now: Instant): Promise<void> {
    await database.run(backfillStatements.otlp_backfill_end, { id, now });
  },
});

const findDestination = async ({ db }: Queries, id: number) =>
  (await db.selectFrom('otlp_backfills').select('destinationId').where('id', '=', id).executeTakeFirst())
    ?.destinationId;

/** What was parked stays: it may be sent again. */
async function deleteWaiting({ db }: Queries, id: number): Promise<void> {
  const deleted = await db
    .deleteFrom('otlp_outbox')
    .where('backfillId', '=', id)
    .where('parkedAt', 'is', null)
    .returning(['runId', 'runAttempt'])
    .execute();
  const attempts = new Set(deleted.map(({ runId, runAttempt }) => `${runId} ${runAttempt}`));
  await db
    .updateTable('otlp_backfills')
    .set((eb) => ({ done: eb('done', '-', attempts.size) }))
    .where('id', '=', id)
    .execute();
}

async function isAnotherRunning({ db }: Queries, id: number): Promise<boolean> {
  const running = await db
    .selectFrom('otlp_backfills as other')
    .innerJoin('otlp_backfills as one', 'one.destinationId', 'other.destinationId')
    .select('other.id')
    .where('one.id', '=', id)
    .where('other.id', '!=', id)
    .where('other.state', '=', 'running')
    .executeTakeFirst();
  return running !== undefined;
}

const readList = (database: Database, id: number | null) =>
  database.run<StoredBackfill>(backfillStatements.otlp_backfill_list, { id, limit: maxListed });
