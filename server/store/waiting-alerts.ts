import type { Queries } from './database.ts';

/** Sends elsewhere what of a rule waits to be sent and is in no email yet. */
export async function moveWaiting(queries: Queries, ruleId: number, destination: string | null): Promise<void> {
  const ids = await lockWaiting(queries, ruleId);
  await queries.db
    .updateTable('alert_events')
    .set({ destination })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
}

/** Gives up what of a rule waits to be sent and is in no email yet. */
export async function stopWaiting(queries: Queries, ruleId: number, reason: string): Promise<void> {
  const ids = await lockWaiting(queries, ruleId);
  await queries.db
    .updateTable('alert_events')
    .set({ deliveryStatus: 'failed', deliveryError: reason })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
}

/** In the order in which the emails of a day lock them. */
async function lockWaiting({ db }: Queries, ruleId: number): Promise<number[]> {
  const waiting = await db
    .selectFrom('alert_events')
    .select('id')
    .where('ruleId', '=', ruleId)
    .where((eb) => eb.or([eb('deliveryStatus', '=', 'pending'), eb('deliveryStatus', '=', 'batched')]))
    .where('digestId', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return waiting.map(({ id }) => id);
}
