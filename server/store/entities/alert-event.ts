import { defineEntity, p } from '@mikro-orm/core';
import { type AlertChannel, AlertRule } from './alert-rule.ts';
import { double, instant } from './types.ts';

/** The source of the facts; `test` is somebody who tries a rule. */
export const alertEventSources = ['sync', 'webhook', 'cron', 'test'] as const;
export type AlertEventSource = (typeof alertEventSources)[number];

/** `none`: the browser channel sends nothing. `batched`: waits for the email of the day. */
export const deliveryStatuses = ['none', 'pending', 'sent', 'failed', 'batched'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** That a rule fired, with everything shown of it: the rule may be changed or deleted. */
export const AlertEvent = defineEntity({
  name: 'AlertEvent',
  tableName: 'alert_events',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    ruleId: () => p.manyToOne(AlertRule).mapToPk().joinColumn('rule_id').deleteRule('set null').strictNullable(),
    scope: p.text(),
    scopeKey: p.text(),
    repoId: p.integer().strictNullable(),
    metric: p.text(),
    threshold: double(),
    windowHours: p.integer(),
    /** Unrounded. */
    value: double().strictNullable(),
    sampleSize: p.integer(),
    source: p.enum(alertEventSources),
    computedAt: instant(),
    firedAt: instant(),
    details: p.json<Record<string, string | number>>(),
    channel: p.text().$type<AlertChannel>(),
    destination: p.text().strictNullable(),
    deliveryStatus: p.enum(deliveryStatuses),
    deliveryAttempts: p.integer().default(0),
    deliveryError: p.text().strictNullable(),
    digestId: p.bigint('number').strictNullable(),
    digestSentAt: instant().strictNullable(),
    resolvedAt: instant().strictNullable(),
    isTest: p.boolean(),
  },
  indexes: [
    {
      name: 'alert_events_newest',
      properties: ['firedAt', 'id'],
      columns: [
        { name: 'fired_at', sort: 'desc' },
        { name: 'id', sort: 'desc' },
      ],
    },
    {
      name: 'alert_events_of_scope',
      properties: ['scopeKey', 'firedAt', 'id'],
      columns: [{ name: 'scope_key' }, { name: 'fired_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
    },
    { name: 'alert_events_open', properties: ['ruleId', 'repoId'], where: `resolved_at is null` },
    { name: 'alert_events_pending', properties: ['id'], where: `delivery_status = 'pending'` },
    { name: 'alert_events_batched', properties: ['destination'], where: `delivery_status = 'batched'` },
  ],
});
