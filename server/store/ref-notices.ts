import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import { type RefNotice, recordPush } from '../metrics/security/ref-notice.ts';
import { rowsBehind } from './action-ledger.ts';
import type { Database, Queries } from './database.ts';
import { readNewest } from './ref-histories.ts';

/** One event of the platform about a tag or branch, as a webhook delivered it. */
export interface RefDelivery {
  /** The platform's id of the delivery; the same when it is delivered again. */
  id: string;
  event: string;
  action: string;
  /** With the platform's id. */
  repository: RepositoryName & { id: number };
  notice: RefNotice;
}

/** An observation by so much later than a notice tells of it for certain: an answer may come from a copy. */
const settlesMs = 60_000;

/** What webhooks say of refs of actions that are used here, each event once. */
export const refNotices = (database: Database) => ({
  /**
   * Writes down what a push says where it goes on from what was observed last; of every other notice that the ref is to be
   * looked at. `unused`: nobody uses the ref here, and nothing is stored.
   */
  async take(delivery: RefDelivery, receivedAt: Instant): Promise<'taken' | 'duplicate' | 'unused'> {
    if ((await findRefs(database, delivery).execute()).length === 0) return 'unused';
    return database.transaction((transaction) => take(transaction, delivery, receivedAt));
  },
  /** Refs that were noticed since an instant, and not observed after it. */
  async unobserved(since: Instant): Promise<ReadonlySet<number>> {
    const refs = await database.db
      .selectFrom('action_refs')
      .select(['id', 'noticedAt'])
      .where('noticedAt', '>=', since)
      .execute();
    const newest = await readNewest(
      database,
      refs.map(({ id }) => id),
      1,
    );
    return new Set(
      refs.flatMap(({ id, noticedAt }) =>
        noticedAt !== null && (newest.get(id)?.at(-1)?.observedTo ?? 0) < noticedAt + settlesMs ? id : [],
      ),
    );
  },
});

const findRefs = ({ db }: Queries, { repository: { id, owner, repo }, notice: { ref, isBranch } }: RefDelivery) => {
  const folder = isBranch ? 'heads' : 'tags';
  return db
    .selectFrom('action_refs')
    .select(['id', 'isBranch', 'noticedAt'])
    .where('ref', 'in', [ref, `${folder}/${ref}`, `refs/${folder}/${ref}`])
    .where(({ eb, or }) => or([eb('codehostId', '=', id), eb('actionKey', '=', `${owner}/${repo}`.toLowerCase())]))
    .orderBy('id');
};

async function take(queries: Queries, delivery: RefDelivery, receivedAt: Instant): Promise<'taken' | 'duplicate'> {
  const { id, event, action, repository, notice } = delivery;
  const repoKey = `${repository.owner}/${repository.repo}`.toLowerCase();
  const refs = await findRefs(queries, delivery).forUpdate().execute();
  const stored = await queries.db
    .insertInto('webhook_deliveries')
    .values({ deliveryId: id, event, action, repoKey, receivedAt })
    .onConflict((conflict) => conflict.column('deliveryId').doNothing())
    .returning('deliveryId')
    .executeTakeFirst();
  if (!stored) return 'duplicate';
  const histories = await readNewest(
    queries,
    refs.map((ref) => ref.id),
    rowsBehind,
  );
  const named = { codehostId: repository.id, repository: repoKey };
  for (const { id: refId, isBranch, noticedAt } of refs) {
    const history = histories.get(refId) ?? [];
    // What an earlier notice told of is not known yet.
    const isAwaited = noticedAt !== null && (history.at(-1)?.observedTo ?? 0) < noticedAt + settlesMs;
    const isOther = isBranch !== notice.isBranch;
    const row = isAwaited || isOther ? null : recordPush(history, notice, named, receivedAt);
    if (row)
      await queries.db
        .insertInto('ref_ledger')
        .values({ refId, ...row })
        .onConflict((conflict) =>
          conflict.columns(['refId', 'observedFrom']).doUpdateSet({ observedTo: row.observedTo }),
        )
        .execute();
    else await queries.db.updateTable('action_refs').set({ noticedAt: receivedAt }).where('id', '=', refId).execute();
  }
  return 'taken';
}
