import { createHmac } from 'node:crypto';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { secretBytes } from './webhook-secret.ts';

export interface WebhookMessage {
  /** The same at every attempt. */
  id: string;
  /** Exactly what is sent. */
  body: string;
}

/** Headers of Standard Webhooks 1.0.0 for an attempt at `now`: one signature for each secret. */
export function signedHeaders({ id, body }: WebhookMessage, secrets: readonly string[], now: Instant) {
  const timestamp = Math.floor(now / 1000);
  const sign = (secret: string) =>
    createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
