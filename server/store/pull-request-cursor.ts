import type { InferEntity } from '@mikro-orm/core';
import type { PullRequest } from '../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { PullRequestCursor, PullRequestPass } from '../sync/pull-request-pass.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { SyncCursor } from './entities/sync-cursor.ts';
import { factStatements } from './facts/fact-statements.ts';
import { accountsIn, toRows } from './facts/rows.ts';
import { saveSyncState } from './facts/sync-states.ts';
import { lockRepository } from './locks.ts';

const kind = 'pull_requests';
const cursorKind = 'prs';

/** How far the pull requests of a repository have been read, and the pages of a reading that is under way. */
export function pullRequestCursor(database: Database) {
  const accounts = accountDictionary(database);
  return {
    async get(repoId: number): Promise<PullRequestCursor | null> {
      const row = await database.entities().findOne(SyncCursor, { repoId, kind: cursorKind });
      return row && { syncedThrough: row.syncedThrough, resume: row.resume as PullRequestPass | null };
    },
    put: (repoId: number, cursor: PullRequestCursor): Promise<void> => putCursor(database, repoId, cursor),
    /** Keeps a page together with where to go on after it. Counts the pull requests that it added or changed. */
    async storePage(repoId: number, items: readonly PullRequest[], resume: PullRequestPass) {
      const toAccountKey = await accounts.store(accountsIn(kind, items));
      const rows = toRows(kind, items, toAccountKey);
      return database.transaction(async (transaction) => {
        await lockRepository(transaction, repoId);
        const changed = await transaction.run<{ reviews: number }>(factStatements[kind].upsert, {
          repo_id: repoId,
          facts: rows,
        });
        await putCursor(transaction, repoId, { resume });
        return { upserted: changed.length, reviews: changed.reduce((sum, { reviews }) => sum + reviews, 0) };
      });
    },
    /**
     * Notes that a reading came to its end, so that whoever looks at pull requests finds them stored: all that ended
     * since its floor, as they were at `through`. false, and nothing, when they were read completely by another
     * meanwhile.
     */
    finish: (repoId: number, { beside, floor }: PullRequestPass, through: Instant, now: Instant): Promise<boolean> =>
      database.transaction(async (transaction) => {
        await lockRepository(transaction, repoId);
        const state = await findSyncState(transaction, repoId);
        if ((state?.floor ?? null) !== beside) return false;
        await saveSyncState(transaction, repoId, {
          kind,
          total: null,
          openCount: null,
          newestAt: null,
          head: null,
          capped: false,
          floor: state && !state.capped ? Math.min(state.floor, floor) : floor,
          // How far was read never moves back, unless it was noted while the clock was ahead.
          through: state && state.through <= now ? Math.max(state.through, through) : through,
        });
        await putCursor(transaction, repoId, { syncedThrough: through, resume: null });
        return true;
      }),
  };
}

async function putCursor({ db }: Queries, repoId: number, cursor: Partial<PullRequestCursor>): Promise<void> {
  // The column holds the passes of runs too.
  const values = cursor as Partial<Pick<InferEntity<typeof SyncCursor>, 'syncedThrough' | 'resume'>>;
  await db
    .insertInto('sync_cursors')
    .values({ repoId, kind: cursorKind, ...values })
    .onConflict((conflict) => conflict.columns(['repoId', 'kind']).doUpdateSet(values))
    .execute();
}

const findSyncState = ({ db }: Queries, repoId: number) =>
  db
    .selectFrom('fact_sync_state')
    .select(['floor', 'through', 'capped'])
    .where('repoId', '=', repoId)
    .where('kind', '=', kind)
    .executeTakeFirst();
