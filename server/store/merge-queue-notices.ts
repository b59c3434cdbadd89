import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import type { MergeQueueNotice } from '../metrics/merge-queue/entries.ts';
import { noteDue } from './alert-due.ts';
import type { Database } from './database.ts';
import { queuedRepositories } from './queued-repositories.ts';
import { upsertSeen } from './repositories.ts';

/** One event of the platform about a pull request and a merge queue, as a webhook delivered it. */
export interface QueueDelivery {
  /** The platform's id of the delivery; the same when it is delivered again. */
  id: string;
  event: string;
  action: string;
  repository: Repository;
  notice: MergeQueueNotice;
}

/** What webhooks say of merge queues, each event once, whichever delivery brings it. */
export const mergeQueueNotices = (database: Database) => ({
  /** false where the delivery was taken before. An unknown repository is noted, untracked. */
  take: (delivery: QueueDelivery, receivedAt: Instant): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const { id, event, action, repository, notice } = delivery;
      const repoKey = `${repository.owner}/${repository.repo}`.toLowerCase();
      const stored = await transaction.db
        .insertInto('webhook_deliveries')
        .values({ deliveryId: id, event, action, repoKey, receivedAt })
        .onConflict((conflict) => conflict.column('deliveryId').doNothing())
        .returning('deliveryId')
        .executeTakeFirst();
      if (!stored) return false;
      const repoId = await upsertSeen(transaction, repository);
      await transaction.db
        .insertInto('merge_queue_notices')
        .values({ repoId, ...notice })
        .onConflict((conflict) => conflict.columns(['repoId', 'number', 'kind', 'at']).doNothing())
        .execute();
      await noteDue(transaction, [repoId]);
      return true;
    }),
  /** The repositories of which anything was said since an instant, by the database's ids. */
  async repositories(since: Instant): Promise<ReadonlySet<number>> {
    const rows = await database.db
      .selectFrom('merge_queue_notices')
      .select('repoId')
      .distinct()
      .where('at', '>=', since)
      .execute();
    return new Set(rows.map(({ repoId }) => repoId));
  },
  queued: queuedRepositories(database),
  /** Those of a repository since an instant, oldest first, by the platform's id. */
  list: (repositoryId: number, since: Instant): Promise<MergeQueueNotice[]> =>
    database.db
      .selectFrom('merge_queue_notices')
      .innerJoin('repos', 'repos.id', 'merge_queue_notices.repoId')
      .where('repos.codehostRepoId', '=', repositoryId)
      .where('merge_queue_notices.at', '>=', since)
      .select([
        'merge_queue_notices.number',
        'merge_queue_notices.kind',
        'merge_queue_notices.at',
        'merge_queue_notices.baseBranch',
        'merge_queue_notices.headSha',
        'merge_queue_notices.isByBot',
        'merge_queue_notices.reason',
      ])
      .orderBy('merge_queue_notices.at')
      .orderBy('merge_queue_notices.number')
      .orderBy('merge_queue_notices.kind')
      .execute(),
});
