import type { RunCursor } from '../sync/cursor.ts';
import type { Database } from './database.ts';
import { SyncCursor } from './entities/sync-cursor.ts';
import type { Fence } from './leases.ts';
import { pullRequestCursor } from './pull-request-cursor.ts';
import { fromMs } from './wire-sql.ts';

const kind = 'runs';

/** How far the runs and the pull requests of a repository have been read. */
export function cursors(database: Database) {
  return {
    pullRequests: pullRequestCursor(database),
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
    /** Through a fence, only while its lease is held. */
    put: (repoId: number, cursor: RunCursor, { transaction }: Fence = database): Promise<void> =>
      transaction(async ({ query }) => {
        const { syncedThrough, backfilledTo, deepAt, resume } = cursor;
        const pass = resume && JSON.stringify(resume);
        await query(upsert, [repoId, kind, syncedThrough, backfilledTo, deepAt, pass]);
      }),
  };
}

const upsert = `
  insert into sync_cursors (repo_id, kind, synced_through, backfilled_to, deep_at, resume)
  values ($1, $2, ${fromMs('$3')}, ${fromMs('$4')}, ${fromMs('$5')}, $6::jsonb)
  on conflict (repo_id, kind) do update set synced_through = excluded.synced_through,
    backfilled_to = excluded.backfilled_to, deep_at = excluded.deep_at, resume = excluded.resume`;
