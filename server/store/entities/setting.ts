import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** One saved setting; `version` counts its changes. */
export const Setting = defineEntity({
  name: 'Setting',
  tableName: 'settings',
  properties: {
    key: p.text().primary(),
    value: p.json<unknown>(),
    secretSealed: p.text().strictNullable(),
    secretHint: p.text().strictNullable(),
    updatedBy: p.text(),
    updatedAt: instant(),
    version: p.integer(),
  },
});
