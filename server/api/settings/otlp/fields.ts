import { z } from 'zod';
import { figures } from '../../../domain/quantity.ts';
import { waitingAtMost } from '../../../domain/trace-counts.ts';
import { contentTypes, type OtlpProtocol } from '../../../otlp/serialize.ts';
import { whyUnusableHeader } from '../../../platform/env-fields.ts';
import { plainLabel, within } from '../../../platform/fields.ts';
import { instant } from '../../../reports/kernel/instants.ts';
import { environmentId, type StoredDestination } from '../../../store/otlp-destinations.ts';
import type { OutboxDepth } from '../../../store/otlp-upkeep.ts';
import type { Domain } from '../../wire.ts';

const protocols = Object.keys(contentTypes) as [OtlpProtocol, ...OtlpProtocol[]];

/** Names a destination; that of the environment has 0. */
export const destinationId = within(0, 2 ** 31 - 1);

const names = (pattern: RegExp, message: string) =>
  z
    .array(
      z
        .string()
        .trim()
        .regex(pattern, message)
        .transform((text) => text.toLowerCase()),
    )
    .max(50)
    .default([]);

/** In any case: the database folds these beside the names of stored runs (`otlp_takes`). */
const workflowNames = z
  .array(
    z
      .string()
      .trim()
      .regex(/^\P{Cc}{1,200}$/u, 'is no name of a workflow'),
  )
  .max(50)
  .default([]);

const filters = z.object({
  owners: names(/^[\w-]{1,39}$/, 'is no owner').meta({ description: 'Empty for all, as the other lists.' }),
  repos: names(/^[\w-]{1,39}\/[\w.-]{1,100}$/, 'is no owner/name'),
  workflows: workflowNames,
  only_default_branch: z.boolean().default(false),
  sample_ratio: z.number().min(0).max(1).default(1).meta({ description: 'Share of attempts, by their trace ids.' }),
});

const headers = z
  .record(z.string(), z.string())
  .superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const reason = whyUnusableHeader(name, value);
      if (reason) context.addIssue({ code: 'custom', message: reason });
    }
    if (Object.keys(given).length > 20) context.addIssue({ code: 'custom', message: 'has more than 20 headers' });
  })
  .meta({ description: 'Omitted, the saved ones stay while scheme, host and port do; never given back.' });

/** What is saved of a destination. */
export const destinationInput = z.object({
  id: within(1, 2 ** 31 - 1)
    .optional()
    .meta({ description: 'Omitted, a destination is added.' }),
  name: plainLabel(80),
  endpoint: z
    .string()
    .trim()
    .max(500)
    .meta({ description: 'Base address of the receiver; `/v1/traces` is added where it does not end so.' }),
  headers: headers.optional(),
  protocol: z.enum(protocols).default('http/protobuf'),
  compression: z.enum(['gzip', 'none']).default('gzip'),
  enabled: z.boolean().default(true),
  filters: filters.prefault({}),
  include_actor: z.boolean().default(false).meta({ description: 'Send the login of whoever started an attempt.' }),
  service_name: plainLabel(200)
    .default('{owner}/{repo}')
    .meta({ description: '`service.name`; `{owner}` and `{repo}` are replaced.' }),
  fetch_jobs: z
    .boolean()
    .optional()
    .meta({ description: 'Read jobs that are not known after 15 minutes; by default where `CODEHOST_TOKEN` is set.' }),
  parallel: within(1, 8).default(1).meta({ description: 'Requests at a time in each process.' }),
});

export type DestinationInput = z.output<typeof destinationInput>;

const counted = (what: string) => `${what} Counted up to ${figures(waitingAtMost)}.`;

/** A destination, without the values of its headers. */
export const Destination = z.object({
  id: z.int(),
  name: z.string(),
  endpoint: z.string(),
  header_names: z.array(z.string()),
  protocol: z.enum(protocols),
  compression: z.enum(['gzip', 'none']),
  enabled: z.boolean(),
  filters: z.object({
    owners: z.array(z.string()),
    repos: z.array(z.string()),
    workflows: z.array(z.string()),
    only_default_branch: z.boolean(),
    sample_ratio: z.number(),
  }),
  include_actor: z.boolean(),
  service_name: z.string(),
  fetch_jobs: z.boolean(),
  parallel: z.int(),
  source: z.enum(['settings', 'env']).meta({ description: '`env`: named by `OTLP_ENDPOINT`, and changed there.' }),
  state: z.enum(['off', 'active', 'waiting', 'refused']).meta({
    description:
      '`waiting`: the receiver is away; the next attempt is at `next_try_at`. `refused`: it denied a request, and is sent nothing until saved or tried again.',
  }),
  accepted_spans: z.int(),
  rejected_spans: z.int().meta({ description: 'Spans that the receiver did not take of requests it accepted.' }),
  parked: z.int().meta({ description: counted('Parts of attempts that the receiver does not take by themselves.') }),
  taken_in_part: z.int().meta({ description: counted('Parts sent in requests of which the receiver rejected spans.') }),
  dropped: z.int().meta({ description: 'Parts that waited for the receiver longer than `OTLP_OUTBOX_DAYS`.' }),
  without_jobs: z.int().meta({ description: 'Attempts whose jobs did not become known within seven days.' }),
  carried_over_jobs: z.int().meta({
    description: 'Jobs that a re-run listed but did not run, which have no spans.',
  }),
  due: z.int().meta({ description: counted('Parts of attempts to be sent now.') }),
  oldest_due_at: instant.nullable(),
  waiting: z.int().meta({ description: counted('Jobs of attempts to be sent later, most of them not known yet.') }),
  next_try_at: instant.nullable(),
  last_success_at: instant.nullable(),
  last_error: z.string().nullable(),
});

export function destinationRecord(one: StoredDestination, depth: OutboxDepth, now: number): Domain<typeof Destination> {
  const { id, name, endpoint, headerNames, enabled, options } = one;
  const nextTryAt = one.nextTryAt !== null && one.nextTryAt > now ? one.nextTryAt : null;
  return {
    id,
    name,
    endpoint,
    headerNames,
    protocol: options.protocol,
    compression: options.compression,
    enabled,
    filters: {
      owners: options.owners,
      repos: options.repos,
      workflows: options.workflows,
      onlyDefaultBranch: options.only_default_branch,
      sampleRatio: options.sample_ratio,
    },
    includeActor: options.include_actor,
    serviceName: options.service_name,
    fetchJobs: options.fetch_jobs,
    parallel: options.parallel,
    source: id === environmentId ? 'env' : 'settings',
    state: toState(one, nextTryAt),
    acceptedSpans: one.accepted,
    rejectedSpans: one.rejected,
    parked: depth.parked,
    takenInPart: depth.takenInPart,
    dropped: one.dropped,
    withoutJobs: one.withoutJobs,
    carriedOverJobs: one.carriedOver,
    due: depth.due,
    oldestDueAt: depth.oldestDueAt,
    waiting: depth.waiting,
    nextTryAt,
    lastSuccessAt: one.lastSuccessAt,
    lastError: one.lastError,
  };
}

function toState({ enabled, state }: StoredDestination, nextTryAt: number | null) {
  if (!enabled) return 'off';
  if (state === 'refused') return 'refused';
  return nextTryAt === null ? 'active' : 'waiting';
}
