import { defineEntity, p } from '@mikro-orm/core';
import { day, instant } from './types.ts';

/** A checked answer of an AI provider, by everything that it depends on. */
export const AiCacheEntry = defineEntity({
  name: 'AiCacheEntry',
  tableName: 'ai_cache',
  properties: {
    key: p.text().primary(),
    payload: p.json<unknown>(),
    createdAt: instant(),
    expiresAt: instant(),
  },
  indexes: [{ name: 'ai_cache_by_expiry', properties: ['expiresAt'] }],
});

/** Tokens by UTC day: used, and reserved for calls in progress. */
export const AiUsageDay = defineEntity({
  name: 'AiUsageDay',
  tableName: 'ai_usage_daily',
  properties: {
    day: day().primary(),
    promptTokens: p.bigint('number').default(0),
    completionTokens: p.bigint('number').default(0),
    reserved: p.bigint('number').default(0),
    calls: p.integer().default(0),
  },
});
