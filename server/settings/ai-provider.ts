import { z } from 'zod';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Env } from '../platform/env.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';
import type { SavedSetting, SettingChange, SettingEdit } from '../store/settings.ts';
import { keyHint, settingsBox } from './sealing.ts';
import { putSetting } from './setting.ts';

/** The AI providers, in the order in which those with a key in the environment are called. */
export const aiProviders = ['anthropic', 'gemini', 'openai'] as const;

export type AiProvider = (typeof aiProviders)[number];

/** Models that are offered when one is chosen; any other name is taken too. */
export const suggestedModels: Record<AiProvider, readonly string[]> = {
  anthropic: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
  gemini: ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
  openai: ['gpt-5-mini', 'gpt-5-nano', 'gpt-4.1-mini'],
};

/** The environment's settings of a provider; where it has none, its schema has the defaults for model and address. */
export const getEnvironment = (env: Env, provider: AiProvider) =>
  ({
    anthropic: { apiKey: env.ANTHROPIC_API_KEY, model: env.ANTHROPIC_MODEL, baseUrl: env.ANTHROPIC_BASE_URL },
    gemini: { apiKey: env.GEMINI_API_KEY, model: env.GEMINI_MODEL, baseUrl: env.GEMINI_BASE_URL },
    openai: { apiKey: env.OPENAI_API_KEY, model: env.OPENAI_MODEL, baseUrl: env.OPENAI_BASE_URL },
  })[provider];

/** The providers that have a key in the environment. */
export const environmentProviders = (env: Env): AiProvider[] =>
  aiProviders.filter((provider) => getEnvironment(env, provider).apiKey !== undefined);

const key = 'ai';

const shape = z.object({
  enabled: z.boolean(),
  provider: z.enum(aiProviders),
  /** Empty: the environment's setting of the provider. */
  model: z.string(),
  base_url: z.string().refine((text) => text === '' || URL.canParse(text)),
});

export type AiChoice = z.output<typeof shape>;

/** What administrators saved in place of the environment. */
export interface AiOverride {
  /** null when nobody saved anything, or it cannot be read. */
  choice: AiChoice | null;
  /** null when there is none, or it does not open, or was given for another provider or host. */
  apiKey: string | null;
  hint: string | null;
  hasKey: boolean;
  updatedBy: string | null;
  updatedAt: Instant | null;
  /** Moves with every change; 0 while nothing is saved. */
  version: number;
  /** Something is saved that cannot be used, or it is unknown: then nothing else is used either. */
  isBroken: boolean;
  databaseAvailable: boolean;
}

const nothingSaved = {
  choice: null,
  apiKey: null,
  hint: null,
  hasKey: false,
  updatedBy: null,
  updatedAt: null,
  version: 0,
  isBroken: false,
  databaseAvailable: true,
} satisfies AiOverride;

/** What is saved. Where one person uses the service alone nothing can be. Never fails. */
export async function readAiOverride(env: Env, store: Store | null): Promise<AiOverride> {
  if (!store) return { ...nothingSaved, databaseAvailable: false };
  const row = await store.settings.get(key).catch(() => undefined);
  if (env.MODE === 'standalone') return { ...nothingSaved, databaseAvailable: row !== undefined };
  if (row === undefined) return { ...nothingSaved, isBroken: true, databaseAvailable: false };
  return overrideIn(env, row);
}

function overrideIn(env: Env, row: SavedSetting | null): AiOverride {
  if (row === null) return nothingSaved;
  const { secretHint: hint, secretSealed, updatedBy, updatedAt, version } = row;
  const choice = shape.safeParse(row.value).data ?? null;
  const apiKey = choice && openKey(env, row, choice);
  const isBroken = choice === null || (choice.enabled && apiKey === null);
  const hasKey = secretSealed !== null;
  return { choice, apiKey, hint, hasKey, updatedBy, updatedAt, version, isBroken, databaseAvailable: true };
}

/** A way to a provider: everything a call needs. The key goes nowhere else. */
export interface ProviderAccess {
  provider: AiProvider;
  model: string;
  baseUrl: string;
  apiKey: string;
  /** true where the address was entered in the settings: then it must lead out of the operator's network. */
  isPublicOnly: boolean;
}

export interface AiInEffect {
  source: 'settings' | 'env' | 'none' | 'settings_broken';
  /** The providers to call, in this order. With an override that one only: the operator's keys are no fallback for it. */
  accesses: readonly ProviderAccess[];
}

/** What is used now. Read at every call, so that all processes follow a change at once. */
export function aiInEffect(env: Env, override: AiOverride): AiInEffect {
  const { choice, apiKey, isBroken } = override;
  if (env.AI_DISABLED) return { source: 'none', accesses: [] };
  if (isBroken) return { source: 'settings_broken', accesses: [] };
  if (choice?.enabled && apiKey !== null) return { source: 'settings', accesses: [toAccess(env, choice, apiKey)] };
  const accesses = environmentProviders(env).map((provider) => {
    const { apiKey: given = '', model, baseUrl } = getEnvironment(env, provider);
    return { provider, model, baseUrl, apiKey: given, isPublicOnly: false };
  });
  return { source: accesses.length > 0 ? 'env' : 'none', accesses };
}

function toAccess(env: Env, { provider, model, base_url }: AiChoice, apiKey: string): ProviderAccess {
  const usual = getEnvironment(env, provider);
  return {
    provider,
    apiKey,
    model: model || usual.model,
    baseUrl: base_url || usual.baseUrl,
    isPublicOnly: base_url !== '',
  };
}

/**
 * Saves the choice. Without a key the stored one stays, for the provider and host it was given for alone.
 * @throws Problem `api_key_required`, `edit_conflict`
 */
export async function saveAiOverride(
  choice: AiChoice,
  apiKey: string | null,
  { env, store, by }: { env: Env; store: Store; by: SettingEdit },
): Promise<void> {
  const saved = overrideIn(env, await store.settings.get(key));
  if (apiKey === null) {
    if (saved.hasKey && (saved.choice === null || describePlace(saved.choice) !== describePlace(choice)))
      throw keyRequired('The stored key was given for another provider or host. Enter the key for this one.');
    if (choice.enabled && saved.apiKey === null) throw keyRequired('Enter the key of the provider.');
  }
  const secret = apiKey === null ? {} : { secret: sealKey(env, choice, apiKey) };
  await putSetting(store, key, { value: choice, ...secret, by });
}

const keyRequired = (message: string) =>
  new Problem('api_key_required', message, { details: { fields: [{ field: 'api_key', reason: 'missing', message }] } });

/** Where a key may be sent. */
const describePlace = ({ provider, base_url }: AiChoice) => `${provider} ${base_url && new URL(base_url).host}`;

/** Sealed together with the place it is for: whoever changes the place without the key finds it does not open. */
const sealKey = (env: Env, choice: AiChoice, apiKey: string): NonNullable<SettingChange['secret']> => ({
  sealed: settingsBox(env).seal(JSON.stringify([describePlace(choice), apiKey])),
  hint: keyHint(apiKey),
});

function openKey(env: Env, { secretSealed }: SavedSetting, choice: AiChoice): string | null {
  const opened = secretSealed === null ? null : settingsBox(env).open(secretSealed);
  const sealed = sealedKey.safeParse(opened?.text).data;
  return sealed?.[0] === describePlace(choice) ? sealed[1] : null;
}

/** The keys of other settings come out of the same box: they are no such text. */
const sealedKey = z.preprocess(
  (text, context) => {
    try {
      return JSON.parse(String(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  },
  z.tuple([z.string(), z.string()]),
);
