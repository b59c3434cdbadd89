import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import type { ProviderAccess } from '../settings/ai-provider.ts';
import type { TokensUsed } from '../store/ai-usage.ts';
import type { TokenBudget } from './budget.ts';
import type { Surface } from './generate.ts';
import { type CheckedOutput, checkOutput } from './output.ts';
import { NoText, requestProvider } from './provider.ts';

/** What all attempts at one text share. */
export interface Attempts<Content> {
  surface: Surface<Content>;
  snapshot: object;
  /** The snapshot as it is sent. */
  prompt: string;
  priority: 'interactive' | 'digest';
  budget: TokenBudget;
  /** Called with what each call took. */
  countTokens(provider: string, tokens: number): void;
  allowedHosts: readonly string[];
  /** Longest wait for one attempt, and the moment by `performance.now()` at which all are over. */
  attemptMs: number;
  deadline: number;
  retryAfterMs: number;
  log: Log;
}

export interface Written<Content> extends CheckedOutput<Content> {
  access: ProviderAccess;
}

/**
 * Calls the providers in their order until one gives a text that holds up. A transient error is retried once, then the
 * next provider is called; any other error moves to the next at once. A text that does not hold up is requested once
 * more, and that was it.
 * @throws Problem `ai_unavailable`, `ai_budget_exhausted`
 */
export async function writeText<Content>(
  accesses: readonly ProviderAccess[],
  attempts: Attempts<Content>,
): Promise<Written<Content>> {
  const { surface, snapshot, deadline, retryAfterMs, log } = attempts;
  let isWrittenAgain = false;
  for (const access of accesses) {
    for (let left = 2; left > 0 && performance.now() < deadline; ) {
      const text = await attempt(access, attempts);
      if (!(text instanceof NoText)) {
        const checked = checkOutput(surface, text, snapshot);
        if (checked) return { ...checked, access };
        log.warn(named(access, surface), 'an AI provider wrote what does not hold up');
        if (isWrittenAgain) throw unavailable();
        isWrittenAgain = true;
        continue;
      }
      log.warn({ ...named(access, surface), reason: text.reason }, 'an AI provider gave no text');
      if (!text.isTransient) break;
      left -= 1;
      if (left > 0) await pause(Math.min(retryAfterMs, Math.max(0, deadline - performance.now())));
    }
  }
  throw unavailable();
}

export const unavailable = () =>
  new Problem('ai_unavailable', 'No text could be generated right now. The numbers are not affected.');

const named = ({ provider, model }: ProviderAccess, { name }: Pick<Surface<unknown>, 'name'>) => ({
  provider,
  model,
  surface: name,
});

/** One call with its tokens set aside before and counted after. An empty text is none. */
async function attempt<Content>(access: ProviderAccess, attempts: Attempts<Content>): Promise<string | NoText> {
  const { surface, prompt, priority, budget, attemptMs, deadline, allowedHosts, log } = attempts;
  const { system, maxOutputTokens } = surface;
  const reservation = { promptTokens: estimated(system + prompt), completionTokens: maxOutputTokens };
  const settle = await budget.reserve(reservation, priority);
  let taken: TokensUsed = reservation;
  try {
    const timeoutMs = Math.max(1, Math.ceil(Math.min(attemptMs, deadline - performance.now())));
    const { text, used } = await requestProvider(access, { system, prompt, maxOutputTokens, timeoutMs }, allowedHosts);
    taken = used ?? reservation;
    return text.trim() === '' ? new NoText('empty', { isTransient: true, mayCost: true }) : text;
  } catch (error) {
    if (!(error instanceof NoText)) throw error;
    if (!error.mayCost) taken = { promptTokens: 0, completionTokens: 0 };
    return error;
  } finally {
    attempts.countTokens(access.provider, taken.promptTokens + taken.completionTokens);
    // What was set aside stays taken until midnight; the text is no worse for it.
    await settle(taken).catch((error: unknown) => log.error({ err: error }, 'tokens could not be counted'));
  }
}

/** Tokens of a text, on the safe side. */
const estimated = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);
