import { defineEntity, p } from '@mikro-orm/core';
import { AlertRule } from './alert-rule.ts';
import { instant } from './types.ts';

/** `claimed`: it is not known whether it was sent. `failed`: it was not, and may be tried again. */
const digestStatuses = ['claimed', 'sent', 'failed', 'missed'] as const;
export type DigestStatus = (typeof digestStatuses)[number];

/** One email of a digest, claimed before it is sent. */
export const DigestSend = defineEntity({
  name: 'DigestSend',
  tableName: 'digest_sends',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.enum(['daily', 'leadership']),
    slot: p.text(),
    ruleId: () => p.manyToOne(AlertRule).mapToPk().joinColumn('rule_id').deleteRule('set null').strictNullable(),
    destination: p.text(),
    status: p.enum(digestStatuses),
    attempts: p.integer().default(0),
    events: p.integer(),
    error: p.text().strictNullable(),
    startedAt: instant(),
    finishedAt: instant().strictNullable(),
  },
  indexes: [{ name: 'digest_sends_open', properties: ['kind'], where: `status = 'claimed'` }],
  uniques: [{ name: 'digest_sends_weekly', properties: ['ruleId', 'slot'], where: `kind = 'leadership'` }],
});
