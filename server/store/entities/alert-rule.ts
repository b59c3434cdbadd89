import { defineEntity, p } from '@mikro-orm/core';
import { Repository } from './repository.ts';
import { day, double, instant } from './types.ts';

/** How a rule reports that it fired. */
export const alertChannels = ['browser', 'email', 'digest', 'slack', 'webhook'] as const;
export type AlertChannel = (typeof alertChannels)[number];

/** An alert rule. */
export const AlertRule = defineEntity({
  name: 'AlertRule',
  tableName: 'alert_rules',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** As it was written: `repo:<owner>/<repo>` or `org:<org>`. */
    scope: p.text(),
    scopeKind: p.enum(['repo', 'org']),
    /** The scope by which rules are compared: `owner/repo` or `org`, lower case. */
    scopeKey: p.text(),
    metric: p.text(),
    threshold: double(),
    windowHours: p.integer(),
    /** The minimum sample, where it was raised above that of the metric. */
    minSample: p.integer().strictNullable(),
    channel: p.enum(alertChannels),
    destination: p.text().strictNullable(),
    enabled: p.boolean(),
    mutedUntil: instant().strictNullable(),
    ownerNote: p.text().strictNullable(),
    /** What to do when it fires. */
    runbookUrl: p.text().strictNullable(),
    /** Since when nothing of it can be delivered; null when its last email or message went out. */
    deliveryFailingSince: instant().strictNullable(),
    createdBy: p.text(),
    createdAt: instant(),
    updatedBy: p.text(),
    updatedAt: instant(),
  },
  indexes: [{ name: 'alert_rules_enabled', properties: ['scopeKey'], where: `enabled` }],
  uniques: [
    {
      name: 'alert_rules_once',
      expression: `create unique index alert_rules_once on alert_rules (scope_key, metric, threshold, window_hours, channel, coalesce(destination, ''))`,
    },
  ],
});

/** The last evaluation of a rule over one repository. */
export const AlertRuleState = defineEntity({
  name: 'AlertRuleState',
  tableName: 'alert_rule_state',
  properties: {
    ruleId: () => p.manyToOne(AlertRule).mapToPk().joinColumn('rule_id').deleteRule('cascade').primary(),
    repoId: p.integer().primary(),
    lastFiredAt: instant().strictNullable(),
    lastEvaluatedAt: instant(),
    lastValue: double().strictNullable(),
    lastSample: p.integer(),
    breaching: p.boolean(),
    incomplete: p.text().strictNullable(),
    judged: p.boolean().default(false),
  },
});

/** The highest value of a rule over one repository on a UTC day. */
export const AlertRuleDay = defineEntity({
  name: 'AlertRuleDay',
  tableName: 'alert_rule_days',
  properties: {
    ruleId: () => p.manyToOne(AlertRule).mapToPk().joinColumn('rule_id').deleteRule('cascade').primary(),
    day: day().primary(),
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    highest: double(),
  },
  indexes: [{ name: 'alert_rule_days_by_age', properties: ['day'], type: 'brin' }],
});

/** A repository whose runs changed since rules were last evaluated over it. */
export const AlertDue = defineEntity({
  name: 'AlertDue',
  tableName: 'alert_due',
  properties: {
    repoId: p.integer().primary().autoincrement(false),
    since: instant(),
  },
});
