import type { Instant } from '../metrics/kernel/facts.ts';
import { lockRules, setDelivering, setFailing } from './alert-deliveries.ts';
import type { AlertEvent } from './alert-events.ts';
import type { Database, Queries } from './database.ts';
import { selectEvents } from './listed-events.ts';
import { serviceStatements } from './statements.ts';

/** An email of a day. Its events stay its own until it is sent, so that every attempt sends the same. */
export interface DailyDigest {
  id: number;
  destination: string;
  attempts: number;
  events: AlertEvent[];
}

/**
 * The daily emails of rules whose events are collected: of each destination one a UTC day, and of each email one attempt
 * a day.
 */
export const digests = (database: Database) => ({
  /** Adds every event that waits to the email of its destination, unless that has one of today or one that is not sent. */
  claim: (now: Instant): Promise<void> =>
    database.transaction(async (queries) => {
      await queries.db
        .selectFrom('alert_events')
        .select('id')
        .where('deliveryStatus', '=', 'batched')
        .where('digestId', 'is', null)
        .orderBy('id')
        .forUpdate()
        .execute();
      await queries.run(serviceStatements.claim_daily_digests, { slot: toSlot(now), now });
    }),
  /** The emails that are to be sent, oldest first: those that were not tried today. */
  async open(now: Instant): Promise<DailyDigest[]> {
    const rows = await database.db
      .selectFrom('digest_sends')
      .select(['id', 'destination', 'attempts'])
      .where('kind', '=', 'daily')
      .where('status', '=', 'claimed')
      .where((eb) => eb.or([eb('attempts', '=', 0), eb('slot', '<>', toSlot(now))]))
      .orderBy('id')
      .execute();
    const ids = rows.map(({ id }) => id);
    const events = await selectEvents(database)
      .where((eb) => eb('alert_events.digestId', '=', eb.fn.any(eb.val(ids))))
      .orderBy('alert_events.firedAt')
      .orderBy('alert_events.id')
      .execute();
    const byDigest = Map.groupBy(events, ({ digestId }) => digestId);
    return rows.map((row) => ({ ...row, events: byDigest.get(row.id) ?? [] }));
  },
  /** Records that an email was sent. */
  sent: (id: number, now: Instant): Promise<void> => database.transaction((queries) => setSent(queries, id, now)),
  /**
   * Records that it is unknown whether an email was sent, and its rules as failing: it is to be tried again unchanged, on
   * another day.
   */
  unsure: (id: number, error: string, now: Instant): Promise<void> =>
    database.transaction((queries) => setUnsure(queries, id, error, now)),
  /** Records that an email failed, and its rules with it: its events wait for the next one, or are given up. */
  failed: (id: number, error: string, now: Instant): Promise<void> =>
    database.transaction((queries) => setFailed(queries, id, error, now)),
});

/** The UTC day of an email: of its latest attempt, before that of its claim. */
const toSlot = (now: Instant): string => new Date(now).toISOString().slice(0, 10);

async function setSent(queries: Queries, id: number, now: Instant): Promise<void> {
  await finish(queries, id, { status: 'sent', error: null }, now);
  await lockRules(queries, 'digestId', id);
  const events = await queries.db
    .updateTable('alert_events')
    .set((eb) => ({
      deliveryStatus: 'sent',
      digestSentAt: now,
      deliveryAttempts: eb('deliveryAttempts', '+', 1),
      deliveryError: null,
    }))
    .where('digestId', '=', id)
    .returning('ruleId')
    .execute();
  const ruleIds = events.map(({ ruleId }) => ruleId);
  await setDelivering(queries, ruleIds);
}

async function setUnsure(queries: Queries, id: number, error: string, now: Instant): Promise<void> {
  const { db } = queries;
  await db
    .updateTable('digest_sends')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), error, slot: toSlot(now) }))
    .where('id', '=', id)
    .execute();
  await lockRules(queries, 'digestId', id);
  const events = await db.selectFrom('alert_events').select('ruleId').where('digestId', '=', id).execute();
  const ruleIds = events.map(({ ruleId }) => ruleId);
  await setFailing(queries, ruleIds, now);
}

async function setFailed(queries: Queries, id: number, error: string, now: Instant): Promise<void> {
  await finish(queries, id, { status: 'failed', error }, now);
  await lockRules(queries, 'digestId', id);
  const events = await queries.db
    .updateTable('alert_events')
    .set((eb) => ({
      digestId: null,
      deliveryAttempts: eb('deliveryAttempts', '+', 1),
      deliveryError: error,
      deliveryStatus: eb
        .case()
        .when(eb('deliveryAttempts', '+', 1), '>=', maxAttempts)
        .then('failed' as const)
        .else('batched' as const)
        .end(),
    }))
    .where('digestId', '=', id)
    .returning('ruleId')
    .execute();
  const ruleIds = events.map(({ ruleId }) => ruleId);
  await setFailing(queries, ruleIds, now);
}

/** Emails that an event is put into at most. */
const maxAttempts = 6;

const finish = (
  { db }: Queries,
  id: number,
  { status, error }: { status: 'sent' | 'failed'; error: string | null },
  now: Instant,
) =>
  db
    .updateTable('digest_sends')
    .set((eb) => ({ status, error, attempts: eb('attempts', '+', 1), slot: toSlot(now), finishedAt: now }))
    .where('id', '=', id)
    .execute();
