import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModel } from 'ai';
import type { ProviderAccess } from '../../settings/ai-provider.ts';

/** A model behind the messages protocol, version 2023-06-01. */
export const messagesModel = (
  { apiKey, baseUrl, model }: ProviderAccess,
  fetch: typeof globalThis.fetch,
): LanguageModel => createAnthropic({ apiKey, baseURL: baseUrl, fetch })(model);
