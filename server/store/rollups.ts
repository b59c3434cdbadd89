import { readStatements } from '../platform/source-files.ts';
import { noteDue } from './alert-due.ts';
import type { Database, Queries } from './database.ts';
import { lock, shareLock, tryLock } from './locks.ts';

const statements = readStatements('rollups', [
  'set_statement_timeout',
  'mark_every_day',
  'is_rebuilding',
  'take_dirty_days',
  'recompute_days',
  'move_members',
]);

/** Days that one transaction recomputes. */
const dayBatch = 2000;
/** Repositories that one transaction moves into the sums of their owners, or out of them. */
const memberBatch = 20;

export function rollups(database: Database) {
  return {
    /** Brings every rollup that is behind up to the facts. Answers how many days it recomputed. */
    async recompute(mayContinue = () => true): Promise<number> {
      while (mayContinue() && (await database.transaction(exclusively(moveMembers))) > 0);
      let days = 0;
      while (mayContinue()) {
        const done = await database.transaction(exclusively(recomputeBatch));
        if (done === 0) break;
        days += done;
      }
      await database.transaction(exclusively(endRebuilding));
      return days;
    },
    /**
     * Divides days by another zone from now on: marks every day for recomputing. Answers whether there was anything to
     * do. Days that counted runs which are no longer stored stay as they are.
     */
    rebuild: (timezone: string): Promise<boolean> =>
      database.transaction(async (transaction) => {
        await lock(transaction, 'timeZone');
        await transaction.run(statements.set_statement_timeout, { milliseconds: '0' });
        const changed = await transaction.db
          .updateTable('rollup_zone')
          .set({ zone: timezone })
          .where('zone', '<>', timezone)
          .returning('zone')
          .executeTakeFirst();
        if (changed) await transaction.run(statements.mark_every_day, { zone: timezone });
        return changed !== undefined;
      }),
    /** Whether days are still waiting to be recounted in a new zone. Readers are exact all the same, only slower. */
    rebuilding: (): Promise<boolean> => isRebuilding(database),
  };
}

/** Does a batch of work on rollups, unless another process does. Answers how much was done. */
const exclusively = (work: (transaction: Queries) => Promise<number>) => async (transaction: Queries) => {
  if (!(await tryLock(transaction, 'rollups'))) return 0;
  await shareLock(transaction, 'timeZone');
  await transaction.run(statements.set_statement_timeout, { milliseconds: '60000' });
  return work(transaction);
};

/**
 * Makes some of the tracked repositories members of their owner's days, or ends it for some that are not tracked by
 * that name any more. Answers how many were moved.
 */
async function moveMembers(transaction: Queries): Promise<number> {
  const [done] = await transaction.run<{ moved: number }>(statements.move_members, { batch: memberBatch });
  return done?.moved ?? 0;
}

/** Notes that every day is of the new zone, as what was partial no longer is; answers whether that is news. */
async function endRebuilding(transaction: Queries): Promise<number> {
  const zone = await transaction.db.selectFrom('rollup_zone').select('rebuildThrough').executeTakeFirst();
  if (!zone?.rebuildThrough || (await isRebuilding(transaction))) return 0;
  await transaction.db.updateTable('rollup_zone').set({ rebuildThrough: 0 }).execute();
  return 1;
}

async function isRebuilding(queries: Queries): Promise<boolean> {
  const [answer] = await queries.run<{ pending: boolean }>(statements.is_rebuilding);
  return answer?.pending ?? false;
}

/**
 * The notes are taken away first and the facts read by a later statement, which sees at least what those notes were
 * about; whoever commits in between leaves a note of their own.
 */
async function recomputeBatch(transaction: Queries): Promise<number> {
  const notes = await transaction.run<{ repo_id: number; day: string }>(statements.take_dirty_days, {
    batch: dayBatch,
  });
  const days = [...new Map(notes.map((note) => [`${note.repo_id} ${note.day}`, note])).values()];
  if (days.length === 0) return 0;
  await transaction.run(statements.recompute_days, {
    repo_ids: days.map(({ repo_id }) => repo_id),
    days: days.map(({ day }) => day),
  });
  await noteDue(
    transaction,
    notes.map(({ repo_id }) => repo_id),
  );
  return days.length;
}
