import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** Why the service itself switched an endpoint off: it answered 410, or too many events in a row were not taken. */
export type WebhookOffReason = 'gone' | 'failing';

/** One attempt to hand over an event, without any body; `event_id` is null for a test of the endpoint alone. */
export interface WebhookAttempt {
  /** Epoch milliseconds. */
  at: number;
  event_id: number | null;
  /** null where no answer came. */
  status: number | null;
  ms: number;
  error: string | null;
}

/** Where alerts are posted to. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    url: p.text(),
    secretSealed: p.text(),
    /** The secret before the last rotation, which signs as well until `previousUntil`. */
    previousSealed: p.text().strictNullable(),
    previousUntil: instant().strictNullable(),
    enabled: p.boolean(),
    offReason: p.text().$type<WebhookOffReason>().strictNullable(),
    /** Events in a row that were given up. */
    failures: p.integer(),
    /** The latest attempts, newest first. */
    attempts: p.json<WebhookAttempt[]>(),
    createdBy: p.text(),
    updatedAt: instant(),
  },
});
