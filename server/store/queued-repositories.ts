import type { Instant } from '../metrics/kernel/facts.ts';
import type { Queries } from './database.ts';

/**
 * Of these repositories, by the database's ids, those in which a pull request was in a merge queue since an instant: by
 * the timeline of one that ended, or by a webhook.
 */
export const queuedRepositories =
  ({ db }: Queries) =>
  async (repoIds: readonly number[], since: Instant): Promise<ReadonlySet<number>> => {
    const ended = db
      .selectFrom('pr_facts')
      .select('repoId')
      .where(({ eb, fn }) => eb('repoId', '=', fn.any(eb.val([...repoIds]))))
      .where(({ eb, fn }) =>
        eb(fn.coalesce('mergedAt', 'closedAt'), '>=', fn<number>('to_timestamp', [eb.val(since / 1000)])),
      )
      .where(({ eb, cast, ref }) =>
        eb(cast<string>(ref('mergeQueue', '->>').key('events' as never), 'text'), '!=', '[]'),
      );
    const named = db
      .selectFrom('merge_queue_notices')
      .select('repoId')
      .where(({ eb, fn }) => eb('repoId', '=', fn.any(eb.val([...repoIds]))))
      .where('at', '>=', since);
    const rows = await ended.union(named).execute();
    return new Set(rows.map(({ repoId }) => repoId));
  };
