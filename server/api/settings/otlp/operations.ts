import { z } from 'zod';
import { changedBy, type Services } from '../../../access/context.ts';
import { administrator } from '../../../access/rules.ts';
import { figures } from '../../../domain/quantity.ts';
import { storedAtMost } from '../../../domain/trace-counts.ts';
import { sealHeaders } from '../../../otlp/destination.ts';
import { traceHost } from '../../../otlp/ids.ts';
import { sendTestSpan } from '../../../otlp/test-span.ts';
import { within } from '../../../platform/fields.ts';
import { invalidRequest, Problem } from '../../../platform/problem.ts';
import { whyUnusable } from '../../../platform/receiver-address.ts';
import type { Store } from '../../../store/orm.ts';
import type { DestinationChange, StoredDestination } from '../../../store/otlp-destinations.ts';
import { adminWrites, operation, testMessages } from '../../operation.ts';
import { Backfill, backfillRecord } from './backfill-fields.ts';
import { Destination, type DestinationInput, destinationId, destinationInput, destinationRecord } from './fields.ts';
import { MetricsStatus, metricsStatus } from './metrics-status.ts';

const path = '/api/settings/otlp';
const maxDestinations = 5;

export const getDestinations = operation({
  method: 'GET',
  path,
  summary: 'Destinations of traces, with what waits for them, backfills, and whether metrics are served',
  access: administrator,
  input: z.object({}),
  output: z.object({
    destinations: z.array(Destination),
    backfills: z.array(Backfill).meta({ description: 'The 20 newest.' }),
    stored: z
      .object({ attempts: z.int(), attempts_with_jobs: z.int() })
      .meta({ description: `Counted up to ${figures(storedAtMost)}.` }),
    has_service_token: z.boolean().meta({ description: 'Whether `CODEHOST_TOKEN` is set, which reads missing jobs.' }),
    metrics: MetricsStatus,
  }),
  async run(_input, { store, services }) {
    const now = services.clock.now();
    const all = await store.otlpDestinations.list();
    const backfills = await store.otlpBackfills.list();
    const { attempts, withJobs } = await store.otlpBackfills.stored(now);
    return {
      destinations: await Promise.all(all.map((one) => toRecord(one, store, services))),
      backfills: backfills.map((one) => backfillRecord(one, now)),
      stored: { attempts, attemptsWithJobs: withJobs },
      hasServiceToken: services.env.CODEHOST_TOKEN !== undefined,
      metrics: metricsStatus(services),
    };
  },
});

export const putDestination = operation({
  method: 'PUT',
  path,
  summary: 'Add a destination of traces, or save one, which is then tried again',
  access: administrator,
  limit: adminWrites,
  failures: ['unsafe_address', 'not_found'],
  input: destinationInput,
  output: z.object({ destination: Destination }),
  async run(input, context) {
    const { store, services } = context;
    const reason = await whyUnusable(input.endpoint, services.env.OTLP_ALLOWED_HOSTS);
    if (reason !== null) throw unsafe(reason);
    const before = input.id === undefined ? null : await store.otlpDestinations.find(input.id);
    if (input.id !== undefined && before === null) throw notFound();
    const change = toChange(input, before, services);
    const by = await changedBy(context);
    const id = before
      ? (await store.otlpDestinations.update(before.id, change, by)) && before.id
      : await store.otlpDestinations.create(change, maxDestinations, by);
    if (id === null) throw tooMany();
    const saved = id === false ? null : await store.otlpDestinations.find(id);
    if (saved === null) throw notFound();
    return { destination: await toRecord(saved, store, services) };
  },
});

export const deleteDestination = operation({
  method: 'DELETE',
  path,
  summary: 'Delete a destination of traces with what waits for it',
  access: administrator,
  limit: adminWrites,
  failures: ['not_found'],
  includesOk: true,
  input: z.object({ id: within(1, 2 ** 31 - 1) }),
  output: z.object({ ok: z.literal(true) }),
  async run({ id }, context) {
    if (!(await context.store.otlpDestinations.delete(id, await changedBy(context)))) throw notFound();
    return { ok: true as const };
  },
});

export const testDestination = operation({
  method: 'POST',
  path: `${path}/test`,
  summary: 'Send one span of the made-up repository `example/example` now',
  access: administrator,
  limit: testMessages,
  failures: ['provider_error', 'not_found'],
  includesOk: true,
  input: z.object({ id: destinationId }),
  output: z.object({ ok: z.literal(true), trace_id: z.string() }),
  async run({ id }, { store, services }) {
    const destination = await store.otlpDestinations.find(id);
    if (destination === null) throw notFound();
    const { traceId, error } = await sendTestSpan(destination, services);
    if (error !== null) throw new Problem('provider_error', error);
    return { ok: true as const, traceId };
  },
});

export const resendRejected = operation({
  method: 'POST',
  path: `${path}/resend`,
  summary: 'Try again at once, also with what the receiver did not take',
  access: administrator,
  limit: adminWrites,
  failures: ['not_found'],
  input: z.object({ id: destinationId }),
  output: z.object({ parts: z.int().meta({ description: 'Parts of attempts that are sent again.' }) }),
  async run({ id }, context) {
    const { store } = context;
    if ((await store.otlpDestinations.find(id)) === null) throw notFound();
    return { parts: await store.otlpOutbox.resend(id, await changedBy(context)) };
  },
});

const toRecord = async (one: StoredDestination, { otlpOutbox }: Store, { clock }: Services) =>
  destinationRecord(one, await otlpOutbox.depth(one.id, clock.now()), clock.now());

/** Headers that were saved for another origin are not sent there. */
function toChange(input: DestinationInput, before: StoredDestination | null, { env }: Services): DestinationChange {
  const { name, endpoint, enabled, headers, filters, id: _, ...options } = input;
  const fetchJobs = options.fetch_jobs ?? env.CODEHOST_TOKEN !== undefined;
  const isMoved = before !== null && new URL(before.endpoint).origin !== new URL(endpoint).origin;
  const sent = headers ?? (isMoved ? {} : undefined);
  return {
    name,
    endpoint,
    enabled,
    options: { ...options, ...filters, fetch_jobs: fetchJobs, host: traceHost(env.CODEHOST_WEB_URL) },
    headers: sent && { sealed: sealHeaders(env, endpoint, sent), names: Object.keys(sent) },
  };
}

const notFound = () => new Problem('not_found', 'There is no such destination.');

function unsafe(reason: string): Problem {
  const message = `The endpoint ${reason}.`;
  return new Problem('unsafe_address', message, {
    details: { fields: [{ field: 'endpoint', reason: 'invalid', message }] },
  });
}

const tooMany = () =>
  invalidRequest([{ field: 'name', reason: 'invalid', message: `There are ${maxDestinations} destinations already.` }]);
