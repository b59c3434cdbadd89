import type { Instant } from '../metrics/facts.ts';
import type { DeliveryStatus, Enqueue } from './alert-events.ts';
import type { Database, Queries } from './database.ts';
import { fromMs } from './wire-sql.ts';

/** The attempts by which events are told one at a time. */
export const alertDeliveries = (database: Database) => ({
  /** Whether anything waits to be delivered now or later. */
  async isDelivering(): Promise<boolean> {
    return (await database.query(`select from alert_events where delivery_status = 'pending' limit 1`)).length > 0;
  },
  /** The attempts that events wait for. */
  waiting: (): Promise<{ eventId: number; attempt: number }[]> => database.query(waiting),
  /** Notes what came of the given attempt of a delivery; nothing when another one was faster. */
  delivered: (
    id: number,
    outcome: { attempt: number; status: DeliveryStatus; error: string | null; now: Instant },
    enqueueNext: Enqueue | null,
  ): Promise<void> =>
    database.transaction(async (transaction) => {
      const { attempt, status, error, now } = outcome;
      await transaction.query(lockRulesOf('id = $1'), [id]);
      const [event] = await transaction.query<{ rule_id: number | null }>(setDelivered, [id, attempt, status, error]);
      if (!event) return;
      if (event.rule_id !== null && status !== 'pending')
        await noteArrival(transaction, [event.rule_id], status === 'sent', now);
      await enqueueNext?.(transaction, id);
    }),
});

/** Locks the rules of events before the events themselves, as whoever judges or deletes a rule does. */
export const lockRulesOf = (whichEvents: string): string => `
  select from alert_rules where id in (select rule_id from alert_events where ${whichEvents})
  order by id for no key update`;

/** Notes at these rules whether the last of what they have to tell arrived. */
export async function noteArrival(
  { query }: Queries,
  ruleIds: readonly number[],
  hasArrived: boolean,
  now: Instant,
): Promise<void> {
  if (hasArrived) await query(setArriving, [ruleIds]);
  else await query(setFailing, [ruleIds, now]);
}

const waiting = `
  select id::float8 as "eventId", delivery_attempts + 1 as attempt from alert_events where delivery_status = 'pending'`;

const setDelivered = `
  update alert_events set delivery_status = $3, delivery_attempts = $2, delivery_error = $4
  where id = $1 and delivery_status = 'pending' and delivery_attempts = $2::int - 1 returning rule_id`;

const setArriving = `
  update alert_rules set delivery_failing_since = null
  where id = any ($1::int[]) and delivery_failing_since is not null`;

const setFailing = `
  update alert_rules set delivery_failing_since = ${fromMs('$2')}
  where id = any ($1::int[]) and delivery_failing_since is null`;
