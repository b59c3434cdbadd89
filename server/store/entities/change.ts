import { defineEntity, p } from '@mikro-orm/core';

/** That a transaction changed what is stored of a scope; the scopes are those of `versions`. */
export const Change = defineEntity({
  name: 'Change',
  tableName: 'changes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    scope: p.text(),
  },
  indexes: [{ name: 'changes_by_scope', properties: ['scope', 'id'] }],
});
