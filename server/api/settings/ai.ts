import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { administrator, organizationAdministrator } from '../../access/rules.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { whyUnsafe } from '../../platform/safe-address.ts';
import { instant } from '../../reports/kernel/instants.ts';
import {
  aiInEffect,
  aiProviders,
  environmentProviders,
  getEnvironment,
  readAiOverride,
  saveAiOverride,
  suggestedModels,
} from '../../settings/ai-provider.ts';
import { adminWrites, operation } from '../operation.ts';
import type { Domain } from '../wire.ts';
import { changedVersion, shownVersion } from './version.ts';

const provider = z.enum(aiProviders);

/** What is saved in place of the environment, and what is used now. Nothing of a key but its end. */
export const AiSettings = z.object({
  configurable: z.boolean().meta({ description: 'false where one person uses the service alone.' }),
  mode: z.enum(['standalone', 'organization']),
  enabled: z.boolean().meta({ description: 'Whether what is saved is used in place of the environment.' }),
  provider,
  model: z.string().nullable().meta({ description: 'null is the usual one of the provider.' }),
  base_url: z.string().nullable().meta({ description: 'null is the usual one of the provider.' }),
  api_key_hint: z.string().nullable(),
  has_key: z.boolean(),
  updated_by: z.string().nullable(),
  updated_at: instant.nullable(),
  version: shownVersion,
  effective_source: z.enum(['settings', 'env', 'none', 'settings_broken']),
  env_providers: z.array(provider).meta({ description: 'Providers with a key in the environment, in their order.' }),
  db_available: z.boolean(),
  disabled_by_env: z.boolean().meta({ description: 'Nothing is generated, whatever is saved (`AI_DISABLED`).' }),
  providers: z
    .array(z.object({ provider, default_model: z.string(), default_base_url: z.string(), models: z.array(z.string()) }))
    .meta({ description: 'What holds for each provider while nothing else is saved, and models it has.' }),
});

export const getAiSettings = operation({
  method: 'GET',
  path: '/api/settings/ai',
  summary: 'Who writes generated texts: what is saved, and what is in effect',
  access: administrator,
  input: z.object({}),
  output: AiSettings,
  run: (_input, context) => inEffect(context),
});

/** An address behind which the paths of a protocol lie; empty for the usual one of the provider. */
const baseUrl = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === '' || URL.canParse(text), { error: 'is not an address', abort: true })
  .refine((text) => text === '' || new URL(text).protocol === 'https:', 'must use https')
  .refine((text) => text === '' || isPlain(new URL(text)), 'must have no user, password, query or fragment')
  .transform((text) => (text === '' ? '' : new URL(text).href.replace(/\/+$/, '')));

const isPlain = ({ username, password, search, hash, href }: URL) =>
  username + password + search + hash === '' && !/[?#]$/.test(href);

export const putAiSettings = operation({
  method: 'PUT',
  path: '/api/settings/ai',
  summary: 'Choose the provider of generated texts; the keys of the environment are never a fallback for it',
  access: organizationAdministrator,
  limit: adminWrites,
  failures: ['edit_conflict'],
  input: z.object({
    enabled: z.boolean(),
    provider,
    model: z
      .string()
      .trim()
      .max(120)
      .regex(/^[A-Za-z0-9._:/-]*$/, 'is no name of a model')
      .default(''),
    base_url: baseUrl.default(''),
    api_key: z
      .string()
      .trim()
      .max(500)
      .regex(/^[\x21-\x7e]*$/, 'must be visible characters without spaces')
      .default('')
      .meta({ description: 'Empty keeps the stored key, for the same provider and host alone.' }),
    version: changedVersion,
  }),
  output: z.object({ ok: z.literal(true), settings: AiSettings }),
  async run({ api_key: apiKey, version, ...choice }, context) {
    const { store } = context;
    const { env } = context.services;
    // What is not used need not be reachable: switching a provider off must work while its host cannot be resolved.
    if (choice.enabled) await assertSafe(choice.base_url, env.AI_ALLOWED_HOSTS);
    await saveAiOverride(choice, apiKey || null, { env, store, by: { ...(await changedBy(context)), version } });
    return { ok: true as const, settings: await inEffect(context) };
  },
});

async function assertSafe(address: string, allowedHosts: readonly string[]): Promise<void> {
  const why = address === '' ? null : await whyUnsafe(address, { allowedHosts });
  if (why !== null) throw invalidRequest([{ field: 'base_url', reason: 'invalid', message: `base_url ${why}.` }]);
}

async function inEffect({ services: { env, store } }: Context): Promise<Domain<typeof AiSettings>> {
  const override = await readAiOverride(env, store);
  const { choice, hint, hasKey, updatedBy, updatedAt, version, databaseAvailable } = override;
  return {
    configurable: env.MODE === 'organization',
    mode: env.MODE,
    enabled: choice?.enabled ?? false,
    provider: choice?.provider ?? 'anthropic',
    model: choice?.model || null,
    baseUrl: choice?.base_url || null,
    apiKeyHint: hint,
    hasKey,
    updatedBy,
    updatedAt,
    version,
    effectiveSource: aiInEffect(env, override).source,
    envProviders: environmentProviders(env),
    dbAvailable: databaseAvailable,
    disabledByEnv: env.AI_DISABLED,
    providers: aiProviders.map((one) => {
      const { model, baseUrl: address } = getEnvironment(env, one);
      return { provider: one, defaultModel: model, defaultBaseUrl: address, models: suggestedModels[one] };
    }),
  };
}
