import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { AlertRule } from './alert-rules.ts';
import type { Database, Queries, Tables } from './database.ts';
import type { AlertEventSource, DeliveryStatus } from './entities/alert-event.ts';
import type { AlertChannel } from './entities/alert-rule.ts';
import { isListed, isOfActiveRule, selectEvents } from './listed-events.ts';
import { serviceStatements } from './statements.ts';

export interface AlertEvent extends Selectable<Tables['alert_events']> {
  /** The repository that breached, `owner/repo` by its present name; null for a test of a rule of an organization. */
  repo: string | null;
}

/** The value of a rule over a repository. */
export interface Measured {
  rule: AlertRule;
  repoId: number;
  value: number | null;
  sample: number;
  /** At or above the threshold, with sample enough. */
  breaching: boolean;
  /** Below it, with sample enough. */
  isBelow: boolean;
  incomplete: string | null;
  now: Instant;
}

/** The result of a rule over a repository, with what an event about it shows. */
export interface Evaluated extends Measured {
  /** It does not fire for so long after it did. */
  quietHours: number;
  details: Record<string, string | number>;
  source: AlertEventSource;
}

/** What events are about: the scope of their rules, and the repository that breached. */
export interface EventSubject {
  scope: string;
  repoId: number | null;
}

/** The events that somebody may know of: of these scopes, and of these repositories where they name one. */
export interface SeenEvents {
  scopes: readonly string[];
  repoIds: readonly number[];
}

/** Adds an event to the queue that delivers it, in the transaction that records the event. */
export type Enqueue = (transaction: Queries, eventId: number) => Promise<unknown>;

const hourMs = 3_600_000;

export const alertEvents = (database: Database) => ({
  /**
   * Stores the result of a rule, and fires where it breaches and is not quiet after it fired: of any number of
   * evaluations at once one fires, and one as of an earlier moment than what is stored neither fires nor ends anything.
   * Answers the id of the event, or null.
   */
  record: (evaluated: Evaluated, enqueue: Enqueue): Promise<number | null> =>
    database.transaction(async (transaction) => {
      const { rule, value, breaching, isBelow } = evaluated;
      if (!(await putState(transaction, evaluated))) return null;
      if (value !== null && (breaching || isBelow)) await putDay(transaction, evaluated, value);
      // A value below the threshold ends what was open; that there is none means nothing.
      if (isBelow) await resolve(transaction, evaluated);
      if (!breaching || !(await claim(transaction, evaluated))) return null;
      const status = initialStatus[rule.channel];
      const id = await insertEvent(transaction, { ...evaluated, isTest: false, status });
      if (status === 'pending') await enqueue(transaction, id);
      return id;
    }),
  /** Stores the value of a rule without firing; nothing where a newer one is known. */
  async measured(measured: Measured): Promise<void> {
    await putState(database, measured);
  },
  /** Records a test of a rule, which is in no digest and starts no cooldown. Answers the event. */
  async test(rule: AlertRule, repoId: number | null, now: Instant): Promise<AlertEvent> {
    const id = await insertEvent(database, {
      rule,
      repoId,
      value: 1,
      sample: 1,
      details: {},
      source: 'test',
      now,
      isTest: true,
      status: 'none',
    });
    const event = await this.find(id);
    if (!event) throw new Error('The test was not stored.');
    return event;
  },
  /** Stores the result of a test. */
  async tested(id: number, status: DeliveryStatus, error: string | null): Promise<void> {
    await database.db
      .updateTable('alert_events')
      .set({ deliveryStatus: status, deliveryAttempts: 1, deliveryError: error })
      .where('id', '=', id)
      .where('isTest', '=', true)
      .execute();
  },
  /** Events, newest first; of a scope by its key, or of all; those that somebody may know of, or all; after another. */
  list: (
    limit: number,
    scopeKey: string | null = null,
    seen: SeenEvents | null = null,
    after: Pick<AlertEvent, 'firedAt' | 'id'> | null = null,
  ): Promise<AlertEvent[]> =>
    selectEvents(database)
      .where(isListed(scopeKey, seen))
      .where((eb) =>
        after === null
          ? eb.lit(true)
          : eb.or([
              eb('alert_events.firedAt', '<', after.firedAt),
              eb.and([eb('alert_events.firedAt', '=', after.firedAt), eb('alert_events.id', '<', after.id)]),
            ]),
      )
      .orderBy('alert_events.firedAt', 'desc')
      .orderBy('alert_events.id', 'desc')
      .limit(limit)
      .execute(),
  /** What all the events are about; of a scope by its key, or of all. */
  subjects: (scopeKey: string | null = null): Promise<EventSubject[]> =>
    database.db
      .selectFrom('alert_events')
      .select(['scope', 'repoId'])
      .distinct()
      .where(isListed(scopeKey, null))
      .execute(),
  async find(id: number): Promise<AlertEvent | null> {
    return (await selectEvents(database).where('alert_events.id', '=', id).executeTakeFirst()) ?? null;
  },
  /** Events of rules that are on that fired after this moment and were not resolved since, tests aside; of which as `list` has it. */
  async countOpen(since: Instant, scopeKey: string | null = null, seen: SeenEvents | null = null): Promise<number> {
    const { count } = await database.db
      .selectFrom('alert_events')
      .select((eb) => eb.fn.countAll().as('count'))
      .where(isListed(scopeKey, seen))
      .where('resolvedAt', 'is', null)
      .where('isTest', '=', false)
      .where('firedAt', '>', since)
      .where(isOfActiveRule)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});

/**
 * Stores the last evaluation of a rule over a repository. A rule that was deleted, switched off, muted or changed in
 * what it judges by or sends to meanwhile stores nothing, nor does one of which a newer evaluation is stored; any other
 * stays as it is until the transaction ends. Answers whether it was stored.
 */
async function putState(queries: Queries, measured: Measured): Promise<boolean> {
  const { rule, repoId, now, value, sample, breaching, isBelow, incomplete } = measured;
  const stored = await queries.run(serviceStatements.put_rule_state, {
    rule_id: rule.id,
    threshold: rule.threshold,
    window_hours: rule.windowHours,
    min_sample: rule.minSample,
    destination: rule.destination,
    repo_id: repoId,
    now,
    value,
    sample,
    breaching,
    judged: breaching || isBelow,
    incomplete,
  });
  return stored.length > 0;
}

/** Writes only what is higher. */
const putDay = ({ db }: Queries, { rule, repoId, now }: Measured, value: number) =>
  db
    .insertInto('alert_rule_days')
    .values({ ruleId: rule.id, repoId, day: new Date(now).toISOString().slice(0, 10), highest: value })
    .onConflict((conflict) =>
      conflict
        .columns(['ruleId', 'repoId', 'day'])
        .doUpdateSet({ highest: value })
        .where('alert_rule_days.highest', '<', value),
    )
    .execute();

/** The row decides who fires: whoever writes it first. */
async function claim({ db }: Queries, { rule, repoId, quietHours, now }: Evaluated): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_rule_state')
    .set({ lastFiredAt: now })
    .where('ruleId', '=', rule.id)
    .where('repoId', '=', repoId)
    .where((eb) => eb.or([eb('lastFiredAt', 'is', null), eb('lastFiredAt', '<=', now - quietHours * hourMs)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const resolve = ({ db }: Queries, { rule, repoId, now }: Measured) =>
  db
    .updateTable('alert_events')
    .set({ resolvedAt: now })
    .where('ruleId', '=', rule.id)
    .where('repoId', '=', repoId)
    .where('resolvedAt', 'is', null)
    .where('isTest', '=', false)
    .execute();

/** The delivery status with which an event of each channel begins. */
const initialStatus: Record<AlertChannel, DeliveryStatus> = {
  browser: 'none',
  email: 'pending',
  slack: 'pending',
  webhook: 'pending',
  digest: 'batched',
};

type Fired = Pick<Evaluated, 'rule' | 'value' | 'sample' | 'details' | 'source' | 'now'> & {
  repoId: number | null;
  isTest: boolean;
  status: DeliveryStatus;
};

async function insertEvent({ db }: Queries, { rule, ...fired }: Fired): Promise<number> {
  const { id } = await db
    .insertInto('alert_events')
    .values({
      ruleId: rule.id,
      scope: rule.scope,
      scopeKey: rule.scopeKey,
      repoId: fired.repoId,
      metric: rule.metric,
      threshold: rule.threshold,
      windowHours: rule.windowHours,
      value: fired.value,
      sampleSize: fired.sample,
      source: fired.source,
      computedAt: fired.now,
      firedAt: fired.now,
      details: fired.details,
      channel: rule.channel,
      destination: rule.destination,
      deliveryStatus: fired.status,
      isTest: fired.isTest,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
