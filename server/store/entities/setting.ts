import { defineEntity, p } from '@mikro-orm/core';

/** A setting that somebody saved. */
export const SettingRow = defineEntity({
  name: 'SettingRow',
  tableName: 'settings',
  properties: {
    key: p.text().primary(),
    value: p.json<unknown>(),
    secretSealed: p.text().nullable(),
    secretHint: p.text().nullable(),
    updatedBy: p.text(),
    updatedAt: p.datetime(),
    version: p.integer(),
  },
});
