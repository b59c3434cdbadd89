import type { LanguageModel, LanguageModelUsage } from 'ai';
import { UnsafeAddress } from '../platform/safe-address.ts';
import type { AiProvider, ProviderAccess } from '../settings/ai-provider.ts';
import type { TokensUsed } from '../store/ai-usage.ts';
import { providerFetch, UnusableAnswer } from './provider-fetch.ts';

export interface Question {
  system: string;
  /** JSON, and nothing else. */
  prompt: string;
  maxOutputTokens: number;
  timeoutMs: number;
}

export interface ProviderText {
  /** May be empty. */
  text: string;
  /** null when the provider does not report it, or reports an impossible value. */
  used: TokensUsed | null;
}

/** Why there is no text. Carries neither the prompt nor the provider's answer. */
export class NoText extends Error {
  readonly reason: 'timeout' | 'empty' | 'unreachable' | 'unusable' | 'unsafe_address' | `status_${number}`;
  /** Whether the same may go well a moment later. */
  readonly isTransient: boolean;
  /** Whether tokens may have been spent all the same. */
  readonly mayCost: boolean;
  constructor(reason: NoText['reason'], { isTransient, mayCost }: Pick<NoText, 'isTransient' | 'mayCost'>) {
    super(`An AI provider gave no text: ${reason}`);
    this.reason = reason;
    this.isTransient = isTransient;
    this.mayCost = mayCost;
  }
}

/** Puts a question to a provider, once. @throws NoText */
export async function requestProvider(
  access: ProviderAccess,
  { system, prompt, maxOutputTokens, timeoutMs }: Question,
  allowedHosts: readonly string[],
): Promise<ProviderText> {
  // Loaded when it is first needed: it takes half a second that nobody without a provider should wait for.
  const { AISDKError, APICallError, generateText } = await import('ai');
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const model = (await models[access.provider]())(access, providerFetch(access, allowedHosts));
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { text, usage } = await generateText({
      model,
      instructions: system,
      prompt,
      maxOutputTokens,
      temperature: 0.2,
      reasoning: thinking[access.provider],
      maxRetries: 0,
      abortSignal: signal,
    });
    return { text, used: usedIn(usage, text) };
  } catch (error) {
    if (signal.aborted) throw new NoText('timeout', { isTransient: true, mayCost: true });
    if (APICallError.isInstance(error)) throw whyNot(listCauses(error), error.statusCode ?? null);
    // What else the SDK finds fault with has come over the wire.
    throw whyNot(listCauses(error), AISDKError.isInstance(error) ? 200 : null);
  }
}

/** The SDK reports 0 for what a provider omits; a prompt takes tokens, and so does a text. */
function usedIn({ inputTokens = 0, outputTokens = 0 }: LanguageModelUsage, text: string): TokensUsed | null {
  const isPossible = [inputTokens, outputTokens].every((count) => Number.isSafeInteger(count) && count >= 0);
  const isReported = inputTokens > 0 && (outputTokens > 0 || text === '');
  return isPossible && isReported ? { promptTokens: inputTokens, completionTokens: outputTokens } : null;
}

type MakeModel = (access: ProviderAccess, fetch: typeof globalThis.fetch) => LanguageModel;

const chatCompletions = async (): Promise<MakeModel> =>
  (await import('./providers/chat-completions.ts')).chatCompletionsModel;

/** The messages protocol, version 2023-06-01. */
const messages = async (): Promise<MakeModel> => {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return ({ apiKey, baseUrl, model }, fetch) => createAnthropic({ apiKey, baseURL: baseUrl, fetch })(model);
};

const models: Record<AiProvider, () => Promise<MakeModel>> = {
  anthropic: messages,
  gemini: chatCompletions,
  openai: chatCompletions,
};

/** Chat completions report reasoning in fields of their own, by model. */
const thinking = { anthropic: 'none', gemini: undefined, openai: undefined } as const;

function whyNot(causes: readonly unknown[], status: number | null): NoText {
  if (causes.some((cause) => cause instanceof UnsafeAddress))
    return new NoText('unsafe_address', { isTransient: false, mayCost: false });
  const isUnusable = causes.some((cause) => cause instanceof UnusableAnswer);
  if (isUnusable || status === 200) return new NoText('unusable', { isTransient: false, mayCost: true });
  if (status !== null)
    return new NoText(`status_${status}`, { isTransient: status === 429 || status >= 500, mayCost: false });
  const isConnected = !causes.some((cause) => unconnected.has((cause as NodeJS.ErrnoException)?.code ?? ''));
  return new NoText('unreachable', { isTransient: true, mayCost: isConnected });
}

const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH']);

/** An error, the error it comes from, and so on. */
function listCauses(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let one = error; one instanceof Error && causes.length < 8; one = one.cause) causes.push(one);
  return causes;
}
