import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { ProviderAccess } from '../../settings/ai-provider.ts';

/** A model behind the chat completions protocol, requested to answer in JSON. */
export const chatCompletionsModel = (
  { provider, apiKey, baseUrl, model }: ProviderAccess,
  fetch: typeof globalThis.fetch,
): LanguageModel =>
  createOpenAICompatible({
    name: provider,
    apiKey,
    baseURL: baseUrl,
    fetch,
    transformRequestBody: (body) => ({
      ...(thinks(model) ? forThinking(body) : body),
      ...effort(model),
      response_format: { type: 'json_object' },
    }),
  })(model);

/** The models of one family count reasoning as output, and reject a temperature. */
const thinks = (model: string) => /^(gpt-5(?!.*chat)|o\d)/.test(model);

const forThinking = ({ max_tokens: maxTokens, temperature: _unsupported, ...body }: Record<string, unknown>) => ({
  ...body,
  max_completion_tokens: maxTokens,
});

/** The least reasoning that a model can be set to: it costs many times the tokens of the answer. */
const minEfforts = [
  [/^gpt-5\.\d/, 'none'],
  [/^gpt-5(-mini|-nano)?(-\d|$)/, 'minimal'],
  [/^o\d/, 'low'],
  [/^gemini-2\.5-flash/, 'none'],
] as const;

function effort(model: string) {
  const minEffort = minEfforts.find(([name]) => name.test(model))?.[1];
  return minEffort === undefined ? {} : { reasoning_effort: minEffort };
}
