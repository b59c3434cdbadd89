import { setTimeout } from 'node:timers/promises';
import type { Database, Queries } from './database.ts';

/** Rows that one short transaction deletes, so that nobody waits for it long. */
export const batchSize = 5000;

const pauseMs = 50;
/** All pauses together. */
const pausesMs = 5000;

export interface Purged {
  /** Deleted rows by table. */
  rows: Record<string, number>;
  /** false while something is left to delete. */
  complete: boolean;
}

export type Batches = ReturnType<typeof batches>;

/** Deletes in batches, each with permission and in a transaction of its own; other work runs in between. */
export function batches(database: Database, mayContinue: () => boolean) {
  const purged: Purged = { rows: {}, complete: true };
  let pausesLeft = pausesMs / pauseMs;
  return {
    purged,
    /** Repeats until a batch is not full. `batch` answers how many rows it deleted, null when it may not now. */
    async drain(table: string, batch: (transaction: Queries) => Promise<number | null>): Promise<void> {
      for (let isFull = true; isFull; ) {
        const deleted = mayContinue() ? await database.transaction(batch) : null;
        if (deleted === null) purged.complete = false;
        if (deleted) purged.rows[table] = (purged.rows[table] ?? 0) + deleted;
        isFull = deleted === batchSize;
        if (isFull && pausesLeft-- > 0) await setTimeout(pauseMs);
      }
    },
  };
}
