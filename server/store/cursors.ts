import type { RunCursor } from '../sync/cursor.ts';
import type { Database } from './database.ts';
import { SyncCursor } from './entities/sync-cursor.ts';

const kind = 'runs';

/** How far the runs of a repository have been read. */
export function cursors(database: Database) {
  return {
    async get(repoId: number): Promise<RunCursor | null> {
      const row = await database.entities().findOne(SyncCursor, { repoId, kind });
      if (!row) return null;
      return {
        syncedThrough: row.syncedThrough?.getTime() ?? null,
        backfilledTo: row.backfilledTo?.getTime() ?? null,
        deepAt: row.deepAt?.getTime() ?? null,
        resume: row.resume ?? null,
      };
    },
    async put(repoId: number, { syncedThrough, backfilledTo, deepAt, resume }: RunCursor): Promise<void> {
      await database.entities().upsert(SyncCursor, {
        repoId,
        kind,
        syncedThrough: dateOrNull(syncedThrough),
        backfilledTo: dateOrNull(backfilledTo),
        deepAt: dateOrNull(deepAt),
        resume,
      });
    },
  };
}

const dateOrNull = (instant: number | null) => (instant === null ? null : new Date(instant));
