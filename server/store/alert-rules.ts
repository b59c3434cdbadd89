import type { Instant } from '../metrics/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries } from './database.ts';
import { saveAlertRules } from './locks.ts';
import { maskedDestination, withoutDestinations } from './masked-destination.ts';
import { fromMs, toMs } from './wire-sql.ts';

export const alertChannels = ['browser', 'email', 'digest', 'slack'] as const;
export type AlertChannel = (typeof alertChannels)[number];

/** What a rule watches and whom it tells. */
export interface AlertRuleValues {
  /** As it was written: `repo:<owner>/<repo>` or `org:<org>`. */
  scope: string;
  metric: string;
  threshold: number;
  windowHours: number;
  /** Least sample, where it was raised above that of the metric. */
  minSample: number | null;
  channel: AlertChannel;
  destination: string | null;
  ownerNote: string | null;
}

export interface AlertRule extends AlertRuleValues {
  id: number;
  scopeKind: 'repo' | 'org';
  /** The scope by which it is compared: `owner/repo` or `org`, lower case. */
  scopeKey: string;
  enabled: boolean;
  mutedUntil: Instant | null;
  /** Since when nothing of it can be delivered; null when the last letter went out. */
  deliveryFailingSince: Instant | null;
  createdBy: string;
  createdAt: Instant;
  updatedBy: string;
  updatedAt: Instant;
}

/** How a rule stands over all its repositories: the newest of each. */
export interface AlertRuleStanding {
  ruleId: number;
  lastFiredAt: Instant | null;
  lastEvaluatedAt: Instant | null;
  /** Of the repository where it is highest, those with sample enough first. */
  lastValue: number | null;
  lastSample: number | null;
  /** Why a value cannot be told, of the repository evaluated last. */
  incomplete: string | null;
}

/** What a rule told lately, of the repository where it was highest. */
export interface AlertRuleDays {
  ruleId: number;
  /** Of each of the last 30 UTC days, oldest first; null where none was told. Unrounded. */
  highest: (number | null)[];
}

/** What of a rule can be changed. */
export type AlertRuleChange = Partial<
  Pick<AlertRule, 'enabled' | 'threshold' | 'windowHours' | 'destination' | 'mutedUntil' | 'ownerNote' | 'minSample'>
>;

const mostRules = 500;

/** What is watched, and how it stands. */
export const alertRules = (database: Database) => ({
  /** Every rule, or those of one scope by its key; the oldest first. */
  list: (scopeKey: string | null = null): Promise<AlertRule[]> =>
    database.query<AlertRule>(`${select} where $1::text is null or scope_key = $1 order by id`, [scopeKey]),
  async find(id: number): Promise<AlertRule | null> {
    return (await database.query<AlertRule>(`${select} where id = $1`, [id]))[0] ?? null;
  },
  /** The rules that are on and not muted, of a repository or of its owner. */
  watching: (repoKey: string, now: Instant): Promise<AlertRule[]> =>
    database.query<AlertRule>(
      `${select} where enabled and (muted_until is null or muted_until <= ${fromMs('$2')})
         and scope_key in ($1, split_part($1, '/', 1)) order by id`,
      [repoKey, now],
    ),
  /** How many rules are on. */
  async countEnabled(): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      'select count(*)::int as count from alert_rules where enabled',
    );
    if (!row) throw new Error('A count is always answered.');
    return row.count;
  },
  /** How each of these rules stands, over all repositories or these. */
  standings: (ids: readonly number[], repoIds: readonly number[] | null = null): Promise<AlertRuleStanding[]> =>
    database.query<AlertRuleStanding>(standings, [ids, repoIds]),
  /** The highest values of the last 30 UTC days of each of these rules, today's the last; as `standings` has it. */
  days: (ids: readonly number[], now: Instant, repoIds: readonly number[] | null = null): Promise<AlertRuleDays[]> =>
    database.query<AlertRuleDays>(highestByDay, [ids, now, repoIds]),
  create: (values: NewAlertRule, by: ChangedBy) => database.transaction((one) => create(one, values, by)),
  change: (id: number, change: AlertRuleChange, by: ChangedBy) =>
    database.transaction((one) => changeRule(one, id, change, by)),
  remove: (id: number, by: ChangedBy) => database.transaction((one) => remove(one, id, by)),
});

type NewAlertRule = AlertRuleValues & Pick<AlertRule, 'scopeKind' | 'scopeKey'>;

/** Adds a rule; one that is the same already is answered instead, and null when there are too many. */
async function create(
  transaction: Queries,
  values: NewAlertRule,
  by: ChangedBy,
): Promise<{ rule: AlertRule; isDuplicate: boolean } | null> {
  await transaction.query(`select ${saveAlertRules}`);
  const identity = identityOf(values);
  const [same] = await transaction.query<AlertRule>(`${select} where ${isSame}`, identity);
  if (same) return { rule: same, isDuplicate: true };
  const [{ count = 0 } = {}] = await transaction.query<{ count: number }>(
    'select count(*)::int as count from alert_rules',
  );
  if (count >= mostRules) return null;
  const [rule] = await transaction.query<AlertRule>(insert, [
    ...identity.slice(0, 5),
    values.destination,
    ...[values.scope, values.scopeKind, values.minSample, values.ownerNote, by.actor.login, by.now],
  ]);
  if (!rule) throw new Error('The rule was not stored.');
  await note(transaction, 'alert.created', rule.id, { before: null, after: shown(rule) }, by);
  return { rule, isDuplicate: false };
}

/** Changes a rule, all fields at once; null when there is none, `same` when another rule would then be the same. */
async function changeRule(
  transaction: Queries,
  id: number,
  change: AlertRuleChange,
  by: ChangedBy,
): Promise<AlertRule | 'same' | null> {
  await transaction.query(`select ${saveAlertRules}`);
  const [before] = await transaction.query<AlertRule>(`${select} where id = $1`, [id]);
  if (!before) return null;
  const next = { ...before, ...change };
  const [same] = await transaction.query(`${select} where ${isSame} and id <> $7`, [...identityOf(next), id]);
  if (same) return 'same';
  const [after] = await transaction.query<AlertRule>(update, [
    ...[id, next.enabled, next.threshold, next.windowHours, next.destination, next.mutedUntil],
    ...[next.ownerNote, next.minSample, by.actor.login, by.now],
  ]);
  if (!after) return null;
  // Values over another window are not of the same kind.
  if (after.windowHours !== before.windowHours)
    await transaction.query('delete from alert_rule_days where rule_id = $1', [id]);
  const keys = Object.keys(change) as (keyof AlertRuleChange)[];
  const only = (rule: AlertRule) => Object.fromEntries(keys.map((key) => [key, shown(rule)[key]]));
  await note(transaction, 'alert.updated', id, { before: only(before), after: only(after) }, by);
  return after;
}

/** Deletes a rule; its events stay. false when there is none. */
async function remove(transaction: Queries, id: number, by: ChangedBy): Promise<boolean> {
  await transaction.query(`select ${saveAlertRules}`);
  const [before] = await transaction.query<AlertRule>(`${select} where id = $1`, [id]);
  if (!before) return false;
  await transaction.query('delete from alert_rules where id = $1', [id]);
  await note(transaction, 'alert.deleted', id, { before: shown(before), after: null }, by);
  return true;
}

const identityOf = ({ scopeKey, metric, threshold, windowHours, channel, destination }: NewAlertRule) => [
  ...[scopeKey, metric, threshold, windowHours, channel, destination ?? ''],
];

/** What the audit log keeps of a rule: neither an address of a person nor a key. */
const shown = ({ scope, metric, threshold, windowHours, minSample, channel, destination, ...rest }: AlertRule) => ({
  ...{ scope, metric, threshold, windowHours, minSample, channel },
  enabled: rest.enabled,
  mutedUntil: rest.mutedUntil,
  ownerNote: rest.ownerNote === null ? null : withoutDestinations(rest.ownerNote),
  destination: destination === null ? null : maskedDestination(destination),
});

const note = (
  transaction: Queries,
  action: string,
  id: number,
  { before, after }: { before: object | null; after: object | null },
  { actor, requestId, now }: ChangedBy,
) =>
  appendAudit(
    transaction,
    {
      ...{ category: 'alerts', action, actor, targetType: 'alert_rule', target: String(id) },
      ...{ before, after, requestId, note: null },
    },
    now,
  );

const columns = `
  id, scope, scope_kind as "scopeKind", scope_key as "scopeKey", metric, threshold, window_hours as "windowHours",
  min_sample as "minSample", channel, destination, enabled, ${toMs('muted_until')} as "mutedUntil",
  owner_note as "ownerNote", ${toMs('delivery_failing_since')} as "deliveryFailingSince", created_by as "createdBy",
  ${toMs('created_at')} as "createdAt", updated_by as "updatedBy", ${toMs('updated_at')} as "updatedAt"`;

const select = `select ${columns} from alert_rules`;

const isSame = `scope_key = $1 and metric = $2 and threshold = $3::float8 and window_hours = $4::int and channel = $5
  and coalesce(destination, '') = $6`;

const insert = `
  insert into alert_rules (scope_key, metric, threshold, window_hours, channel, destination, scope, scope_kind,
    min_sample, owner_note, enabled, created_by, created_at, updated_by, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, true, $11, ${fromMs('$12')}, $11, ${fromMs('$12')})
  returning ${columns}`;

const update = `
  update alert_rules set enabled = $2, threshold = $3, window_hours = $4, destination = $5,
    muted_until = ${fromMs('$6')}, owner_note = $7, min_sample = $8, updated_by = $9, updated_at = ${fromMs('$10')}
  where id = $1 returning ${columns}`;

/** What had too small a sample hides nothing that could be judged. */
const tellsMost = 'judged desc, last_value desc nulls last';

/** The letter of a week counts as its rule's firing. */
const standings = `
  select rule_id as "ruleId", ${toMs('max(last_fired_at)')} as "lastFiredAt",
    ${toMs('max(last_evaluated_at)')} as "lastEvaluatedAt",
    (array_agg(last_value order by ${tellsMost}))[1] as "lastValue",
    (array_agg(last_sample order by ${tellsMost}))[1] as "lastSample",
    (array_agg(incomplete order by last_evaluated_at desc))[1] as incomplete
  from (
    select rule_id, last_fired_at, last_evaluated_at, last_value, last_sample, judged, incomplete from alert_rule_state
    where $2::int[] is null or repo_id = any ($2)
    union all
    select rule_id, finished_at, finished_at, null, null, false, null
    from digest_sends where kind = 'leadership' and status = 'sent'
  ) standing
  where rule_id = any ($1::int[]) group by rule_id`;

const highestByDay = `
  with days as (
    select (${fromMs('$2')} at time zone 'UTC')::date - age as day from generate_series(0, 29) age
  ),
  told as (
    select rule_id, day, max(highest) as highest from alert_rule_days join days using (day)
    where rule_id = any ($1::int[]) and ($3::int[] is null or repo_id = any ($3)) group by rule_id, day
  )
  select rule_id as "ruleId", array_agg(highest order by day) as highest
  from unnest($1::int[]) rule_id cross join days left join told using (rule_id, day) group by rule_id`;
