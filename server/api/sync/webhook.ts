import { z } from 'zod';
import { platformSignature } from '../../access/rules.ts';
import type { WebhookResult } from '../../sync/webhook-handler.ts';
import { operation } from '../operation.ts';
import type { Domain } from '../wire.ts';

/** The headers that name an event and its delivery: as the platform sends them, and a neutral alias. */
export const deliveryHeaders = {
  event: ['X-GitHub-Event', 'X-Codehost-Event'],
  delivery: ['X-GitHub-Delivery', 'X-Codehost-Delivery'],
} as const;

const ok = z.literal(true);

const WebhookReceipt = z
  .union([
    z.object({ ok, run_id: z.int(), action: z.string(), alerts_fired: z.int() }),
    z.object({ ok, job_id: z.int(), action: z.string() }),
    z.object({ ok, pull_request: z.int(), action: z.string() }),
    z.object({ ok, ref: z.string(), action: z.string() }),
    z.object({ ok, duplicate: z.literal(true) }),
    z.object({ ok, ignored: z.literal('owner').meta({ description: 'Its owner is neither allowed nor tracked.' }) }),
    z.object({ ok, event: z.literal('ping') }),
    z.object({ skipped: z.literal(true), event: z.string() }),
  ])
  .meta({ id: 'WebhookReceipt' });

export const receiveWebhook = operation({
  method: 'POST',
  path: '/api/webhooks/codehost',
  summary: 'Receive a signed GitHub webhook event',
  access: platformSignature,
  failures: ['rate_limited'],
  input: z.object({
    event: z.string().regex(/^\w{1,100}$/, 'is not the name of an event'),
    delivery: z.string().regex(/^[\w-]{1,100}$/, 'is not the id of a delivery'),
    payload: z.record(z.string(), z.unknown(), 'is not a JSON object'),
  }),
  output: WebhookReceipt,
  async run(event, { services }) {
    const count = (outcome: string) =>
      services.store?.sharedCounters.add('das_webhook_deliveries', { event: countedEvent(event.event), outcome });
    const received = await services.webhooks.receive(event).catch((error: unknown) => {
      count('failed');
      throw error;
    });
    count(outcomes[received.kind]);
    if ('happenedAt' in received && received.happenedAt !== null) {
      // The clock of the platform may be ahead of ours.
      const lag = Math.max(0, services.clock.now() - received.happenedAt) / 1000;
      services.store?.sharedCounters.set('das_webhook_ingest_lag_seconds', {}, lag);
    }
    return receipt(event.event, received);
  },
});

/** An event that brings nothing is counted as `other`: the label has few values. */
const countedEvent = (event: string) => (counted.includes(event) ? event : 'other');

const counted = ['workflow_run', 'workflow_job', 'pull_request', 'push', 'create', 'delete', 'release', 'ping'];

const outcomes: Record<WebhookResult['kind'], string> = {
  run: 'stored',
  job: 'stored',
  queue: 'stored',
  closed: 'stored',
  ref: 'stored',
  ping: 'stored',
  duplicate: 'duplicate',
  ignored: 'ignored',
  skipped: 'skipped',
};

function receipt(event: string, received: WebhookResult): Domain<typeof WebhookReceipt> {
  switch (received.kind) {
    case 'run':
      // Alerts are evaluated after the answer.
      return { ok: true, runId: received.id, action: received.action, alertsFired: 0 };
    case 'job':
      return { ok: true, jobId: received.id, action: received.action };
    case 'queue':
    case 'closed':
      return { ok: true, pullRequest: received.id, action: received.action };
    case 'ref':
      return { ok: true, ref: received.ref, action: received.action };
    case 'duplicate':
      return { ok: true, duplicate: true };
    case 'ignored':
      return { ok: true, ignored: 'owner' };
    case 'ping':
      return { ok: true, event: 'ping' };
    default:
      return { skipped: true, event };
  }
}
