import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

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
