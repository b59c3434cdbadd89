import type { Window } from '../metrics/kernel/window.ts';
import type { Queries } from './database.ts';

/**
 * By repository the window of which every pull request that ended in it is stored; absent where none were ever read, empty
 * where the reading was stopped by its limit.
 */
export const pullRequestWindows =
  ({ db }: Queries) =>
  async (repoIds: readonly number[]): Promise<Map<number, Window>> => {
    const read = await db
      .selectFrom('fact_sync_state')
      .select(['repoId', 'floor', 'through', 'capped'])
      .where(({ eb, fn }) => eb('repoId', '=', fn.any(eb.val([...repoIds]))))
      .where('kind', '=', 'pull_requests')
      .execute();
    return new Map(
      read.map(({ repoId, floor, through, capped }) => [repoId, { from: capped ? through : floor, to: through }]),
    );
  };
