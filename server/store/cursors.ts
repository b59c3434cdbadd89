import type { RunCursor } from '../sync/cursor.ts';
import type { Database } from './database.ts';
import { SyncCursor } from './entities/sync-cursor.ts';
import type { Fence } from './leases.ts';
import { pullRequestCursor } from './pull-request-cursor.ts';

const kind = 'runs';

/** How far the runs and the pull requests of a repository have been read. */
export function cursors(database: Database) {
  return {
    pullRequests: pullRequestCursor(database),
    async get(repoId: number): Promise<RunCursor | null> {
      const row = await database.entities().findOne(SyncCursor, { repoId, kind });
      if (!row) return null;
      const { syncedThrough, backfilledTo, deepAt, resume } = row;
      return { syncedThrough, backfilledTo, deepAt, resume };
    },
    /** Through a fence, only while its lease is held. */
    put: (
      repoId: number,
      { syncedThrough, backfilledTo, deepAt, resume }: RunCursor,
      { transaction }: Fence = database,
    ): Promise<void> =>
      transaction(async ({ db }) => {
        const cursor = { syncedThrough, backfilledTo, deepAt, resume };
        await db
          .insertInto('sync_cursors')
          .values({ repoId, kind, ...cursor })
          .onConflict((conflict) => conflict.columns(['repoId', 'kind']).doUpdateSet(cursor))
          .execute();
      }),
  };
}
