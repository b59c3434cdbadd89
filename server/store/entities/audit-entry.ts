import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

export const auditCategories = ['access', 'identity', 'settings', 'alerts', 'issues', 'advisor'] as const;

export type AuditCategory = (typeof auditCategories)[number];

/** One entry of the append-only audit log, chained by hashes. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    at: instant(),
    category: p.text().$type<AuditCategory>(),
    action: p.text(),
    actorId: p.bigint('number').strictNullable(),
    actorLogin: p.text(),
    targetType: p.text(),
    target: p.text(),
    before: p.json<unknown>().strictNullable(),
    after: p.json<unknown>().strictNullable(),
    requestId: p.text().strictNullable(),
    note: p.text().strictNullable(),
    previousHash: p.blob().strictNullable(),
    hash: p.blob(),
  },
  indexes: [
    {
      name: 'audit_log_by_category',
      properties: ['category', 'id'],
      columns: [{ name: 'category' }, { name: 'id', sort: 'desc' }],
    },
  ],
});
