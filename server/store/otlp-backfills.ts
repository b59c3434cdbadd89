import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import type { OtlpBackfillState } from './entities/otlp.ts';
import { lock } from './locks.ts';
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
  /** Attempts that are stored, and those of them with jobs. */
  async stored(now: Instant): Promise<{ attempts: number; withJobs: number }> {
    const [stored] = await database.run<{ attempts: number; withJobs: number }>(
      backfillStatements.otlp_backfill_stored,
      { now },
    );
    return stored ?? { attempts: 0, withJobs: 0 };
  },
  /**
   * Changes nothing where it is in another state; what waits for a cancelled one is deleted. Answers false where it
   * cannot be resumed, because another one of its destination is running.
   */
  change: (id: number, action: BackfillAction, by: ChangedBy): Promise<boolean> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      if (action === 'resume' && (await isAnotherRunning(queries, id))) return false;
      const { from, to } = changes[action];
      const changed = await queries.db
        .updateTable('otlp_backfills')
        .set({ state: to })
        .$if(action === 'resume', (update) => update.set((eb) => ({ resumedAt: by.now, resumedDone: eb.ref('done') })))
        .$if(action === 'cancel', (update) => update.set({ finishedAt: by.now }))
        .where('id', '=', id)
        .where('state', 'in', [...from])
        .returning('destinationId')
        .executeTakeFirst();
      if (!changed || action !== 'cancel') return true;
      await queries.db.deleteFrom('otlp_outbox').where('backfillId', '=', id).execute();
      await auditDestination(queries, 'otlp.backfill_cancelled', changed.destinationId, by);
      return true;
    }),
  /** Those that may go on now. */
  due: (now: Instant): Promise<{ id: number; destinationId: number }[]> =>
    database.run(backfillStatements.otlp_backfill_due, { now }),
  /**
   * Notes the next attempts to be sent, at most `limit` of them, and goes on after as long as `perSecond` allows.
   * Answers of how many something is to be sent; null where nothing is left.
   */
  async step(id: number, limit: number, perSecond: number, now: Instant): Promise<number | null> {
    const [step] = await database.run<{ noted: number }>(backfillStatements.otlp_backfill_step, {
      id,
      limit,
      per_second: perSecond,
      now,
    });
    return step?.noted ?? null;
  },
  /** Ends one of which everything was sent or set aside. */
  async end(id: number, now: Instant): Promise<void> {
    await database.run(backfillStatements.otlp_backfill_end, { id, now });
  },
});

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
