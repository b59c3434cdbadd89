import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** The one row with when email last went out or failed. */
export const MailStatus = defineEntity({
  name: 'MailStatus',
  tableName: 'mail_status',
  properties: {
    id: p.boolean().primary().default(true),
    lastSuccessAt: instant().strictNullable(),
    lastError: p.text().strictNullable(),
    lastErrorAt: instant().strictNullable(),
  },
  checks: [{ name: 'mail_status_id_check', expression: `id` }],
});
