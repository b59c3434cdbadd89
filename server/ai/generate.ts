import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { Problem } from '../platform/problem.ts';
import { type AiInEffect, aiInEffect, type ProviderAccess, readAiOverride } from '../settings/ai-provider.ts';
import type { Store } from '../store/orm.ts';
import { memoryUsage, tokenBudget } from './budget.ts';
import { cacheKey, memoryCache } from './cache.ts';
import { unavailable, writeText } from './generate-attempts.ts';

/** One kind of generated text. */
export interface Surface<Content> {
  name: 'insights' | 'anomaly' | 'root_cause' | 'digest';
  /** Grows with every change of the prompt or the shape: what was generated before is not shown any more. */
  promptVersion: number;
  system: string;
  maxOutputTokens: number;
  ttlMs: number;
  shape: z.ZodType<Content>;
  /** The texts of an answer that must hold up against the snapshot. */
  texts(content: Content): string[];
}

export interface Generated<Content> {
  content: Content;
  provider: string;
  model: string;
  generatedAt: Instant;
  cached: boolean;
  /** A number in it does not occur in the snapshot. */
  unverified: boolean;
}

interface GenerationRequest {
  /** What the text is about: `repo:octo/web`. */
  scope: string;
  /** The measurements that the text may mention; nothing else is sent. */
  snapshot: object;
  /** Not from the cache. */
  refresh: boolean;
  /** Digests may take the last twentieth of the day's tokens. */
  priority: 'interactive' | 'digest';
}

export interface AiLayer {
  /** What is in effect; names only. */
  status(): Promise<{ enabled: boolean; providers: string[] }>;
  /** Rejects where no provider is available. @throws Problem ai_not_configured (503), ai_unavailable (503) */
  assertEnabled(): Promise<void>;
  /**
   * A checked text for a snapshot: the one that is stored, or a new one. Concurrent requests for the same share one,
   * across processes too.
   * @throws Problem ai_not_configured (503), ai_budget_exhausted (429), ai_unavailable (503)
   */
  generate<Content>(surface: Surface<Content>, request: GenerationRequest): Promise<Generated<Content>>;
}

interface Parts {
  env: Env;
  store: Store | null;
  clock: Clock;
  log: Log;
  /** Before what may have passed is tried again; milliseconds. */
  retryAfterMs?: number;
}

const lookAgainMs = 100;

/** The layer of generated texts; it holds nothing that has to be closed. */
export function createAiLayer({ env, store, clock, log, retryAfterMs = 1000 }: Parts): AiLayer {
  const cache = store?.aiCache ?? memoryCache();
  const budget = tokenBudget(store?.aiUsage ?? memoryUsage(), env.AI_DAILY_TOKEN_BUDGET, clock);
  const flights = new Map<string, Promise<Generated<unknown>>>();
  const inEffect = async () => aiInEffect(env, await readAiOverride(env, store));

  const write = async <Content>({ surface, request, accesses, prompt, deadline }: Flight<Content>) => {
    const { access, ...checked } = await writeText(accesses, {
      surface,
      prompt,
      snapshot: request.snapshot,
      priority: request.priority,
      budget,
      countTokens: (provider, tokens) => store?.sharedCounters.add('das_ai_tokens', { provider }, tokens),
      deadline,
      retryAfterMs,
      log,
      attemptMs: env.AI_TIMEOUT_MS,
      allowedHosts: env.AI_ALLOWED_HOSTS,
    });
    const { provider, model } = access;
    const made: CachedGeneration<Content> = { ...checked, provider, model, generatedAt: clock.now() };
    const key = cacheKey({ surface, scope: request.scope, prompt }, access);
    await cache
      .put(key, made, made.generatedAt, surface.ttlMs)
      .catch((error: unknown) => log.error({ err: error }, 'a generated text could not be stored'));
    return { ...made, cached: false };
  };

  const find = async <Content>({ keys }: Flight<Content>, since: Instant): Promise<Generated<Content> | null> => {
    const found = await cache.get(keys, clock.now());
    return found && found.createdAt >= since ? { ...(found.payload as CachedGeneration<Content>), cached: true } : null;
  };

  /** Of all processes one writes; the others wait for what comes of it. */
  const fly = async <Content>(flight: Flight<Content>): Promise<Generated<Content>> => {
    const { request, keys, deadline, begunAt } = flight;
    for (let hasWaited = false; ; hasWaited = true) {
      const look = async () => {
        if (request.refresh) return hasWaited ? find(flight, begunAt) : null;
        return find(flight, 0);
      };
      const found = await look();
      if (found) return found;
      if (!store) return write(flight);
      const work = async () => (await look()) ?? write(flight);
      const made = await store.leases.hold(`ai:${keys[0]}`, randomUUID(), work);
      if (made) return made;
      if (performance.now() >= deadline) throw unavailable();
      await pause(lookAgainMs);
    }
  };

  return {
    async status() {
      const { accesses } = await inEffect();
      return { enabled: accesses.length > 0, providers: accesses.map(({ provider }) => provider) };
    },
    async assertEnabled() {
      writersIn(await inEffect());
    },
    async generate<Content>(surface: Surface<Content>, request: GenerationRequest) {
      const accesses = writersIn(await inEffect());
      const prompt = JSON.stringify(request.snapshot);
      const keys = accesses.map((access) => cacheKey({ surface, scope: request.scope, prompt }, access));
      const name = [...keys, request.refresh, request.priority].join();
      const deadline = performance.now() + env.AI_TOTAL_BUDGET_MS;
      const begin = () =>
        fly({ surface, request, accesses, prompt, keys, deadline, begunAt: clock.now() }).finally(() =>
          flights.delete(name),
        );
      const flight = flights.get(name) ?? begin();
      flights.set(name, flight);
      return (await flight) as Generated<Content>;
    },
  };
}

/** The providers to call. There is no fallback for a saved choice that cannot be used. */
function writersIn({ source, accesses }: AiInEffect): readonly ProviderAccess[] {
  if (source === 'settings_broken')
    throw new Problem(
      'ai_unavailable',
      'The saved AI settings cannot be read or opened, so nothing is generated. Administrators see why at /settings/ai.',
    );
  if (accesses.length === 0) throw new Problem('ai_not_configured', 'No provider for generated text is configured.');
  return accesses;
}

type CachedGeneration<Content> = Omit<Generated<Content>, 'cached'>;

/** One text under way. */
interface Flight<Content> {
  surface: Surface<Content>;
  request: GenerationRequest;
  accesses: readonly ProviderAccess[];
  prompt: string;
  /** Under which the answer of each provider would be stored, in their order. */
  keys: readonly string[];
  deadline: number;
  begunAt: Instant;
}
