import { defineEntity, p } from '@mikro-orm/core';
import { bigIntegers, instant } from './types.ts';

/** A computed answer that several processes share until it expires. */
export const CachedAnswer = defineEntity({
  name: 'CachedAnswer',
  tableName: 'cached_answers',
  properties: {
    key: p.text().primary(),
    value: p.json<unknown>(),
    madeAt: instant(),
    expiresAt: instant(),
  },
});

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

/** The requests of the last minute under one key. Unlogged: it may be lost in a crash. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.text().primary(),
    hits: bigIntegers(),
    updatedAt: instant(),
  },
});
