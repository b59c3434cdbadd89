import type { Instant } from '../metrics/kernel/facts.ts';
import type { Enqueue } from './alert-events.ts';
import type { Database, Queries } from './database.ts';
import type { DeliveryStatus } from './entities/alert-event.ts';
import { serviceStatements } from './statements.ts';
import { countDelivery } from './webhook-endpoints.ts';

/** More than are sent between two backups; rules have numbers for two thousand restores. */
const skippedIds = 1_000_000;

/** The attempts to deliver single events. */
export const alertDeliveries = (database: Database) => ({
  /** Whether anything waits to be delivered now or later. */
  async isDelivering(): Promise<boolean> {
    const pending = database.db.selectFrom('alert_events').select('id').where('deliveryStatus', '=', 'pending');
    return (await pending.limit(1).execute()).length > 0;
  },
  /** Leaves out the ids that rules, events and digests got after a backup: receivers take a message with one for a repeated one. */
  async skipIds(): Promise<void> {
    await database.run(serviceStatements.skip_message_ids, { skipped: skippedIds });
  },
  /** The attempts that events wait for. */
  async waiting(): Promise<{ eventId: number; attempt: number }[]> {
    const events = await database.db
      .selectFrom('alert_events')
      .select(['id', 'deliveryAttempts'])
      .where('deliveryStatus', '=', 'pending')
      .execute();
    return events.map(({ id, deliveryAttempts }) => ({ eventId: id, attempt: deliveryAttempts + 1 }));
  },
  /** Stores why an attempt was not made, with when it is to be; nothing when another one was faster. */
  putOff: (
    id: number,
    { attempt, error }: { attempt: number; error: string | null },
    enqueueAgain: Enqueue,
  ): Promise<void> =>
    database.transaction(async (transaction) => {
      const { numUpdatedRows } = await transaction.db
        .updateTable('alert_events')
        .set({ deliveryError: error })
        .where('id', '=', id)
        .where('deliveryStatus', '=', 'pending')
        .where('deliveryAttempts', '=', attempt - 1)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await enqueueAgain(transaction, id);
    }),
  /** Stores the result of the given attempt of a delivery; nothing when another one was faster. */
  delivered: (
    id: number,
    outcome: { attempt: number; status: DeliveryStatus; error: string | null; now: Instant },
    enqueueNext: Enqueue | null,
  ): Promise<void> =>
    database.transaction(async (transaction) => {
      const { attempt, status, error, now } = outcome;
      await lockRules(transaction, 'id', id);
      const event = await transaction.db
        .updateTable('alert_events')
        .set({ deliveryStatus: status, deliveryAttempts: attempt, deliveryError: error })
        .where('id', '=', id)
        .where('deliveryStatus', '=', 'pending')
        .where('deliveryAttempts', '=', attempt - 1)
        .returning(['ruleId', 'channel', 'destination'])
        .executeTakeFirst();
      if (!event) return;
      if (status === 'sent') await setDelivering(transaction, [event.ruleId]);
      if (status === 'failed') await setFailing(transaction, [event.ruleId], now);
      if (event.channel === 'webhook' && status !== 'pending')
        await countDelivery(transaction, Number(event.destination), status === 'sent');
      await enqueueNext?.(transaction, id);
    }),
});

/** Locks the rules of an event, or of those in a digest, before the events themselves, as evaluations and deletions do. */
export async function lockRules({ db }: Queries, column: 'id' | 'digestId', id: number): Promise<void> {
  await db
    .selectFrom('alert_rules')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom('alert_events').select('ruleId').where(column, '=', id))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Records that something of these rules was delivered; null is a rule that was deleted. */
export async function setDelivering({ db }: Queries, ruleIds: readonly (number | null)[]): Promise<void> {
  await db
    .updateTable('alert_rules')
    .set({ deliveryFailingSince: null })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ruleIds]))))
    .where('deliveryFailingSince', 'is not', null)
    .execute();
}

/** Records that something of these rules could not be delivered; null is a rule that was deleted. */
export async function setFailing({ db }: Queries, ruleIds: readonly (number | null)[], now: Instant): Promise<void> {
  await db
    .updateTable('alert_rules')
    .set({ deliveryFailingSince: now })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ruleIds]))))
    .where('deliveryFailingSince', 'is', null)
    .execute();
}
