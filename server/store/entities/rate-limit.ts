import { defineEntity, p } from '@mikro-orm/core';
import { instant, integers } from './types.ts';

/** The requests of the last minute under one key. Unlogged: it may be lost in a crash. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.text().primary(),
    hits: integers('bigint[]'),
    updatedAt: instant(),
  },
});
