import type { Instant } from '../metrics/facts.ts';
import type { AlertChannel, AlertRule } from './alert-rules.ts';
import type { Database, Queries } from './database.ts';
import { fromMs, toMs } from './wire-sql.ts';

/** What brought the facts in; `test` is somebody who tries a rule. */
export const alertSources = ['sync', 'webhook', 'cron', 'test'] as const;
export type AlertSource = (typeof alertSources)[number];

/** `none`: the browser channel sends nothing. `batched`: waits for the letter of the day. */
export const deliveryStatuses = ['none', 'pending', 'sent', 'failed', 'batched'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** That a rule fired, with all that is to be told of it: the rule may be changed or deleted. */
export interface AlertEvent {
  id: number;
  ruleId: number | null;
  scope: string;
  repoId: number | null;
  /** The repository that breached, `owner/repo` as it is called now; null for a test of a rule of an organization. */
  repo: string | null;
  metric: string;
  threshold: number;
  windowHours: number;
  /** Unrounded. */
  value: number | null;
  sampleSize: number;
  source: AlertSource;
  computedAt: Instant;
  firedAt: Instant;
  details: Record<string, string | number>;
  channel: AlertChannel;
  destination: string | null;
  deliveryStatus: DeliveryStatus;
  deliveryAttempts: number;
  deliveryError: string | null;
  digestId: number | null;
  digestSentAt: Instant | null;
  resolvedAt: Instant | null;
  isTest: boolean;
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

/** How a rule came out over a repository, with what an event about it tells. */
export interface Evaluated extends Measured {
  details: Record<string, string | number>;
  source: AlertSource;
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

/** What is put where it is delivered from, in the transaction that records the event. */
export type Enqueue = (transaction: Queries, eventId: number) => Promise<unknown>;

export const alertEvents = (database: Database) => ({
  /**
   * Notes how a rule came out, and fires where it breaches and has not fired within its window: of any number of
   * evaluations at once one fires. Answers the id of the event, or null.
   */
  record: (evaluated: Evaluated, enqueue: Enqueue): Promise<number | null> =>
    database.transaction(async (transaction) => {
      const { rule, repoId, value, breaching, isBelow, now } = evaluated;
      const judged = breaching || isBelow;
      if ((await transaction.query(putState, stateOf(evaluated))).length === 0) return null;
      if (value !== null && judged) await transaction.query(putDay, [rule.id, repoId, now, value]);
      // A value below the threshold ends what was open; that there is none says nothing.
      if (isBelow) await transaction.query(resolve, [rule.id, repoId, now]);
      if (!breaching) return null;
      const claimed = await transaction.query(claim, [rule.id, repoId, now, rule.windowHours]);
      if (claimed.length === 0) return null;
      const status = statusOf[rule.channel];
      const id = await insertEvent(transaction, { ...evaluated, isTest: false, status });
      if (status === 'pending') await enqueue(transaction, id);
      return id;
    }),
  /** Notes the value of a rule without firing; nothing where a newer one is known. */
  async measured(measured: Measured): Promise<void> {
    await database.query(putStateUnlessOlder, stateOf(measured));
  },
  /** Records a test of a rule, which is in no digest and starts no cooldown. Answers the event. */
  async test(rule: AlertRule, repoId: number | null, now: Instant): Promise<AlertEvent> {
    const made = { rule, repoId, value: 1, sample: 1, details: {}, source: 'test' as const, now, isTest: true };
    const id = await insertEvent(database, { ...made, status: 'none' });
    const event = await this.find(id);
    if (!event) throw new Error('The test was not stored.');
    return event;
  },
  /** Notes what came of a test. */
  async tested(id: number, status: DeliveryStatus, error: string | null): Promise<void> {
    await database.query(setTested, [id, status, error]);
  },
  /** Events, newest first; of a scope by its key, or of all; those that somebody may know of, or all. */
  list: (limit: number, scopeKey: string | null = null, seen: SeenEvents | null = null): Promise<AlertEvent[]> =>
    database.query<AlertEvent>(`${select} where ${isAsked} order by ${newest} limit $4`, [
      ...askedOf(scopeKey, seen),
      limit,
    ]),
  /** What all the events are about; of a scope by its key, or of all. */
  subjects: (scopeKey: string | null = null): Promise<EventSubject[]> =>
    database.query<EventSubject>(
      `select distinct scope, repo_id as "repoId" from alert_events where $1::text is null or scope_key = $1`,
      [scopeKey],
    ),
  async find(id: number): Promise<AlertEvent | null> {
    return (await database.query<AlertEvent>(`${select} where e.id = $1`, [id]))[0] ?? null;
  },
  /** Events that fired after this moment and were not resolved since, tests aside; of which as `list` has it. */
  async countOpen(since: Instant, scopeKey: string | null = null, seen: SeenEvents | null = null): Promise<number> {
    const [row] = await database.query<{ count: number }>(countOpen, [...askedOf(scopeKey, seen), since]);
    if (!row) throw new Error('A count is always answered.');
    return row.count;
  },
});

/** How an event of each channel begins. */
const statusOf: Record<AlertChannel, DeliveryStatus> = {
  ...{ browser: 'none', email: 'pending', slack: 'pending', digest: 'batched' },
};

type Fired = Pick<Evaluated, 'rule' | 'value' | 'sample' | 'details' | 'source' | 'now'> & {
  repoId: number | null;
  isTest: boolean;
  status: DeliveryStatus;
};

async function insertEvent(queries: Queries, fired: Fired): Promise<number> {
  const { rule, repoId, value, sample, details, source, now, status, isTest } = fired;
  const [event] = await queries.query<{ id: number }>(insert, [
    ...[rule.id, rule.scope, rule.scopeKey, repoId, rule.metric, rule.threshold, rule.windowHours, value, sample],
    ...[source, now, JSON.stringify(details), rule.channel, rule.destination, status, isTest],
  ]);
  if (!event) throw new Error('The event was not stored.');
  return event.id;
}

const stateOf = ({ rule, repoId, now, value, sample, breaching, isBelow, incomplete }: Measured) => [
  rule.id,
  repoId,
  now,
  value,
  sample,
  breaching,
  breaching || isBelow,
  incomplete,
];

/** A rule that was deleted, switched off or muted meanwhile says nothing; any other stays so until all is recorded. */
const upsertState = `
  insert into alert_rule_state
    (rule_id, repo_id, last_evaluated_at, last_value, last_sample, breaching, judged, incomplete)
  select id, $2, ${fromMs('$3')}, $4::float8, $5, $6::boolean, $7::boolean, $8 from alert_rules
  where id = $1 and enabled and (muted_until is null or muted_until <= ${fromMs('$3')})
  for share
  on conflict (rule_id, repo_id) do update set
    last_evaluated_at = excluded.last_evaluated_at, last_value = excluded.last_value,
    last_sample = excluded.last_sample, breaching = excluded.breaching, judged = excluded.judged,
    incomplete = excluded.incomplete`;

const putState = `${upsertState} returning rule_id`;

const putStateUnlessOlder = `
  ${upsertState} where coalesce(alert_rule_state.last_evaluated_at <= excluded.last_evaluated_at, true)`;

/** Writes only what is higher. */
const putDay = `
  insert into alert_rule_days as kept (rule_id, repo_id, day, highest)
  values ($1, $2, (${fromMs('$3')} at time zone 'UTC')::date, $4::float8)
  on conflict (rule_id, repo_id, day) do update set highest = excluded.highest where kept.highest < excluded.highest`;

/** The row decides who fires: whoever writes it first. */
const claim = `
  update alert_rule_state set last_fired_at = ${fromMs('$3')}
  where rule_id = $1 and repo_id = $2
    and coalesce(last_fired_at <= ${fromMs('$3')} - $4::int * interval '1 hour', true)
  returning rule_id`;

const resolve = `
  update alert_events set resolved_at = ${fromMs('$3')}
  where rule_id = $1 and repo_id = $2 and resolved_at is null and not is_test`;

const insert = `
  insert into alert_events (rule_id, scope, scope_key, repo_id, metric, threshold, window_hours, value, sample_size,
    source, computed_at, fired_at, details, channel, destination, delivery_status, is_test)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${fromMs('$11')}, ${fromMs('$11')}, $12::jsonb, $13, $14, $15, $16)
  returning id::float8 as id`;

const newest = 'e.fired_at desc, e.id desc';

/** Everything of an event `e`, from `alertEventSource`. */
export const alertEventColumns = `
  e.id::float8 as id, e.rule_id as "ruleId", e.scope, e.repo_id as "repoId", r.owner || '/' || r.name as repo,
  e.metric, e.threshold, e.window_hours as "windowHours", e.value, e.sample_size as "sampleSize", e.source,
  ${toMs('e.computed_at')} as "computedAt", ${toMs('e.fired_at')} as "firedAt", e.details, e.channel, e.destination,
  e.delivery_status as "deliveryStatus", e.delivery_attempts as "deliveryAttempts",
  e.delivery_error as "deliveryError", e.digest_id::float8 as "digestId",
  ${toMs('e.digest_sent_at')} as "digestSentAt", ${toMs('e.resolved_at')} as "resolvedAt", e.is_test as "isTest"`;

export const alertEventSource = 'alert_events e left join repos r on r.id = e.repo_id';

const select = `select ${alertEventColumns} from ${alertEventSource}`;

const askedOf = (scopeKey: string | null, seen: SeenEvents | null) => [
  ...[scopeKey, seen && [...seen.scopes], seen && [...seen.repoIds]],
];

const isAsked = `
  ($1::text is null or e.scope_key = $1) and ($2::text[] is null or e.scope = any ($2))
  and ($3::int[] is null or e.repo_id is null or e.repo_id = any ($3))`;

const countOpen = `
  select count(*)::int as count from alert_events e
  where ${isAsked} and resolved_at is null and not is_test and fired_at > ${fromMs('$4')}`;

const setTested = `
  update alert_events set delivery_status = $2, delivery_attempts = 1, delivery_error = $3 where id = $1 and is_test`;
