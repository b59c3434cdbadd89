import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { Instant, RepositoryName } from '../metrics/kernel/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import { auditedRule } from './audited-rule.ts';
import type { Database, Queries, Tables } from './database.ts';
import { lock } from './locks.ts';
import { serviceStatements } from './statements.ts';
import { moveWaiting, stopWaiting } from './waiting-alerts.ts';

export type AlertRule = Selectable<Tables['alert_rules']>;

/** What the service itself notes of a rule. */
type Bookkeeping = 'id' | 'deliveryFailingSince' | 'createdBy' | 'createdAt' | 'updatedBy' | 'updatedAt';

type NewAlertRule = Omit<AlertRule, Bookkeeping | 'enabled' | 'mutedUntil'>;

/** What a rule watches, and its recipient. */
export type AlertRuleValues = Omit<NewAlertRule, 'scopeKind' | 'scopeKey'>;

/** What of a rule can be changed. */
export type AlertRuleChange = Partial<
  Omit<AlertRule, Bookkeeping | 'scope' | 'scopeKind' | 'scopeKey' | 'metric' | 'channel'>
>;

/** A rule of which the status is requested. */
export interface StatusRequest {
  id: number;
  /** An evaluation as of earlier than this gives no value. */
  freshSince: Instant;
}

/** The last evaluations of a rule over all its repositories: the newest of each. */
export interface AlertRuleStatus {
  ruleId: number;
  lastFiredAt: Instant | null;
  lastEvaluatedAt: Instant | null;
  /** Of the repository where it is highest, those with sample enough first; null where none was evaluated lately. */
  lastValue: number | null;
  lastSample: number | null;
  /** Whether that value could be judged: with sample enough, or as there is certainly nothing to measure. */
  lastJudged: boolean | null;
  /** Why there is no value, of the repository evaluated last. */
  incomplete: string | null;
}

/** The values of a rule lately, of the repository where it was highest. */
export interface AlertRuleDays {
  ruleId: number;
  /** Of each of the last 30 UTC days, oldest first; null where there was none. Unrounded. */
  highest: (number | null)[];
}

const maxRules = 500;

/** What is watched, and what came of it. */
export const alertRules = (database: Database) => ({
  /** Every rule, or those of one scope by its key; the oldest first. */
  list(scopeKey: string | null = null): Promise<AlertRule[]> {
    const rules = database.db.selectFrom('alert_rules').selectAll().orderBy('id');
    return (scopeKey === null ? rules : rules.where('scopeKey', '=', scopeKey)).execute();
  },
  async find(id: number): Promise<AlertRule | null> {
    return (await findRule(database, id)) ?? null;
  },
  /** The rules that are on and not muted, of a repository, and of its owner where the repository is tracked. */
  watching({ id, owner, repo }: RepositoryName & { id: number }, now: Instant): Promise<AlertRule[]> {
    return database.db
      .selectFrom('alert_rules')
      .selectAll()
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('mutedUntil', 'is', null), eb('mutedUntil', '<=', now)]))
      .where((eb) =>
        eb.or([
          eb('scopeKey', '=', `${owner}/${repo}`.toLowerCase()),
          eb.and([
            eb('scopeKey', '=', owner.toLowerCase()),
            eb.exists(eb.selectFrom('repos').select('id').where('repos.id', '=', id).where('tracked', '=', true)),
          ]),
        ]),
      )
      .orderBy('id')
      .execute();
  },
  /** The repositories and owners that rules over one of these metrics watch, by their keys. */
  async watchedScopes(metrics: readonly string[], now: Instant): Promise<ReadonlySet<string>> {
    const rows = await database.db
      .selectFrom('alert_rules')
      .select('scopeKey')
      .distinct()
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('mutedUntil', 'is', null), eb('mutedUntil', '<=', now)]))
      .where('metric', 'in', metrics)
      .execute();
    return new Set(rows.map(({ scopeKey }) => scopeKey));
  },
  /** How many rules are on. */
  countEnabled: (): Promise<number> => count(database.db.selectFrom('alert_rules').where('enabled', '=', true)),
  /** The status of each of these rules that was evaluated, over all repositories or these. */
  statuses: (rules: readonly StatusRequest[], repoIds: readonly number[] | null = null): Promise<AlertRuleStatus[]> =>
    database.run(serviceStatements.rule_statuses, {
      rule_ids: rules.map(({ id }) => id),
      fresh_since: rules.map(({ freshSince }) => freshSince),
      repo_ids: repoIds,
    }),
  /** The highest values of the last 30 UTC days of each of these rules, today's the last; as `statuses` has it. */
  days: (ids: readonly number[], now: Instant, repoIds: readonly number[] | null = null): Promise<AlertRuleDays[]> =>
    database.run(serviceStatements.rule_days, { rule_ids: ids, repo_ids: repoIds, now }),
  create: (values: NewAlertRule, by: ChangedBy) => database.transaction((queries) => createRule(queries, values, by)),
  change: (id: number, change: AlertRuleChange, by: ChangedBy) =>
    database.transaction((queries) => changeRule(queries, id, change, by)),
  remove: (id: number, by: ChangedBy) => database.transaction((queries) => removeRule(queries, id, by)),
});

/** Adds a rule; one that is the same already is answered instead, and null when there are too many. */
async function createRule(
  queries: Queries,
  values: NewAlertRule,
  by: ChangedBy,
): Promise<{ rule: AlertRule; isDuplicate: boolean } | null> {
  await lock(queries, 'alertRules');
  const same = await findSame(queries, values);
  if (same) return { rule: same, isDuplicate: true };
  if ((await count(queries.db.selectFrom('alert_rules'))) >= maxRules) return null;
  const rule = await queries.db
    .insertInto('alert_rules')
    .values({
      ...values,
      enabled: true,
      createdBy: by.actor.login,
      createdAt: by.now,
      updatedBy: by.actor.login,
      updatedAt: by.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(queries, 'alert.created', rule.id, { before: null, after: auditedRule(rule) }, by);
  return { rule, isDuplicate: false };
}

/**
 * Changes a rule, all fields at once, and with it what waits to be sent; null when there is none, `same` when another
 * rule would then be the same.
 */
async function changeRule(
  queries: Queries,
  id: number,
  change: AlertRuleChange,
  by: ChangedBy,
): Promise<AlertRule | 'same' | null> {
  await lock(queries, 'alertRules');
  const before = await findRule(queries, id);
  if (!before) return null;
  const same = await findSame(queries, { ...before, ...change });
  if (same && same.id !== id) return 'same';
  const after = await queries.db
    .updateTable('alert_rules')
    .set({ ...change, updatedBy: by.actor.login, updatedAt: by.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  // Values over another window are not of the same kind.
  if (after.windowHours !== before.windowHours)
    await queries.db.deleteFrom('alert_rule_days').where('ruleId', '=', id).execute();
  if (!after.enabled) await stopWaiting(queries, id, 'The rule was switched off.');
  else if (after.destination !== before.destination) await moveWaiting(queries, id, after.destination);
  const keys = Object.keys(change) as (keyof AlertRuleChange)[];
  const changed = (rule: AlertRule) => Object.fromEntries(keys.map((key) => [key, auditedRule(rule)[key]]));
  await audit(queries, 'alert.updated', id, { before: changed(before), after: changed(after) }, by);
  return after;
}

/** Deletes a rule; its events stay. false when there is none. */
async function removeRule(queries: Queries, id: number, by: ChangedBy): Promise<boolean> {
  await lock(queries, 'alertRules');
  const rule = await queries.db.deleteFrom('alert_rules').where('id', '=', id).returningAll().executeTakeFirst();
  if (!rule) return false;
  await audit(queries, 'alert.deleted', id, { before: auditedRule(rule), after: null }, by);
  return true;
}

const findRule = ({ db }: Queries, id: number): Promise<AlertRule | undefined> =>
  db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst();

/** The rule that watches and reports the same, by the unique index `alert_rules_once`. */
const findSame = ({ db }: Queries, rule: NewAlertRule): Promise<AlertRule | undefined> =>
  db
    .selectFrom('alert_rules')
    .selectAll()
    .where('scopeKey', '=', rule.scopeKey)
    .where('metric', '=', rule.metric)
    .where('threshold', '=', rule.threshold)
    .where('windowHours', '=', rule.windowHours)
    .where('channel', '=', rule.channel)
    .where((eb) => eb(eb.fn.coalesce('destination', eb.val('')), '=', rule.destination ?? ''))
    .executeTakeFirst();

async function count(rules: SelectQueryBuilder<Tables, 'alert_rules', unknown>): Promise<number> {
  const { rows } = await rules.select((eb) => eb.fn.countAll().as('rows')).executeTakeFirstOrThrow();
  return Number(rows);
}

const audit = (
  queries: Queries,
  action: string,
  id: number,
  change: { before: object | null; after: object | null },
  { actor, requestId, now }: ChangedBy,
) =>
  appendAudit(
    queries,
    {
      category: 'alerts',
      action,
      actor,
      targetType: 'alert_rule',
      target: String(id),
      before: change.before,
      after: change.after,
      requestId,
      note: null,
    },
    now,
  );
