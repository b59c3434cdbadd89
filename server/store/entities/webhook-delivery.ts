import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** That a webhook delivery was received. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    deliveryId: p.text().primary(),
    event: p.text(),
    action: p.text().strictNullable(),
    repoKey: p.text().strictNullable(),
    receivedAt: instant(),
  },
  indexes: [{ name: 'webhook_deliveries_by_age', properties: ['receivedAt'], type: 'brin' }],
});
