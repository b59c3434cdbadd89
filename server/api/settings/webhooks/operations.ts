import { z } from 'zod';
import { type Context, changedBy } from '../../../access/context.ts';
import { administrator } from '../../../access/rules.ts';
import { testWebhook } from '../../../alerts/channels/webhook.ts';
import { createWebhookSecret, rotationMs, sealWebhookSecret } from '../../../alerts/channels/webhook-secret.ts';
import { plainLabel, within } from '../../../platform/fields.ts';
import { invalidRequest, Problem } from '../../../platform/problem.ts';
import { whyUnusable } from '../../../platform/receiver-address.ts';
import { type EndpointEdited, versionOf } from '../../../store/webhook-endpoints.ts';
import { adminWrites, operation, testMessages } from '../../operation.ts';
import { Endpoint, endpointRecord } from './fields.ts';

const path = '/api/settings/webhooks';
const maxEndpoints = 20;
const endpointId = within(1, 2 ** 31 - 1);

/** So that a form that is sent twice makes one secret. */
const version = z
  .string()
  .max(40)
  .optional()
  .meta({ description: '`version` of `GET /api/settings/webhooks`: given, nothing is done where that has moved.' });

const secret = z.string().meta({ description: '`whsec_` and 32 bytes in Base64; not shown again.' });

export const getWebhooks = operation({
  method: 'GET',
  path,
  summary: 'Endpoints of outgoing webhooks, with their last deliveries',
  access: administrator,
  input: z.object({}),
  output: z.object({
    endpoints: z.array(Endpoint),
    version: z.string().meta({ description: 'Moves with every endpoint that is added, saved or given a new secret.' }),
  }),
  async run(_input, { store, services: { clock } }) {
    const endpoints = await store.webhookEndpoints.list();
    return { endpoints: endpoints.map((one) => endpointRecord(one, clock.now())), version: versionOf(endpoints) };
  },
});

export const putWebhook = operation({
  method: 'PUT',
  path,
  summary: 'Add an endpoint of outgoing webhooks, or save one',
  access: administrator,
  limit: adminWrites,
  failures: ['unsafe_address', 'not_found', 'edit_conflict'],
  input: z.object({
    id: endpointId.optional().meta({ description: 'Omitted, an endpoint is added.' }),
    name: plainLabel(80),
    url: z.string().trim().max(500),
    enabled: z.boolean().default(true),
    version,
  }),
  output: z.object({
    endpoint: Endpoint,
    secret: secret.optional().meta({ description: 'Of a new endpoint; not shown again.' }),
  }),
  async run({ id: given, version, ...change }, context) {
    const { store, services } = context;
    const reason = await whyUnusable(change.url, services.env.WEBHOOK_ALLOWED_HOSTS);
    if (reason !== null) throw unsafe(reason);
    const by = { ...(await changedBy(context)), version };
    if (given !== undefined) {
      assertEdited(await store.webhookEndpoints.update(given, change, by));
      return { endpoint: await findRecord(given, context) };
    }
    const secret = createWebhookSecret();
    const id = await store.webhookEndpoints.create(change, sealWebhookSecret(services.env, secret), maxEndpoints, by);
    if (id === 'outdated') throw outdated();
    if (id === 'too_many') throw tooMany();
    return { endpoint: await findRecord(id, context), secret };
  },
});

export const deleteWebhook = operation({
  method: 'DELETE',
  path,
  summary: 'Delete an endpoint of outgoing webhooks; rules that name it notify nobody',
  access: administrator,
  limit: adminWrites,
  failures: ['not_found'],
  includesOk: true,
  input: z.object({ id: endpointId }),
  output: z.object({ ok: z.literal(true) }),
  async run({ id }, context) {
    assertEdited(await context.store.webhookEndpoints.delete(id, await changedBy(context)));
    return { ok: true as const };
  },
});

export const testWebhookEndpoint = operation({
  method: 'POST',
  path: `${path}/test`,
  summary: 'Post a made-up alert of the repository `example/example` now',
  access: administrator,
  limit: testMessages,
  failures: ['provider_error', 'not_found'],
  includesOk: true,
  input: z.object({ id: endpointId }),
  output: z.object({ ok: z.literal(true), status: z.int(), ms: z.int() }),
  async run({ id }, { store, services }) {
    const endpoint = await store.webhookEndpoints.find(id);
    if (endpoint === null) throw notFound();
    const { status, ms, result } = await testWebhook(endpoint, { ...services, store });
    if (!result.ok || status === null) throw new Problem('provider_error', result.ok ? 'No answer.' : result.error);
    return { ok: true as const, status, ms };
  },
});

export const rotateWebhook = operation({
  method: 'POST',
  path: `${path}/rotate`,
  summary: 'Replace the secret of an endpoint; the previous one signs as well for 24 hours',
  access: administrator,
  limit: adminWrites,
  failures: ['not_found', 'edit_conflict'],
  input: z.object({ id: endpointId, version }),
  output: z.object({ secret }),
  async run({ id, version }, context) {
    const { store, services } = context;
    const secret = createWebhookSecret();
    const sealed = sealWebhookSecret(services.env, secret);
    const until = services.clock.now() + rotationMs;
    const by = { ...(await changedBy(context)), version };
    assertEdited(await store.webhookEndpoints.rotate(id, sealed, until, by));
    return { secret };
  },
});

async function findRecord(id: number, { store, services }: Context) {
  const endpoint = await store.webhookEndpoints.find(id);
  if (endpoint === null) throw notFound();
  return endpointRecord(endpoint, services.clock.now());
}

function assertEdited(edited: EndpointEdited): void {
  if (edited === 'gone') throw notFound();
  if (edited === 'outdated') throw outdated();
}

const outdated = () =>
  new Problem(
    'edit_conflict',
    'This form was sent before, or endpoints changed since. Send it again if you still want to.',
  );

const notFound = () => new Problem('not_found', 'There is no such webhook endpoint.');

function unsafe(reason: string): Problem {
  const message = `The address ${reason}.`;
  return new Problem('unsafe_address', message, {
    details: { fields: [{ field: 'url', reason: 'invalid', message }] },
  });
}

const tooMany = () =>
  invalidRequest([{ field: 'name', reason: 'invalid', message: `There are ${maxEndpoints} endpoints already.` }]);
