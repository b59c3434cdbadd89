import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { offers } from '../../access/decision.ts';
import { administrator, member, withoutAccessTokens } from '../../access/rules.ts';
import type { Env } from '../../platform/env.ts';
import { isLoopback } from '../../platform/env-fields.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { operation } from '../operation.ts';
import { syncNow } from '../sync/sync.ts';
import { receiveWebhook } from '../sync/webhook.ts';
import type { Domain } from '../wire.ts';

const missing = [
  'not_synced',
  'no_webhook_secret',
  'not_reachable',
  'no_delivery',
  'no_rule',
  'no_provider',
  'settings_broken',
  'no_email_sent',
] as const;

const SetupStep = z.object({
  step: z.enum(['sync', 'webhook', 'alert', 'email']),
  missing: z.enum(missing).nullable().meta({
    description:
      'What is left to do; null: the step is done. `not_reachable`: GitHub cannot reach the address of this installation, and everything works without webhooks.',
  }),
  at: instant.nullable().meta({
    description: 'Synced through, latest webhook delivery, last email accepted by the provider; null: none.',
  }),
  event: z.string().nullable().meta({ description: 'The GitHub event of the latest webhook delivery.' }),
});

export const SetupSteps = z
  .object({
    steps: z.array(SetupStep).meta({ description: 'Only what the caller may do.' }),
    payload_url: z.string().nullable().meta({ description: 'Webhook payload URL; for administrators.' }),
  })
  .meta({ id: 'SetupSteps' });

type Step = Domain<typeof SetupStep>;

export const getSetupSteps = operation({
  method: 'GET',
  path: '/api/settings/setup',
  summary: 'What is left to set up: sync, webhook, alert rule, email; from stored data alone',
  access: withoutAccessTokens(member),
  input: z.object({}),
  output: SetupSteps,
  rows: ({ steps }) => steps,
  run: readSteps,
});

async function readSteps(_input: object, context: Context): Promise<Domain<typeof SetupSteps>> {
  const actor = await context.actor();
  const isAdmin = offers(administrator, context, actor);
  const steps = [
    ...(offers(syncNow.access, context, actor) ? [readSync(context)] : []),
    ...(isAdmin ? [readWebhook(context), readAlert(context), readEmail(context)] : []),
  ];
  return {
    steps: await Promise.all(steps),
    payloadUrl: isAdmin ? `${context.services.env.APP_URL}${receiveWebhook.path}` : null,
  };
}

async function readSync({ store, services: { clock } }: Context): Promise<Step> {
  const at = (await store.syncProgress.summary(clock.now()))?.syncedThrough ?? null;
  return { step: 'sync', missing: at === null ? 'not_synced' : null, at, event: null };
}

async function readWebhook({ store, services: { env, clock } }: Context): Promise<Step> {
  const latest = await store.deliveries.latest(clock.now());
  const missing =
    env.CODEHOST_WEBHOOK_SECRET === undefined ? 'no_webhook_secret' : latest ? null : findUndelivered(env);
  return { step: 'webhook', missing, at: latest?.receivedAt ?? null, event: latest?.event ?? null };
}

/** A platform on another machine reaches no loopback address, unless something hands its deliveries on. */
function findUndelivered({ APP_URL, CODEHOST_API_URL }: Env) {
  const isLocal = (url: string) => isLoopback(new URL(url).hostname);
  return isLocal(APP_URL) && !isLocal(CODEHOST_API_URL) ? 'not_reachable' : 'no_delivery';
}

async function readAlert({ store }: Context): Promise<Step> {
  const rules = await store.alertRules.countEnabled();
  return { step: 'alert', missing: rules === 0 ? 'no_rule' : null, at: null, event: null };
}

async function readEmail({ store, services: { mailer } }: Context): Promise<Step> {
  const [{ source }, { lastSuccessAt: at }] = await Promise.all([mailer.status(), store.mailStatus.get()]);
  const step = { step: 'email' as const, at, event: null };
  if (source === 'none') return { ...step, missing: 'no_provider' };
  if (source === 'settings_broken') return { ...step, missing: 'settings_broken' };
  return { ...step, missing: at === null ? 'no_email_sent' : null };
}
