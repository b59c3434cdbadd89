import type { Instant } from '../metrics/facts.ts';
import { lockRulesOf, noteArrival } from './alert-deliveries.ts';
import { type AlertEvent, alertEventColumns, alertEventSource } from './alert-events.ts';
import type { Database } from './database.ts';
import { fromMs } from './wire-sql.ts';

/** A letter of a day: the events in it are its own until it is sent, so that it is the same however often it is tried. */
export interface DailyDigest {
  id: number;
  destination: string;
  attempts: number;
  events: AlertEvent[];
}

/** The daily letters of rules that collect what they have to tell. */
export const digests = (database: Database) => ({
  /** Gives every event that waits to the letter of its destination. */
  claim: (slot: string, now: Instant): Promise<void> =>
    database.transaction(async ({ query }) => {
      await query(lockWaiting);
      await query(claim, [slot, now]);
    }),
  /** The letters that are to be sent, oldest first. */
  async open(): Promise<DailyDigest[]> {
    const rows = await database.query<Omit<DailyDigest, 'events'>>(openOnes);
    const events = await database.query<AlertEvent>(eventsOf, [rows.map(({ id }) => id)]);
    const byDigest = Map.groupBy(events, ({ digestId }) => digestId);
    return rows.map((row) => ({ ...row, events: byDigest.get(row.id) ?? [] }));
  },
  /** Notes that a letter went out. */
  sent: (id: number, now: Instant): Promise<void> =>
    database.transaction(async ({ query }) => {
      await query(finish, [id, 'sent', null, now]);
      await query(lockRulesOf('digest_id = $1'), [id]);
      await noteArrival({ query }, idsOf(await query(setSent, [id, now])), true, now);
    }),
  /** Notes that it is unknown whether a letter went out: it is to be tried again as it is. */
  async unsure(id: number, error: string): Promise<void> {
    await database.query('update digest_sends set attempts = attempts + 1, error = $2 where id = $1', [id, error]);
  },
  /** Notes that a letter was refused: its events wait for the next one, or are given up with it. */
  refused: (id: number, error: string, now: Instant): Promise<void> =>
    database.transaction(async ({ query }) => {
      await query(finish, [id, 'failed', error, now]);
      await query(lockRulesOf('digest_id = $1'), [id]);
      const events = await query<EventOfRule & { isOver: boolean }>(setRefused, [id, error]);
      await noteArrival({ query }, idsOf(events.filter(({ isOver }) => isOver)), false, now);
    }),
});

interface EventOfRule {
  ruleId: number | null;
}

const idsOf = (events: readonly EventOfRule[]): number[] =>
  events.map(({ ruleId }) => ruleId).filter((ruleId) => ruleId !== null);

/** Letters that an event is put into at most. */
const mostAttempts = 6;

const lockWaiting = `select from alert_events where delivery_status = 'batched' and digest_id is null order by id for update`;

const claim = `
  with waiting as (
    select destination, count(*)::int as events from alert_events
    where delivery_status = 'batched' and digest_id is null and destination is not null group by 1
  ),
  made as (
    insert into digest_sends (kind, slot, destination, status, events, started_at)
    select 'daily', $1, destination, 'claimed', events, ${fromMs('$2')} from waiting order by destination
    returning id, destination
  )
  update alert_events e set digest_id = made.id from made
  where e.delivery_status = 'batched' and e.digest_id is null and e.destination = made.destination`;

const openOnes = `
  select id::float8 as id, destination, attempts from digest_sends
  where kind = 'daily' and status = 'claimed' order by id`;

const eventsOf = `
  select ${alertEventColumns} from ${alertEventSource} where e.digest_id = any ($1::bigint[]) order by e.fired_at, e.id`;

const finish = `
  update digest_sends set status = $2, error = $3, attempts = attempts + 1, finished_at = ${fromMs('$4')} where id = $1`;

const setSent = `
  update alert_events set delivery_status = 'sent', digest_sent_at = ${fromMs('$2')},
    delivery_attempts = delivery_attempts + 1, delivery_error = null
  where digest_id = $1 returning rule_id as "ruleId"`;

const setRefused = `
  update alert_events set digest_id = null, delivery_attempts = delivery_attempts + 1, delivery_error = $2,
    delivery_status = case when delivery_attempts + 1 >= ${mostAttempts} then 'failed' else 'batched' end
  where digest_id = $1 returning rule_id as "ruleId", delivery_status = 'failed' as "isOver"`;
